package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;

/** What stands in a frame before its body: two lengths, the form, and the header. Stateless; for any thread. */
public final class FrameHead {
    /** Bytes before the header. */
    public static final int PREFIX_BYTES = 8;

    private static final int HEADER_MAX = 0xFFFFFF;

    private static final HeaderCodec JSON = HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT);
    private static final HeaderCodec BINARY = HeaderCodec.of(SerializeType.ROCKETMQ, HeaderLimits.DEFAULT);

    private FrameHead() {}

    /** Appends the head of a frame, with a header in the command's own form, whose body has so many bytes. */
    public static void write(RemotingCommand command, int bodyLength, ByteBuf frame) {
        int at = frame.writerIndex();
        frame.writeZero(PREFIX_BYTES);
        (command.serializeType() == SerializeType.JSON ? JSON : BINARY).encode(command, frame);
        int headerLength = frame.writerIndex() - at - PREFIX_BYTES;
        if (headerLength > HEADER_MAX) {
            throw new IllegalStateException("a header of " + headerLength + " bytes (expected: up to 2^24 - 1)");
        }
        frame.setInt(at, 4 + headerLength + bodyLength);
        frame.setInt(at + 4, command.serializeType().code() << 24 | headerLength);
    }
}
