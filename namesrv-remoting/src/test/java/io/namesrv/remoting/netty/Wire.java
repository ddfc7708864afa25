package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.RemotingCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/** Frames as bytes, right ones and wrong ones. */
final class Wire {
    static final int JSON = 0;
    static final int ROCKETMQ = 1;

    private Wire() {}

    /** A frame captured from the originals: {@code src/test/resources/wire/NAME.hex}. */
    static byte[] golden(String name) {
        try (InputStream in = Wire.class.getResourceAsStream("/wire/" + name + ".hex")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            String hex = text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .findFirst()
                    .orElseThrow();
            return HexFormat.of().parseHex(hex);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A frame with the lengths that these parts have. */
    static byte[] frame(int type, byte[] header, byte[] body) {
        return frame(4 + header.length + body.length, type, header.length, header, body);
    }

    /** A frame that claims these lengths. */
    static byte[] frame(int length, int type, int headerLength, byte[] header, byte[] body) {
        return ByteBuffer.allocate(8 + header.length + body.length)
                .putInt(length)
                .putInt(type << 24 | (headerLength & 0xFFFFFF))
                .put(header)
                .put(body)
                .array();
    }

    /** A frame with this JSON header and no body. */
    static byte[] json(String header) {
        return frame(JSON, header.getBytes(StandardCharsets.UTF_8), new byte[0]);
    }

    /** What our encoder makes of a command. */
    static byte[] encode(RemotingCommand command) {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder());
        channel.writeOutbound(command);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            out.writeBytes(ByteBufUtil.getBytes(part));
            part.release();
        }
        channel.finishAndReleaseAll();
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
