package io.namesrv.server.daemon;

import java.util.Map;
import java.util.TreeMap;

/**
 * What an answer says; the rest of its header has been checked when it was read.
 *
 * @param remark empty for none
 * @param body empty for none; JSON is {@linkplain Json#sorted sorted}
 */
record Reply(int code, String remark, Map<String, String> fields, String body) {
    static final Reply SUCCESS = new Reply(0, "", Map.of(), "");

    static Reply of(Frame answer) {
        String body = answer.body();
        return new Reply(
                answer.code(), answer.remark(), answer.fields(), body.startsWith("{") ? Json.sorted(body) : body);
    }

    static Reply error(int code, String remark) {
        return new Reply(code, remark, Map.of(), "");
    }

    /** Success with this JSON. */
    static Reply json(String body) {
        return new Reply(0, "", Map.of(), Json.sorted(body));
    }

    Reply with(String field, String value) {
        Map<String, String> more = new TreeMap<>(fields);
        more.put(field, value);
        return new Reply(code, remark, more, body);
    }
}
