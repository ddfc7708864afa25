package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.Fixtures;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A frame decoder on a channel without a network, and what comes out of it. */
final class DecoderBench implements AutoCloseable {
    final CountingAdmission admission;
    final EmbeddedChannel channel = new EmbeddedChannel();
    final ReadGate gate = new ReadGate(channel);
    final List<InboundFrame> frames = new ArrayList<>();
    final List<Condemned> condemned = new ArrayList<>();

    DecoderBench() {
        this(ConnectionLimits.DEFAULT, new CountingAdmission(0, "registrationInFlightMax"));
    }

    DecoderBench(ConnectionLimits limits, CountingAdmission admission) {
        this.admission = admission;
        channel.pipeline()
                .addLast(new FrameDecoder(
                        limits,
                        admission.open(Fixtures.connection(1)),
                        gate,
                        new IdleWatch(channel, limits),
                        AtOnce.NOTHING))
                .addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object msg) {
                        frames.add((InboundFrame) msg);
                    }

                    @Override
                    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                        if (event instanceof Condemned end) {
                            condemned.add(end);
                        }
                    }
                });
    }

    /** Lets bytes arrive in one piece; whatever the decoder throws comes out here. */
    DecoderBench feed(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        return this;
    }

    DecoderBench feed(byte[] bytes, int from, int to) {
        return feed(Arrays.copyOfRange(bytes, from, to));
    }

    DecoderBench feedByteByByte(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            feed(bytes, i, i + 1);
        }
        return this;
    }

    List<RemotingCommand> commands() {
        return frames.stream().map(InboundFrame::command).toList();
    }

    RemotingCommand onlyCommand() {
        if (frames.size() != 1 || !condemned.isEmpty()) {
            throw new AssertionError(frames + " " + condemned);
        }
        return frames.get(0).command();
    }

    List<CloseReason> ends() {
        return condemned.stream().map(Condemned::reason).toList();
    }

    /** The connection ends. */
    void hangUp() {
        channel.finishAndReleaseAll();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }
}
