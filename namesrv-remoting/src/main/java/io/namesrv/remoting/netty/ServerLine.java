package io.namesrv.remoting.netty;

import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The line to one server: at most one connection, made when something is asked and there is none, closed when it is idle.
 * Requests share it, and their answers may come in any order.
 */
public final class ServerLine {
    private final String address;
    private final InetSocketAddress server;
    private final ClientOptions options;
    private final EventLoop thread;
    private final Dialer dialer;
    private final Semaphore room;

    /** Touched on the client's thread alone. */
    private @Nullable ClientConnection connection;

    private boolean closed;

    ServerLine(String address, InetSocketAddress server, ClientOptions options, EventLoop thread, Dialer dialer) {
        this.address = address;
        this.server = server;
        this.options = options;
        this.thread = thread;
        this.dialer = dialer;
        this.room = new Semaphore(options.pendingMax());
    }

    /** The server as it was named, {@code host:port}. */
    public String address() {
        return address;
    }

    /** Requests without an answer yet. */
    public int pending() {
        return options.pendingMax() - room.availablePermits();
    }

    /**
     * Asks, on any thread; number, flag, form and version of the request are stamped here, and its body is taken over.
     *
     * @param timeout the longest to wait, the making of a connection included
     * @return the answer, whatever its code, or {@link NoAnswerException}; completed on the client's thread, which must
     *     not be held up
     */
    public CompletableFuture<TimedAnswer> ask(RemotingCommand request, Duration timeout) {
        RemotingCommand stamped = request.withSerializeType(options.serializeType())
                .withVersion(options.protocolVersion())
                .withFlag(0);
        if (!room.tryAcquire()) {
            stamped.release();
            return CompletableFuture.failedFuture(new NoAnswerException(
                    Reason.TOO_MANY_PENDING, address, options.pendingMax() + " requests wait for one already"));
        }
        Question question = new Question(address, stamped, timeout, room::release);
        CompletableFuture<TimedAnswer> answer = question.future();
        if (!handOver(question)) {
            question.fail(Reason.CLOSED, "the client is closed");
        }
        return answer;
    }

    /** Whatever is handed over comes before the end of the thread, which would lose it without a word. */
    private synchronized boolean handOver(Question question) {
        if (!closed) {
            thread.execute(() -> askOnThread(question));
        }
        return !closed;
    }

    private void askOnThread(Question question) {
        if (connection == null || connection.isOver()) {
            connection = dialer.dial(server);
        }
        connection.ask(question);
    }

    /** Takes no more questions; those that it took fail. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            thread.execute(this::closeOnThread);
        }
    }

    private void closeOnThread() {
        if (connection != null) {
            connection.end(Reason.CLOSED, "the client was closed");
        }
    }
}
