package io.namesrv.remoting.netty;

import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one-way requests to brokers over connections of its own, one to each address, kept while they are used.
 *
 * <p>It never waits for an answer and never holds up its caller: everything happens on one thread of its own, where the
 * name of a host is looked up too. What cannot be sent is logged and forgotten. What a broker sends back is thrown away.
 */
public final class OnewaySender {
    private static final Logger log = LoggerFactory.getLogger(OnewaySender.class);

    private final OnewayOptions options;
    private final Semaphore inFlight;
    private final AtomicInteger lastOpaque = new AtomicInteger();
    private final EventLoopGroup thread;
    private final Bootstrap bootstrap;
    private final LogLimiter failures = new LogLimiter(20, Duration.ofSeconds(10));

    /** By address; touched on the sender's thread alone. */
    private final Map<InetSocketAddress, ChannelFuture> connections = new HashMap<>();

    /** From now on nothing is connected or written; touched on the sender's thread alone. */
    private boolean closed;

    /** A sender over plain connections. */
    public OnewaySender(OnewayOptions options) {
        this(options, Optional::empty);
    }

    /**
     * Starts no thread before the first request.
     *
     * @param tls asked for each new connection: the context it uses, or none for a plain one
     */
    public OnewaySender(OnewayOptions options, Supplier<Optional<SslContext>> tls) {
        this.options = options;
        this.inFlight = new Semaphore(options.inFlightMax());
        Transport transport = Transport.best(options.nativeTransport());
        this.thread = transport.threads("namesrv-oneway", 1);
        this.bootstrap = new Bootstrap()
                .group(thread)
                .channel(transport.connectingChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis())
                .handler(new Pipeline(options.idle(), tls, new FrameEncoder()));
    }

    /**
     * Sends a request, on any thread; its opaque, flag, form and version are stamped here. Takes over the body, so that
     * only a request without one can be sent several times.
     *
     * @param address {@code host:port} as a broker registered it
     */
    public void send(String address, RemotingCommand request) {
        Optional<InetSocketAddress> target = HostPort.parse(address);
        RemotingCommand stamped = request.withSerializeType(options.serializeType())
                .withVersion(options.protocolVersion())
                .withOpaque(lastOpaque.incrementAndGet())
                .withFlag(RemotingCommand.FLAG_ONEWAY);
        if (target.isEmpty()) {
            drop(address, stamped, "no address");
        } else if (!inFlight.tryAcquire()) {
            drop(address, stamped, options.inFlightMax() + " requests are on their way already");
        } else {
            try {
                thread.execute(() -> sendOnThread(target.get(), stamped));
            } catch (RejectedExecutionException closed) {
                inFlight.release();
                drop(address, stamped, "closed");
            }
        }
    }

    /** Requests that are on their way now. */
    public int inFlight() {
        return options.inFlightMax() - inFlight.availablePermits();
    }

    /** Closes all connections and ends the thread; what is on its way may be lost. Idempotent. */
    public void close(Duration limit) {
        try {
            thread.execute(this::closeOnThread);
        } catch (RejectedExecutionException before) {
            log.debug("closed already");
        }
        thread.shutdownGracefully(0, limit.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(limit.plusSeconds(1).toMillis());
    }

    /** Lets go of everything while the thread still runs: what begins when it ends is neither sent nor given back. */
    private void closeOnThread() {
        closed = true;
        for (ChannelFuture connection : List.copyOf(connections.values())) {
            ChannelFuture unused = connection.channel().close();
        }
    }

    private void sendOnThread(InetSocketAddress target, RemotingCommand request) {
        if (closed) {
            giveUp(target, request, "closed");
            return;
        }
        ChannelFuture connection = connections.get(target);
        if (connection == null) {
            if (connections.size() >= options.connectionsMax()) {
                giveUp(target, request, "connected to " + connections.size() + " addresses already");
                return;
            }
            connection = connect(target);
        }
        Channel channel = connection.channel();
        connection.addListener(f -> {
            if (!f.isSuccess()) {
                giveUp(target, request, String.valueOf(f.cause().getMessage()));
            } else if (!channel.isActive()) {
                giveUp(target, request, "the connection was just closed");
            } else {
                write(channel, target, request);
            }
        });
    }

    private ChannelFuture connect(InetSocketAddress target) {
        ChannelFuture connection = bootstrap.connect(target);
        connections.put(target, connection);
        connection.addListener(f -> {
            if (!f.isSuccess()) {
                connections.remove(target, connection);
            }
        });
        connection.channel().closeFuture().addListener(f -> connections.remove(target, connection));
        return connection;
    }

    /** A request that is not taken within its time goes down with its connection, which is stuck. */
    private void write(Channel channel, InetSocketAddress target, RemotingCommand request) {
        ChannelFuture written = channel.writeAndFlush(request);
        ScheduledFuture<?> alarm = channel.eventLoop()
                .schedule(
                        () -> {
                            ChannelFuture unused = channel.close();
                        },
                        options.sendTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
        written.addListener(f -> {
            boolean inTime = alarm.cancel(false);
            inFlight.release();
            if (!f.isSuccess()) {
                String problem = inTime ? String.valueOf(f.cause()) : "not taken within " + options.sendTimeout();
                warn(text(target), request, problem);
            }
        });
    }

    private void giveUp(InetSocketAddress target, RemotingCommand request, String problem) {
        inFlight.release();
        drop(text(target), request, problem);
    }

    private void drop(String address, RemotingCommand request, String problem) {
        request.release();
        warn(address, request, problem);
    }

    private static String text(InetSocketAddress target) {
        return target.getHostString() + ":" + target.getPort();
    }

    private void warn(String address, RemotingCommand request, String problem) {
        int leftOut = failures.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "not sent code={} to={} cause={} unlogged={}",
                    RequestCode.name(request.code()),
                    PeerText.inLog(address),
                    PeerText.inLog(problem),
                    leftOut);
        }
    }

    /** What a connection to a broker is made of. */
    private static final class Pipeline extends ChannelInitializer<Channel> {
        private final Duration idle;
        private final Supplier<Optional<SslContext>> tls;
        private final FrameEncoder encoder;

        Pipeline(Duration idle, Supplier<Optional<SslContext>> tls, FrameEncoder encoder) {
            this.idle = idle;
            this.tls = tls;
            this.encoder = encoder;
        }

        @Override
        protected void initChannel(Channel channel) {
            tls.get().ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
            channel.pipeline()
                    .addLast(new IdleStateHandler(0, 0, idle.toMillis(), TimeUnit.MILLISECONDS))
                    .addLast(encoder)
                    .addLast(new Deaf());
        }
    }

    /** Listens to nothing that a broker says. */
    private static final class Deaf extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ReferenceCountUtil.release(msg);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof IdleStateEvent) {
                ChannelFuture unused = ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            log.debug("connection to {} broken cause={}", ctx.channel().remoteAddress(), cause.toString());
            ChannelFuture unused = ctx.close();
        }
    }
}
