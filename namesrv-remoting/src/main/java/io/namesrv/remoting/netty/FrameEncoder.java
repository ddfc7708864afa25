package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Writes commands as frames (layout: {@link FrameDecoder}), each with a header in the command's own form.
 *
 * <p>Takes over the body. A small one is copied behind its header, so that a frame is one buffer; a large one, which
 * may be shared with other answers, is sent from where it lies.
 */
@Sharable
final class FrameEncoder extends ChannelOutboundHandlerAdapter {
    private static final int PREFIX_BYTES = 8;
    private static final int HEADER_GUESS = 256;
    private static final int COPIED_BODY_MAX = 4096;
    private static final int HEADER_MAX = 0xFFFFFF;

    private final HeaderCodec json = HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT);
    private final HeaderCodec binary = HeaderCodec.of(SerializeType.ROCKETMQ, HeaderLimits.DEFAULT);

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // it is the promise that the caller holds already
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (!(msg instanceof RemotingCommand command)) {
            ctx.write(msg, promise);
            return;
        }
        ByteBuf body = command.body();
        int bodyLength = body.readableBytes();
        boolean copied = bodyLength <= COPIED_BODY_MAX;
        ByteBuf frame = ctx.alloc().ioBuffer(PREFIX_BYTES + HEADER_GUESS + (copied ? bodyLength : 0));
        try {
            writeHead(command, bodyLength, frame);
            if (copied) {
                frame.writeBytes(body, body.readerIndex(), bodyLength);
            }
        } catch (RuntimeException broken) {
            frame.release();
            body.release();
            throw broken;
        }
        if (copied) {
            body.release();
            ctx.write(frame, promise);
        } else {
            ctx.write(frame, ctx.voidPromise());
            ctx.write(body, promise);
        }
    }

    private void writeHead(RemotingCommand command, int bodyLength, ByteBuf frame) {
        int at = frame.writerIndex();
        frame.writeZero(PREFIX_BYTES);
        HeaderCodec codec = command.serializeType() == SerializeType.JSON ? json : binary;
        codec.encode(command, frame);
        int headerLength = frame.writerIndex() - at - PREFIX_BYTES;
        if (headerLength > HEADER_MAX) {
            throw new IllegalStateException("a header of " + headerLength + " bytes (expected: up to 2^24 - 1)");
        }
        frame.setInt(at, 4 + headerLength + bodyLength);
        frame.setInt(at + 4, command.serializeType().code() << 24 | headerLength);
    }
}
