package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the first byte whether a PROXY header (version 1 or 2) stands before everything else, and has it read. No
 * frame begins with either of its first bytes. Put in front for senders that may send one, and gone after the first
 * byte.
 */
final class ProxyDetector extends ByteToMessageDecoder {
    private static final byte VERSION_1 = 'P';
    private static final byte VERSION_2 = 0x0D;

    private final NettyConnection connection;
    private final ConnectionCounts counts;
    private final Duration deadline;

    ProxyDetector(NettyConnection connection, ConnectionCounts counts, Duration deadline) {
        this.connection = connection;
        this.counts = counts;
        this.deadline = deadline;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        byte first = in.getByte(in.readerIndex());
        if (first == VERSION_1 || first == VERSION_2) {
            HeaderHandler handler = new HeaderHandler(connection, counts);
            handler.expect(ctx, deadline);
            ctx.pipeline()
                    .addAfter(ctx.name(), "proxy-header", handler)
                    .addAfter(ctx.name(), "proxy-decoder", new HAProxyMessageDecoder());
        }
        ctx.pipeline().remove(this);
    }

    /** Takes the header that was read: from then on the connection is that of the client it names. */
    private static final class HeaderHandler extends ChannelInboundHandlerAdapter {
        private final NettyConnection connection;
        private final ConnectionCounts counts;
        private @Nullable Future<?> alarm;

        HeaderHandler(NettyConnection connection, ConnectionCounts counts) {
            this.connection = connection;
            this.counts = counts;
        }

        void expect(ChannelHandlerContext ctx, Duration deadline) {
            if (!deadline.isZero()) {
                alarm = ctx.executor()
                        .schedule(
                                () -> connection.close(CloseReason.LIMIT), deadline.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            if (!(msg instanceof HAProxyMessage header)) {
                ctx.fireChannelRead(msg);
                return;
            }
            try {
                String text = header.sourceAddress();
                InetAddress source = text == null ? null : NetUtil.createInetAddressFromIpAddressString(text);
                if (source != null) {
                    connection.standsFor(new InetSocketAddress(source, header.sourcePort()));
                    count(ctx, source);
                }
            } finally {
                header.release();
            }
            ctx.pipeline().remove(this);
        }

        private void count(ChannelHandlerContext ctx, InetAddress client) {
            if (counts.enter(client)) {
                ctx.channel().closeFuture().addListener(closed -> counts.leave(client));
            } else {
                ctx.fireUserEventTriggered(
                        new Condemned(CloseReason.LIMIT, "too many connections of one address (connectionsPerIpMax)"));
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            if (alarm != null) {
                alarm.cancel(false);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.fireUserEventTriggered(new Condemned(CloseReason.BAD_FRAME, "a malformed PROXY header"));
        }
    }
}
