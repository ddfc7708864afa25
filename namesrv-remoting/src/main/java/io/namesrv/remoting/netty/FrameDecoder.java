package io.namesrv.remoting.netty;

import io.namesrv.remoting.Admission;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.MalformedHeaderException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection's bytes into frames and reads each into a command.
 *
 * <pre>
 * offset 0   int32   length     bytes that follow this field = 4 + headerLength + bodyLength
 * offset 4   int8    type       form of the header: 0 JSON, 1 ROCKETMQ
 *            int24   headerLength
 * offset 8   bytes   header
 *            bytes   body       the rest, possibly nothing
 * </pre>
 *
 * <p>The largest frame is counted with its length field, as the originals do: at 16 MiB a {@code length} of 16 777 212
 * is read and 16 777 213 is not. A length is judged at sight, and so is the word behind it; nothing is kept or
 * allocated for bytes that were only announced. A frame that cannot be read {@linkplain Condemned condemns} the
 * connection: what comes after it is thrown away.
 *
 * <p>This is the one point where bytes are let in: they are charged to the connection's account as they arrive. Those
 * of a whole frame go on with it as an {@link InboundFrame}; all others are given back here at the end.
 *
 * <p>While its {@link ReadGate} is closed nothing is cut off from what has been read already.
 */
final class FrameDecoder extends ByteToMessageDecoder {
    private static final int LENGTH_BYTES = 4;
    private static final int WORD_BYTES = 4;

    private final ConnectionLimits limits;
    private final Admission.Account account;
    private final ReadGate gate;
    private final IdleWatch idle;
    private @Nullable FrameDeadline deadline;
    private final AtOnce atOnce;
    private int held;

    /** Bytes of requests of this burst that have been answered. */
    private int settled;

    private boolean condemned;

    /** The frame that is arriving, if it is a large one whose header is here; what is cumulated comes behind it. */
    private @Nullable LargeFrame large;

    /**
     * Reads nothing yet.
     *
     * @param idle told that something came
     * @param atOnce asked first whether it answers a request
     */
    FrameDecoder(ConnectionLimits limits, Admission.Account account, ReadGate gate, IdleWatch idle, AtOnce atOnce) {
        this.limits = limits;
        this.account = account;
        this.gate = gate;
        this.idle = idle;
        this.atOnce = atOnce;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) throws Exception {
        if (!(msg instanceof ByteBuf bytes)) {
            ctx.fireChannelRead(msg);
            return;
        }
        idle.heard();
        int arrived = bytes.readableBytes();
        if (condemned) {
            bytes.release();
            return;
        }
        if (!account.charge(arrived)) {
            bytes.release();
            condemn(ctx, CloseReason.LIMIT, "no room for " + arrived + " more bytes (registrationInFlightMax)");
            return;
        }
        held += arrived;
        try {
            super.channelRead(ctx, large == null ? bytes : intoLarge(ctx, large, bytes));
        } finally {
            endBurst();
        }
        watchFrame(ctx, held > 0 && !condemned);
    }

    private void watchFrame(ChannelHandlerContext ctx, boolean unfinished) {
        FrameDeadline watch = deadline;
        if (watch == null && unfinished) {
            watch = new FrameDeadline(limits.frameDeadline());
            deadline = watch;
        }
        if (watch != null) {
            watch.watch(ctx, unfinished, this::onDeadline);
        }
    }

    private void endBurst() {
        if (settled > 0) {
            account.giveBack(settled);
            settled = 0;
            atOnce.endOfBurst();
        }
    }

