package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request as a peer writes it, byte by byte, without the daemon's codec.
 *
 * @param body a character for each byte
 * @param version the caller's release number; 479 is 5.3.3, 407 is 4.9.7
 */
record Request(Form form, int code, int version, int opaque, int flag, Map<String, String> fields, String body) {
    static final int V4_9_7 = 407;
    static final int V5_3_3 = 479;
    private static final int ONEWAY = 2;

    /** A request of 5.3.3 in the JSON form without fields or body. */
    static Request of(int code) {
        return new Request(Form.JSON, code, V5_3_3, 0, 0, Map.of(), "");
    }

    Request in(Form other) {
        return new Request(other, code, version, opaque, flag, fields, body);
    }

    Request version(int other) {
        return new Request(form, code, other, opaque, flag, fields, body);
    }

    Request opaque(int other) {
        return new Request(form, code, version, other, flag, fields, body);
    }

    Request oneway() {
        return flag(ONEWAY);
    }

    Request flag(int other) {
        return new Request(form, code, version, opaque, other, fields, body);
    }

    Request with(String field, Object value) {
        Map<String, String> changed = new TreeMap<>(fields);
        changed.put(field, value.toString());
        return new Request(form, code, version, opaque, flag, changed, body);
    }

    Request without(String field) {
        Map<String, String> changed = new TreeMap<>(fields);
        changed.remove(field);
        return new Request(form, code, version, opaque, flag, changed, body);
    }

    Request body(String text) {
        return body(text.getBytes(UTF_8));
    }

    Request body(byte[] bytes) {
        return new Request(form, code, version, opaque, flag, fields, new String(bytes, ISO_8859_1));
    }

    byte[] bodyBytes() {
        return body.getBytes(ISO_8859_1);
    }

    /** The whole frame. */
    byte[] frame() {
        byte[] header = form == Form.JSON ? jsonHeader() : binaryHeader();
        return bytes(out -> {
            out.writeInt(4 + header.length + body.length());
            out.writeInt(form.code << 24 | header.length);
            out.write(header);
            out.write(bodyBytes());
        });
    }

    private byte[] jsonHeader() {
        StringBuilder text = new StringBuilder("{\"code\":" + code);
        if (!fields.isEmpty()) {
            text.append(",\"extFields\":{");
            fields.forEach((name, value) ->
                    text.append(quoted(name)).append(':').append(quoted(value)).append(','));
            text.setCharAt(text.length() - 1, '}');
        }
        text.append(",\"flag\":").append(flag).append(",\"language\":\"JAVA\",\"opaque\":");
        text.append(opaque).append(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":");
        return text.append(version).append('}').toString().getBytes(UTF_8);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private byte[] binaryHeader() {
        byte[] block = bytes(out -> {
            for (Map.Entry<String, String> field : fields.entrySet()) {
                byte[] name = field.getKey().getBytes(UTF_8);
                byte[] value = field.getValue().getBytes(UTF_8);
                out.writeShort(name.length);
                out.write(name);
                out.writeInt(value.length);
                out.write(value);
            }
        });
        return bytes(out -> {
            out.writeShort(code);
            out.writeByte(0);
            out.writeShort(version);
            out.writeInt(opaque);
            out.writeInt(flag);
            out.writeInt(0);
            out.writeInt(block.length);
            out.write(block);
        });
    }

    @FunctionalInterface
    interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    @Override
    public String toString() {
        return code + " " + form + " " + fields;
    }
}
