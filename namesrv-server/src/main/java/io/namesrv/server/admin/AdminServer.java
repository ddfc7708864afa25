package io.namesrv.server.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port for HTTP on a thread of its own: whatever is asked there, brokers and clients do not wait for it. What a connection
 * may cost is bounded: its header and body, the time without a byte, and how many there are.
 */
final class AdminServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdminServer.class);

    private static final int HEADER_MAX = 8 << 10;
    private static final int BODY_MAX = 64 << 10;
    private static final int IDLE_SECONDS = 30;
    private static final int STOP_SECONDS = 1;

    private static final byte[] TOO_MANY =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final AdminHandler handler;
    private final int connectionsMax;
    private final AtomicInteger connections = new AtomicInteger();
    private final EventLoopGroup threads;
    private @Nullable Channel listening;

    AdminServer(AdminHandler handler, int connectionsMax, String threadName) {
        this.handler = handler;
        this.connectionsMax = connectionsMax;
        this.threads = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory(threadName, true), NioIoHandler.newFactory());
    }

    /**
     * Opens the port.
     *
     * @throws IOException if it cannot be opened
     */
    InetSocketAddress start(String address, int port) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(threads)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new IdleStateHandler(IDLE_SECONDS, 0, 0))
                                .addLast(new Counted())
                                .addLast(new HttpServerCodec(HEADER_MAX, HEADER_MAX, HEADER_MAX))
                                .addLast(new HttpServerKeepAliveHandler())
                                .addLast(new HttpObjectAggregator(BODY_MAX, true))
                                .addLast(new FlowControlHandler())
                                .addLast(handler);
                    }
                })
                .bind(address, port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "cannot listen on " + address + ":" + port + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        listening = bound.channel();
        return (InetSocketAddress) bound.channel().localAddress();
    }

    /** Closes one that is too many, and those that have been silent for long. */
    private final class Counted extends ChannelInboundHandlerAdapter {
        private boolean counted;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            counted = true;
            if (connections.incrementAndGet() > connectionsMax) {
                log.debug("admin connection refused from={}", ctx.channel().remoteAddress());
                ChannelFuture unused =
                        ctx.writeAndFlush(Unpooled.wrappedBuffer(TOO_MANY)).addListener(ChannelFutureListener.CLOSE);
                return;
            }
            ctx.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (counted) {
                counted = false;
                connections.decrementAndGet();
            }
            ctx.fireChannelInactive();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof IdleStateEvent) {
                ChannelFuture unused = ctx.close();
            } else {
                ctx.fireUserEventTriggered(event);
            }
        }
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        threads.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2L * STOP_SECONDS, TimeUnit.SECONDS);
    }
}
