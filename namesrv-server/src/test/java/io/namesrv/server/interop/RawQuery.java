package io.namesrv.server.interop;

import com.alibaba.fastjson2.JSON;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request to a name server, written by hand: what a client would be told at this moment. */
record RawQuery(String header) {
    private static final Pattern CODE = Pattern.compile("\"code\":(\\d+)");

    /** An answer: its code, its header as it came, and its body as text, empty if there is none. */
    record Answer(int code, String header, String body) {}

    static RawQuery route(String topic) {
        return of(105, Map.of("topic", topic));
    }

    static RawQuery clusters() {
        return of(106, Map.of());
    }

    static RawQuery keyValue(String namespace, String key) {
        return of(101, Map.of("namespace", namespace, "key", key));
    }

    static RawQuery of(int code, Map<String, String> fields) {
        return new RawQuery(JSON.toJSONString(
                Map.of("code", code, "extFields", fields, "flag", 0, "language", "JAVA", "opaque", 1, "version", 479)));
    }

    /** Asks over a connection of its own. */
    Answer ask(Dial dial) throws IOException {
        try (Socket socket = dial.connect()) {
            return ask(socket);
        }
    }

    /** Asks over a connection from {@link Dial}. */
    Answer ask(Socket socket) throws IOException {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        out.writeInt(4 + bytes.length);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
        return readAnswer(new DataInputStream(socket.getInputStream()));
    }

    private static Answer readAnswer(DataInputStream in) throws IOException {
        int length = in.readInt();
        int headerLength = in.readInt() & 0xFFFFFF;
        String header = new String(in.readNBytes(headerLength), StandardCharsets.UTF_8);
        String body = new String(in.readNBytes(length - 4 - headerLength), StandardCharsets.UTF_8);
        Matcher code = CODE.matcher(header);
        if (!code.find()) {
            throw new IOException("no code in " + header);
        }
        return new Answer(Integer.parseInt(code.group(1)), header, body);
    }
}
