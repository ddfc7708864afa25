package io.namesrv.server.admin;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter.Feature;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is answered. Immutable. */
final class AdminAnswer {
    private final HttpResponseStatus status;
    private final String contentType;
    private final byte[] body;
    private final Map<String, String> headers;

    private AdminAnswer(HttpResponseStatus status, String contentType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.headers = headers;
    }

    /** An answer of code 200; the array is used as it is. */
    static AdminAnswer of(String contentType, byte[] body) {
        return new AdminAnswer(HttpResponseStatus.OK, contentType, body, Map.of());
    }

    static AdminAnswer text(HttpResponseStatus status, String text) {
        return new AdminAnswer(
                status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** What the caller has already is still so. */
    static AdminAnswer notModified() {
        return new AdminAnswer(
                HttpResponseStatus.NOT_MODIFIED, "application/json; charset=utf-8", new byte[0], Map.of());
    }

    static AdminAnswer json(Object value) {
        return json(HttpResponseStatus.OK, value);
    }

    static AdminAnswer json(HttpResponseStatus status, Object value) {
        return new AdminAnswer(
                status, "application/json; charset=utf-8", JSON.toJSONBytes(value, Feature.WriteNulls), Map.of());
    }

    static AdminAnswer error(AdminException failed) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", failed.code());
        error.put("message", failed.text());
        error.put("hint", failed.hint());
        return json(failed.status(), Map.of("error", error));
    }

    /** The same with one more header. */
    AdminAnswer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new AdminAnswer(status, contentType, body, more);
    }

    HttpResponseStatus status() {
        return status;
    }

    String contentType() {
        return contentType;
    }

    /** The body, not to be changed. */
    byte[] body() {
        return body;
    }

    /** Those beside the ones that every answer has. */
    Map<String, String> headers() {
        return headers;
    }
}
