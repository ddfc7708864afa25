package io.namesrv.remoting.netty;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks servers and waits for their answers, over one {@linkplain ServerLine line} to each. Everything happens on one
 * thread, where the name of a host is looked up too; it starts with the first request.
 */
public final class RemotingClient implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final ClientOptions options;
    private final EventLoopGroup threads;
    private final EventLoop thread;
    private final Dialer dialer;
    private final List<ServerLine> lines = new ArrayList<>();
    private boolean closed;

    /**
     * Starts no thread yet.
     *
     * @param tls asked for each new connection: the context it uses, or none for a plain one
     */
    public RemotingClient(ClientOptions options, Supplier<Optional<SslContext>> tls) {
        this.options = options;
        Transport transport = Transport.best(options.nativeTransport());
        this.threads = transport.threads("namesrv-client", 1);
        this.thread = threads.next();
        this.dialer = new Dialer(thread, transport.connectingChannel(), options, tls);
    }

    /**
     * A line to a server, which lasts as long as this client; connects nothing yet.
     *
     * @param address {@code host:port}
     * @throws IllegalArgumentException if it is none
     * @throws IllegalStateException if the client was closed
     */
    public synchronized ServerLine line(String address) {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        ServerLine line = new ServerLine(
                address,
                HostPort.parse(address)
                        .orElseThrow(() ->
                                new IllegalArgumentException("no address: " + address + " (expected: host:port)")),
                options,
                thread,
                dialer);
        lines.add(line);
        return line;
    }

    /** Fails what is asked, closes all connections and ends the thread. Idempotent; for any thread. */
    @Override
    public void close() {
        closeLines();
        if (!thread.inEventLoop()) {
            threads.terminationFuture()
                    .awaitUninterruptibly(CLOSING.plusSeconds(1).toMillis());
        }
    }

    /** The thread ends behind what it was given before: one that is about to end does not connect any more. */
    private synchronized void closeLines() {
        if (!closed) {
            closed = true;
            lines.forEach(ServerLine::close);
            thread.execute(() -> {
                Future<?> unused = threads.shutdownGracefully(0, CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            });
        }
    }
}
