package io.namesrv.remoting.netty;

import io.namesrv.remoting.Admission;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestDispatcher;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts the pipeline of an accepted connection together, from the network inwards: frames in, frames out, requests. In front
 * stands what looks at the first bytes of a connection: for a PROXY header where the sender may send one, then for TLS.
 */
final class ConnectionInitializer extends ChannelInitializer<SocketChannel> {
    /** Reads of one connection before it is the turn of others; Netty's own number. */
    private static final int READS_MAX = 16;

    private final Entrance entrance;
    private final ConnectionLimits limits;
    private final RequestDispatcher dispatcher;
    private final ConnectionListener listener;
    private final Admission admission;
    private final ConcurrentMap<Long, NettyConnection> open;
    private final ConnectionCounts counts;
    private final OutboundTotal outbound;
    private final ConcurrentMap<EventLoop, IdleSweep> sweeps = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final FrameEncoder encoder = new FrameEncoder();
    private final RecvByteBufAllocator reads = new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_MAX);
    private final LogLimiter badPeers = new LogLimiter(10, Duration.ofSeconds(10));

    ConnectionInitializer(
            Entrance entrance,
            ConnectionLimits limits,
            RequestDispatcher dispatcher,
            ConnectionListener listener,
            Admission admission,
            ConcurrentMap<Long, NettyConnection> open,
            ConnectionCounts counts,
            OutboundTotal outbound) {
        this.entrance = entrance;
        this.limits = limits;
        this.dispatcher = dispatcher;
        this.listener = listener;
        this.admission = admission;
        this.open = open;
        this.counts = counts;
        this.outbound = outbound;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        channel.config().setRecvByteBufAllocator(reads); // each would have one of its own
        NettyConnection connection = new NettyConnection(
                lastId.incrementAndGet(), channel, limits, dispatcher.newOrder(), admission, outbound);
        IdleSweep sweep = sweeps.computeIfAbsent(channel.eventLoop(), loop -> new IdleSweep(loop, limits));
        if (entrance.proxyProtocolFrom().contain(connection.remoteAddress())) {
            channel.pipeline().addLast(new ProxyDetector(connection, counts, entrance.deadline()));
        }
        entrance.tls().ifPresent(tls -> channel.pipeline().addLast(new TlsDetector(tls, entrance.deadline())));
        channel.pipeline()
                .addLast(new FrameDecoder(
                        limits,
                        connection.account(),
                        connection.gate(),
                        connection.idle(),
                        new AnswerBurst(connection, dispatcher)))
                .addLast(encoder)
                .addLast(new ConnectionHandler(connection, dispatcher, listener, open, sweep, badPeers));
    }
}
