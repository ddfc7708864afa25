package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.FrameHead;
import io.namesrv.remoting.protocol.RemotingCommand;
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
    private static final int HEADER_GUESS = 256;
    private static final int COPIED_BODY_MAX = 4096;

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
        ByteBuf frame = ctx.alloc().ioBuffer(FrameHead.PREFIX_BYTES + HEADER_GUESS + (copied ? bodyLength : 0));
        try {
            FrameHead.write(command, bodyLength, frame);
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
}
