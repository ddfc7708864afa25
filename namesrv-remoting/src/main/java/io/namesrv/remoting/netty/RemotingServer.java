package io.namesrv.remoting.netty;

import io.namesrv.remoting.Admission;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.RequestDispatcher;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening side of the remoting protocol: accepts connections, knows them by number, and stops in order.
 *
 * <p>Requests are decoded on the I/O threads and go to the dispatcher there; what is written back comes from any thread.
 * A server is started once and stopped once.
 */
public final class RemotingServer {
    private static final Logger log = LoggerFactory.getLogger(RemotingServer.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration LAST_WAIT = Duration.ofSeconds(1);

    /** The end of a stop's time in which nothing more is read. */
    private static final Duration WITHOUT_READING = Duration.ofSeconds(1);

    private final SocketOptions options;
    private final Entrance entrance;
    private final ConnectionLimits limits;
    private final RequestDispatcher dispatcher;
    private final ConnectionListener listener;
    private final Admission admission;
    private final ConcurrentMap<Long, NettyConnection> open = new ConcurrentHashMap<>();
    private final OutboundTotal outbound;
    private volatile Consumer<String> died = what -> {};
    private volatile boolean stopping;
    private @Nullable EventLoopGroup acceptor;
    private @Nullable EventLoopGroup workers;
    private @Nullable Channel listening;
    private volatile @Nullable ConnectionCounts counts;

    /** Starts no thread and opens no port. */
    public RemotingServer(
            SocketOptions options,
            Entrance entrance,
            ConnectionLimits limits,
            RequestDispatcher dispatcher,
            ConnectionListener listener,
            Admission admission) {
        this.options = options;
        this.entrance = entrance;
        this.limits = limits;
        this.dispatcher = dispatcher;
        this.listener = listener;
        this.admission = admission;
        this.outbound = new OutboundTotal(limits.together().outbound(), open.values());
    }

    /**
     * Says who is told when one of the threads ends, or the port is closed, and nobody asked for it: connections are lost
     * then, or no more come, for as long as this process lives.
     *
     * @param told what has ended; called at most a few times, on any thread
     */
    public void onDeath(Consumer<String> told) {
        died = told;
    }

    /**
     * Binds and begins to accept.
     *
     * @return the address it listens on, with the port that the system chose if it was left to it
     * @throws IOException if it cannot be bound; nothing is left running then
     */
    public InetSocketAddress start() throws IOException {
        Transport transport = Transport.best(options.nativeTransport());
        acceptor = transport.threads("namesrv-accept", 1);
        workers = transport.threads("namesrv-io", options.selectorThreads());
        ConnectionCounts ofThisStart = counts();
        counts = ofThisStart;
        ChannelFuture bound = bootstrap(transport, acceptor, workers, ofThisStart)
                .bind(options.bindAddress(), options.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stopThreads(Duration.ZERO);
            throw new IOException(
                    "cannot listen on " + options.bindAddress() + ":" + options.port() + ": " + reason(bound.cause()),
                    bound.cause());
        }
        listening = bound.channel();
        listening.closeFuture().addListener(closed -> lost("the listening port"));
        watch(acceptor, "the thread that accepts connections");
        watch(workers, "a thread that reads and writes connections");
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        log.info("listening address={} transport={} threads={}", address, transport, options.selectorThreads());
        return address;
    }

    private ConnectionCounts counts() {
        int byFiles = Descriptors.connections();
        int most = Math.min(limits.together().connections(), byFiles);
        if (most < limits.together().connections()) {
            log.info("the system's limit of open files leaves room for connections={}", byFiles);
        }
        return new ConnectionCounts(most, limits.together().connectionsPerIp());
    }

    /** Bytes that the buffers of all connections may take outside of the heap. */
    public static long directMemoryMax() {
        return PlatformDependent.maxDirectMemory();
    }

    /** Connections that were closed as soon as they were accepted, because there were too many. */
    public long refusedConnections() {
        ConnectionCounts known = counts;
        return known == null ? 0 : known.refused();
    }

    /** Bytes of answers that wait to be sent, of all connections together. */
    public long outbound() {
        return outbound.bytes();
    }

    /** Bytes of answers that were sent since the start, about. */
    public long sentSoFar() {
        return outbound.sentSoFar();
    }

    private void watch(EventLoopGroup threads, String what) {
        for (EventExecutor thread : threads) {
            thread.terminationFuture().addListener(ended -> lost(what));
        }
    }

    /** All its threads; for tests, which end one. */
    Iterable<EventExecutor> threads() {
        List<EventExecutor> threads = new ArrayList<>();
        Objects.requireNonNull(acceptor, "not started").forEach(threads::add);
        Objects.requireNonNull(workers, "not started").forEach(threads::add);
        return threads;
    }

    private void lost(String what) {
        if (!stopping) {
            died.accept(what);
        }
    }

    /** The connections that are open now: a view that changes with them. */
    public Collection<Connection> connections() {
        return Collections.unmodifiableCollection(open.values());
    }

    /** Closes a connection; false if there is none of this number any more. */
    public boolean close(long connectionId, CloseReason reason) {
        NettyConnection connection = open.get(connectionId);
        if (connection == null) {
            return false;
        }
        connection.close(reason);
        return true;
    }

    /** Closes the listening port; connections go on. Idempotent. */
    public void stopAccepting() {
        stopping = true;
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
    }

    /**
     * Stops: accepts no more, waits until what was taken is answered and sent, closes all, and ends the I/O threads. What
     * comes in during the wait is taken too, but callers that know code 1500 are told to go away; in the last second of it
     * nothing is read. Each connection's end is on its way through its {@link io.namesrv.remoting.ConnectionOrder} then, so
     * lanes are to be closed afterwards. Idempotent.
     *
     * @param limit the longest wait for answers, a second or more; at most two seconds more go into the closing
     * @return whether everything that was taken has been answered
     */
    public boolean stop(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        stopAccepting();
        dispatcher.sendAway();
        waitFor(() -> pending() == 0, deadline - WITHOUT_READING.toNanos());
        open.values().forEach(NettyConnection::stopReading);
        boolean answered = waitFor(() -> pending() == 0, deadline);
        boolean closed = waitFor(this::closeAllAfterAnswers, deadline);
        if (!closed) {
            open.values().forEach(connection -> connection.close(CloseReason.SHUTDOWN));
            waitFor(open::isEmpty, System.nanoTime() + LAST_WAIT.toNanos());
        }
        stopThreads(LAST_WAIT);
        return answered && closed;
    }

    /** Also those that were accepted last of all and open only now; true when none is left. */
    private boolean closeAllAfterAnswers() {
        open.values().stream()
                .filter(NettyConnection::isOpen)
                .forEach(connection -> connection.closeAfterAnswers(CloseReason.SHUTDOWN));
        return open.isEmpty();
    }

    /** Requests of all open connections that were taken and have no answer yet. */
    public int pending() {
        int sum = 0;
        for (NettyConnection connection : open.values()) {
            sum += connection.pending();
        }
        return sum;
    }

    /** The words of the system, without the name and number that Netty's native transport puts before them. */
    private static String reason(Throwable cause) {
        if (cause instanceof UnresolvedAddressException) {
            return "no such address (bindAddress)";
        }
        String words = String.valueOf(cause.getMessage()).replaceFirst("^.*failed with error\\(-?\\d+\\): ", "");
        return words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }

    private ServerBootstrap bootstrap(
            Transport transport, EventLoopGroup accepting, EventLoopGroup working, ConnectionCounts bounded) {
        ByteBufAllocator allocator =
                options.pooledBuffers() ? PooledByteBufAllocator.DEFAULT : UnpooledByteBufAllocator.DEFAULT;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(accepting, working)
                .channel(transport.listeningChannel())
                .option(ChannelOption.SO_BACKLOG, options.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(options.lowWaterMark(), options.highWaterMark()))
                .handler(new AcceptGate(bounded, entrance.proxyProtocolFrom()))
                .childHandler(new ConnectionInitializer(
                        entrance, limits, dispatcher, listener, admission, open, bounded, outbound));
        if (options.sendBuffer() > 0) {
            bootstrap.childOption(ChannelOption.SO_SNDBUF, options.sendBuffer());
        }
        if (options.receiveBuffer() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, options.receiveBuffer());
            bootstrap.childOption(ChannelOption.SO_RCVBUF, options.receiveBuffer());
        }
        return bootstrap;
    }

    private void stopThreads(Duration limit) {
        stopping = true;
        List<Future<?>> ends = new ArrayList<>();
        for (EventLoopGroup threads : new @Nullable EventLoopGroup[] {acceptor, workers}) {
            if (threads != null) {
                ends.add(threads.shutdownGracefully(0, limit.toMillis(), TimeUnit.MILLISECONDS));
            }
        }
        long deadline = System.nanoTime() + limit.plus(limit).toNanos();
        for (Future<?> end : ends) {
            end.awaitUninterruptibly(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
    }

    private static boolean waitFor(BooleanSupplier condition, long deadline) {
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
