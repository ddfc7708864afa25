package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;

/** The compressed body of a registration of 5.x, without filter servers and mappings. */
final class Compressed {
    private Compressed() {}

    /** With these topics, each in its text form. */
    static byte[] of(String... topics) {
        byte[] plain = Request.bytes(out -> {
            block(out, TestBroker.dataVersion(0, 1_700_000_000_000L, 1));
            out.writeInt(topics.length);
            for (String topic : topics) {
                block(out, topic);
            }
            block(out, "[]");
            out.writeInt(0);
        });
        return deflated(plain);
    }

    static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain);
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        while (!deflater.finished()) {
            out.write(piece, 0, deflater.deflate(piece));
        }
        deflater.end();
        return out.toByteArray();
    }

    private static void block(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