    /** Unlike the superclass, never asks for more to read: that is the business of the gate alone. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        discardSomeReadBytes();
        ctx.fireChannelReadComplete();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event == ReadGate.OPENED) {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        if (deadline != null) {
            deadline.cancel();
        }
        giveBackHeld();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (condemned) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!gate.isOpen() || large != null || in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        int at = in.readerIndex();
        int length = in.getInt(at);
        if (length < WORD_BYTES || length > limits.frameMaxLength() - LENGTH_BYTES) {
            condemn(ctx, in, "a frame of length " + length + " (frameMaxLength)");
            return;
        }
        if (in.readableBytes() < LENGTH_BYTES + WORD_BYTES) {
            return;
        }
        int type = in.getByte(at + LENGTH_BYTES) & 0xFF;
        int headerLength = in.getUnsignedMedium(at + LENGTH_BYTES + 1);
        if (type > SerializeType.ROCKETMQ.code()) {
            condemn(ctx, in, "a header of unknown form " + type);
        } else if (headerLength > limits.header().headerMax()) {
            condemn(ctx, in, "a header of " + headerLength + " bytes (headerMaxLength)");
        } else if (headerLength > length - WORD_BYTES) {
            condemn(ctx, in, "a header of " + headerLength + " bytes in a frame of length " + length);
        } else {
            SerializeType form = type == SerializeType.JSON.code() ? SerializeType.JSON : SerializeType.ROCKETMQ;
            decode(ctx, in, form, headerLength, length - WORD_BYTES - headerLength, out);
        }
    }

    private void decode(
            ChannelHandlerContext ctx,
            ByteBuf in,
            SerializeType form,
            int headerLength,
            int bodyLength,
            List<Object> out) {
        int withoutBody = LENGTH_BYTES + WORD_BYTES + headerLength;
        if (in.readableBytes() - withoutBody >= bodyLength) {
            readQuickly(ctx, in, form, headerLength, bodyLength, out);
        } else if (bodyLength >= LargeFrame.BODY_MIN && in.readableBytes() >= withoutBody) {
            in.skipBytes(LENGTH_BYTES + WORD_BYTES);
            LargeFrame begun = new LargeFrame(form, bytes(in, headerLength), bodyLength);
            begun.take(in.readRetainedSlice(in.readableBytes()));
            large = begun;
        }
    }

    /** Adds to the large frame, and hands it on if it is whole and the gate open. Returns what is behind it. */
    private ByteBuf intoLarge(ChannelHandlerContext ctx, LargeFrame frame, ByteBuf in) {
        ByteBuf behind = frame.take(in);
        if (frame.isWhole() && gate.isOpen()) {
            large = null;
            read(ctx, frame.form(), frame.header(), frame.body(), ctx::fireChannelRead);
        }
        return behind;
    }

    /** Answers a request at once, if that can be; else makes a command of it, in the simplest way that can be. */
    private void readQuickly(
            ChannelHandlerContext ctx,
            ByteBuf in,
            SerializeType form,
            int headerLength,
            int bodyLength,
            List<Object> out) {
        IoScratch mine = IoScratch.get();
        boolean plain = headerLength <= IoScratch.HEADER_MAX;
        if (plain) {
            in.getBytes(in.readerIndex() + LENGTH_BYTES + WORD_BYTES, mine.header, 0, headerLength);
            plain = mine.scan.read(form, mine.header, headerLength, limits.header());
        }
        int bytes = LENGTH_BYTES + WORD_BYTES + headerLength + bodyLength;
        if (plain && atOnce.answers(mine.scan)) {
            in.skipBytes(bytes);
            settled += bytes;
            wholeFrame(bytes);
        } else if (plain) {
            in.skipBytes(bytes - bodyLength);
            RemotingCommand command = mine.scan.command(Unpooled.wrappedBuffer(bytes(in, bodyLength)));
            wholeFrame(bytes);
            out.add(new InboundFrame(command, bytes));
        } else {
            in.skipBytes(LENGTH_BYTES + WORD_BYTES);
            read(ctx, form, bytes(in, headerLength), bytes(in, bodyLength), out::add);
        }
    }

    private void read(
            ChannelHandlerContext ctx, SerializeType form, byte[] header, byte[] body, Consumer<Object> frames) {
        try {
            RemotingCommand command =
                    HeaderCodec.of(form, limits.header()).decode(header, Unpooled.wrappedBuffer(body));
            int bytes = LENGTH_BYTES + WORD_BYTES + header.length + body.length;
            wholeFrame(bytes);
            frames.accept(new InboundFrame(command, bytes));
        } catch (MalformedHeaderException e) {
            condemn(ctx, CloseReason.BAD_FRAME, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] bytes(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    private void wholeFrame(int bytes) {
        held -= bytes;
        if (deadline != null) {
            deadline.frameIsWhole();
        }
    }

    private void onDeadline(ChannelHandlerContext ctx) {
        if (!condemned) {
            condemn(
                    ctx,
                    CloseReason.LIMIT,
                    "a frame that took longer than " + limits.frameDeadline() + " (frameDeadlineMillis)");
        }
    }

    private void condemn(ChannelHandlerContext ctx, ByteBuf in, String detail) {
        in.skipBytes(in.readableBytes());
        condemn(ctx, CloseReason.BAD_FRAME, detail);
    }

    private void condemn(ChannelHandlerContext ctx, CloseReason reason, String detail) {
        condemned = true;
        giveBackHeld();
        ctx.fireUserEventTriggered(new Condemned(reason, detail));
    }

    private void giveBackHeld() {
        if (large != null) {
            large.release();
            large = null;
        }
        account.giveBack(held);
        held = 0;
    }
}
