package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** A frame as the daemon wrote it, taken apart without its codec. */
record Frame(
        Form form,
        int code,
        String language,
        int version,
        int opaque,
        int flag,
        String remark,
        Map<String, String> fields,
        String body) {

    /** Reads the next one. */
    static Frame read(DataInputStream in) throws IOException {
        return of(readBytes(in));
    }

    /** Reads the next one as it is, without its length. */
    static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    static Frame of(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        int headWord = bytes.getInt();
        Form form = Form.of(headWord >>> 24);
        byte[] header = new byte[headWord & 0xFFFFFF];
        bytes.get(header);
        String body = UTF_8.decode(bytes).toString();
        return form == Form.JSON ? json(header, body) : binary(ByteBuffer.wrap(header), body);
    }

    Frame withoutOpaque() {
        return new Frame(form, code, language, version, 0, flag, remark, fields, body);
    }

    private static Frame json(byte[] header, String body) {
        JSONObject members = JSON.parseObject(new String(header, UTF_8));
        if (members.containsKey("remark") && members.get("remark") == null) {
            throw new AssertionError("a remark that is null");
        }
        Map<String, String> fields = new TreeMap<>();
        if (members.containsKey("extFields")) {
            members.getJSONObject("extFields").forEach((name, value) -> fields.put(name, (String) value));
        }
        return new Frame(
                Form.JSON,
                members.getIntValue("code"),
                members.getString("language"),
                members.getIntValue("version"),
                members.getIntValue("opaque"),
                members.getIntValue("flag"),
                members.containsKey("remark") ? members.getString("remark") : "",
                fields,
                body);
    }

    private static Frame binary(ByteBuffer header, String body) {
        int code = header.getShort();
        String language = header.get() == 0 ? "JAVA" : "another";
        int version = header.getShort();
        int opaque = header.getInt();
        int flag = header.getInt();
        String remark = text(header, header.getInt());
        Map<String, String> fields = new TreeMap<>();
        int end = header.getInt() + header.position();
        while (header.position() < end) {
            String name = text(header, header.getShort());
            fields.put(name, text(header, header.getInt()));
        }
        if (header.hasRemaining()) {
            throw new AssertionError(header.remaining() + " bytes follow the header");
        }
        return new Frame(Form.ROCKETMQ, code, language, version, opaque, flag, remark, fields, body);
    }

    private static String text(ByteBuffer from, int length) {
        byte[] bytes = new byte[length];
        from.get(bytes);
        return new String(bytes, UTF_8);
    }
}
