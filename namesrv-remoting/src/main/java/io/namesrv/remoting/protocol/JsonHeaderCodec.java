package io.namesrv.remoting.protocol;

import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a header.
 *
 * <pre>{@code
 * {"code":105,"extFields":{"topic":"T1"},"flag":0,"language":"JAVA","opaque":7,"serializeTypeCurrentRPC":"JSON","version":479}
 * }</pre>
 *
 * <p>Read: strict JSON within {@link JsonBounds}; unknown members are ignored, of a member that comes twice the last
 * one counts; the four numbers must be whole and fit an {@code int} (missing or null: 0); field values may be strings,
 * or numbers and booleans, which are taken as their text; null is the same as missing, and so is an object or array. Read with {@link JsonCursor} and
 * not with fastjson2, which would take 0.5 and true for whole numbers without a word, and loses the text of a number.
 *
 * <p>Written: members in alphabetical order as the originals do, no nulls, UTF-8; a lone surrogate becomes {@code ?}.
 */
final class JsonHeaderCodec implements HeaderCodec {
    private static final String HEX = "0123456789abcdef";

    private final HeaderLimits limits;

    JsonHeaderCodec(HeaderLimits limits) {
        this.limits = limits;
    }

    @Override
    public RemotingCommand decode(byte[] header, ByteBuf body) throws MalformedHeaderException {
        try {
            return new Reader(cursor(header), new FieldCollector(limits)).read(body);
        } catch (JsonFormatException e) {
            throw new MalformedHeaderException("header: " + e.getMessage());
        }
    }

    @Override
    public void encode(RemotingCommand command, ByteBuf out) {
        ascii(out, "{\"code\":");
        ascii(out, Integer.toString(command.code()));
        if (!command.extFields().isEmpty()) {
            ascii(out, ",\"extFields\":{");
            boolean first = true;
            for (Map.Entry<String, String> field : command.extFields().entrySet()) {
                if (!first) {
                    out.writeByte(',');
                }
                first = false;
                string(out, field.getKey());
                out.writeByte(':');
                string(out, field.getValue());
            }
            out.writeByte('}');
        }
        ascii(out, ",\"flag\":");
        ascii(out, Integer.toString(command.flag()));
        ascii(out, ",\"language\":\"");
        ascii(out, command.language().name());
        ascii(out, "\",\"opaque\":");
        ascii(out, Integer.toString(command.opaque()));
        if (command.remark().isPresent()) {
            ascii(out, ",\"remark\":");
            string(out, command.remark().get());
        }
        ascii(out, ",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":");
        ascii(out, Integer.toString(command.version()));
        out.writeByte('}');
    }

    private JsonCursor cursor(byte[] header) {
        JsonBounds bounds = limits.json();
        return new JsonCursor(
                header, 0, header.length, bounds.maxDepth(), bounds.maxNumberLength(), bounds.maxExponentDigits());
    }

    private static void ascii(ByteBuf out, String text) {
        ByteBufUtil.writeAscii(out, text);
    }

    private static void string(ByteBuf out, String text) {
        out.writeByte('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                ByteBufUtil.writeUtf8(out, text, plain, i);
                escape(out, c);
                plain = i + 1;
            }
        }
        ByteBufUtil.writeUtf8(out, text, plain, text.length());
        out.writeByte('"');
    }

    private static void escape(ByteBuf out, char c) {
        switch (c) {
            case '"' -> ascii(out, "\\\"");
            case '\\' -> ascii(out, "\\\\");
            case '\n' -> ascii(out, "\\n");
            case '\r' -> ascii(out, "\\r");
            case '\t' -> ascii(out, "\\t");
            default -> {
                ascii(out, "\\u00");
                out.writeByte(HEX.charAt(c >> 4)).writeByte(HEX.charAt(c & 15));
            }
        }
    }

    /** One header being read. */
    private static final class Reader {
        private final JsonCursor json;
        private final FieldCollector fields;
        private int code;
        private int opaque;
        private int flag;
        private int version;
        private LanguageCode language = LanguageCode.JAVA;
        private @Nullable String remark;

        Reader(JsonCursor json, FieldCollector fields) {
            this.json = json;
            this.fields = fields;
        }

        RemotingCommand read(ByteBuf body) {
            json.beginObject();
            while (json.nextMember()) {
                member(json.name());
            }
            json.end();
            return RemotingCommand.received(
                    SerializeType.JSON, code, language, version, opaque, flag, remark, fields, body);
        }

        private void member(String name) {
            switch (name) {
                case "code" -> code = integer();
                case "opaque" -> opaque = integer();
                case "flag" -> flag = integer();
                case "version" -> version = integer();
                case "language" -> language = language();
                case "remark" -> remark = text();
                case "extFields" -> extFields();
                default -> json.skip();
            }
        }

        private void extFields() {
            fields.restart();
            if (json.tryNull()) {
                return;
            }
            json.beginObject();
            while (json.nextMember()) {
                if (fields.isDefective()) {
                    json.skip();
                } else {
                    fields.put(json.name(), text());
                }
            }
        }

        private int integer() {
            return json.tryNull() ? 0 : json.intValue();
        }

        /** By name, or by number as the binary form has it. */
        private LanguageCode language() {
            if (json.atObject() || json.atArray()) {
                json.skip();
                return LanguageCode.OTHER;
            }
            String text = text();
            if (text == null) {
                return LanguageCode.JAVA;
            }
            boolean number = text.length() == 1 || text.length() == 2;
            number &= text.chars().allMatch(c -> c >= '0' && c <= '9');
            return number ? LanguageCode.ofCode(Integer.parseInt(text)) : LanguageCode.ofName(text);
        }

        /** A string, or the text of a number or boolean; null for null and for what has no text. */
        private @Nullable String text() {
            if (json.atObject() || json.atArray()) {
                json.skip();
                return null;
            }
            return json.tryNull() ? null : json.stringOrText();
        }
    }
}
