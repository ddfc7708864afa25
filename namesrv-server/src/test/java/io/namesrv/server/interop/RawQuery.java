package io.namesrv.server.interop;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A request to a name server, written by hand: what a client would be told at this moment. */
record RawQuery(String header) {
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final Pattern CODE = Pattern.compile("\"code\":(\\d+)");

    /** An answer: its code, its header as it came, and its body as text, empty if there is none. */
    record Answer(int code, String header, String body) {}

    static RawQuery route(String topic) {
        return new RawQuery("{\"code\":105,\"extFields\":{\"topic\":\"" + topic + "\"},\"opaque\":1,\"version\":479}");
    }

    static RawQuery clusters() {
        return new RawQuery("{\"code\":106,\"opaque\":1,\"version\":479}");
    }

    static RawQuery keyValue(String namespace, String key) {
        return new RawQuery("{\"code\":101,\"extFields\":{\"namespace\":\"" + namespace + "\",\"key\":\"" + key
                + "\"},\"opaque\":1,\"version\":479}");
    }

    /** Asks over a connection of its own. */
    Answer ask(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(4 + bytes.length);
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
            return readAnswer(new DataInputStream(socket.getInputStream()));
        }
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
