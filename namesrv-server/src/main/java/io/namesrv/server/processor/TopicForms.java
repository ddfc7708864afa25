package io.namesrv.server.processor;

import io.namesrv.core.data.TopicConfig;
import io.namesrv.remoting.json.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The forms of topics that one body has shown so far: all that is written of a topic, but its name. A broker writes its
 * topics in one order of members, and most of them with the same numbers, so that nearly all have a form that was parsed
 * before: then its bytes are compared, and the name alone is read. Nothing is assumed of what a form looks like.
 */
final class TopicForms {
    /** What is looked for among the forms that were seen last. */
    private static final int FORMS_MAX = 8;

    /** A longer form is not worth it. */
    private static final int BYTES_MAX = 1024;

    private static final class Form {
        /** From the opening brace to the opening quote of the name. */
        final byte[] before;

        /** From the closing quote of the name to the closing brace. */
        final byte[] after;

        final TopicConfig topic;

        Form(byte[] before, byte[] after, TopicConfig topic) {
            this.before = before;
            this.after = after;
            this.topic = topic;
        }
    }

    private final @Nullable Form[] forms = new @Nullable Form[FORMS_MAX];
    private int latest;
    private int next;

    /** Reads the topic that the cursor stands at, if it has a known form and a plain name; else null, and nothing is taken. */
    @Nullable
    TopicConfig read(JsonCursor json) {
        if (!json.atObject()) {
            return null;
        }
        for (int i = 0; i < FORMS_MAX; i++) {
            int at = (latest + i) % FORMS_MAX;
            Form form = forms[at];
            if (form == null) {
                continue;
            }
            int nameFrom = json.position() + form.before.length;
            int nameTo = nameEnd(json.text(), json.position(), form);
            if (nameTo >= 0) {
                String name = new String(json.text(), nameFrom, nameTo - nameFrom, StandardCharsets.ISO_8859_1);
                json.passTo(nameTo + form.after.length);
                latest = at;
                return form.topic.named(name);
            }
        }
        return null;
    }

    /** Where the name ends, if a topic of this form stands there; else -1. */
    private static int nameEnd(byte[] text, int from, Form form) {
        int nameFrom = from + form.before.length;
        if (nameFrom > text.length || !Arrays.equals(text, from, nameFrom, form.before, 0, form.before.length)) {
            return -1;
        }
        int at = nameFrom;
        while (at < text.length && text[at] != '"') {
            if (text[at] == '\\' || text[at] < 0) {
                return -1;
            }
            at++;
        }
        boolean same = at + form.after.length <= text.length
                && Arrays.equals(text, at, at + form.after.length, form.after, 0, form.after.length);
        return same ? at : -1;
    }

    /** Takes note of the form of a topic that was read from these bytes. */
    void learn(byte[] text, int from, int to, TopicConfig topic) {
        byte[] quoted = ('"' + topic.topicName() + '"').getBytes(StandardCharsets.UTF_8);
        int name = to - from > BYTES_MAX || topic.topicName().isEmpty() ? -1 : onlyPlace(text, from, to, quoted);
        if (name < 0) {
            return;
        }
        forms[next] = new Form(
                Arrays.copyOfRange(text, from, name + 1),
                Arrays.copyOfRange(text, name + quoted.length - 1, to),
                topic);
        latest = next;
        next = (next + 1) % FORMS_MAX;
    }

    /** Where the quoted name stands as the value of {@code topicName}, if that is the only place where either stands. */
    private static int onlyPlace(byte[] text, int from, int to, byte[] quoted) {
        String form = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        String value = new String(quoted, StandardCharsets.ISO_8859_1);
        int at = form.indexOf(value);
        int member = form.indexOf("\"topicName\"");
        boolean plain = at >= 0
                && at == form.lastIndexOf(value)
                && member >= 0
                && member == form.lastIndexOf("\"topicName\"")
                && form.indexOf('\\') < 0
                && form.substring(member + "\"topicName\"".length(), Math.max(member, at))
                        .trim()
                        .equals(":");
        return plain ? from + at : -1;
    }
}
