package io.namesrv.server.processor;

import io.namesrv.remoting.Connection;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One query whose answer is held back. Equal to itself alone. */
final class RouteWaiter {
    private final RouteQuery query;
    private final RouteVersion known;
    private final Connection connection;
    private final HeldAnswer answer = new HeldAnswer();
    private volatile @Nullable Future<?> timeout;

    /** Whether its turn to be looked at is coming. */
    final AtomicBoolean due = new AtomicBoolean();

    /** Whether its connection has to take other answers first. */
    final AtomicBoolean aside = new AtomicBoolean();

    RouteWaiter(RouteQuery query, RouteVersion known, Connection connection) {
        this.query = query;
        this.known = known;
        this.connection = connection;
    }

    RouteQuery query() {
        return query;
    }

    String topic() {
        return query.topic();
    }

    /** The version that its caller has. */
    RouteVersion known() {
        return known;
    }

    Connection connection() {
        return connection;
    }

    HeldAnswer answer() {
        return answer;
    }

    boolean isAnswered() {
        return answer.isDone();
    }

    /** Says what ends the wait at the latest. */
    void endsWith(Future<?> ending) {
        timeout = ending;
        if (isAnswered()) {
            ending.cancel(false);
        }
    }

    /** Answers, on this thread; once it has been taken out of the index, so that nobody else does. */
    void finish(Supplier<RemotingCommand> maker) {
        cancelTimeout();
        CompletableFuture<RemotingCommand> unused = answer.completeAsync(maker, Runnable::run);
    }

    /** Ends with its connection: nobody is there to be answered. */
    void end() {
        cancelTimeout();
        answer.completeExceptionally(new CommandException(ResponseCode.SYSTEM_ERROR, "the connection has ended"));
    }

    private void cancelTimeout() {
        Future<?> ending = timeout;
        if (ending != null) {
            ending.cancel(false);
        }
    }
}
