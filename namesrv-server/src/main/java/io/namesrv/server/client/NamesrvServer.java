package io.namesrv.server.client;

import io.namesrv.core.Ticker;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.netty.NoAnswerException;
import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.netty.ServerLine;
import io.namesrv.remoting.netty.TimedAnswer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One name server of a client's list: the line to it, and how it answers. For any thread. */
final class NamesrvServer {
    private final ServerLine line;
    private final Ticker ticker;
    private final NamesrvClientOptions options;
    private ServerHealth health = ServerHealth.UNKNOWN;

    NamesrvServer(ServerLine line, Ticker ticker, NamesrvClientOptions options) {
        this.line = line;
        this.ticker = ticker;
        this.options = options;
    }

    String address() {
        return line.address();
    }

    synchronized ServerHealth health() {
        return health;
    }

    /** Asks it, and notes how it answers before the caller hears of it. */
    <T> CompletableFuture<Answer<T>> ask(Ask<T> ask) {
        return line.ask(ask.request(address()), ask.timeout())
                .thenCompose(answer -> read(ask, answer))
                .whenComplete((answer, thrown) -> note(ask, answer, thrown));
    }

    /** Asks it that if it is time to measure it. */
    void measure(Ask<?> probe) {
        if (takesTurn()) {
            CompletableFuture<?> unused = ask(probe);
        }
    }

    private synchronized boolean takesTurn() {
        long now = ticker.millis();
        boolean due = health.isDue(now, options);
        if (due) {
            health = health.trying(now);
        }
        return due;
    }

    private <T> CompletableFuture<Answer<T>> read(Ask<T> ask, TimedAnswer answer) {
        try {
            Refusals.throwIfTemporary(address(), ask.code(), answer.command());
            T value = ask.reader().read(address(), answer.command());
            return CompletableFuture.completedFuture(new Answer<>(address(), value, answer.took()));
        } catch (IOException refused) {
            return CompletableFuture.failedFuture(refused);
        } catch (JsonFormatException malformed) {
            return CompletableFuture.failedFuture(
                    new NoAnswerException(Reason.BAD_ANSWER, address(), String.valueOf(malformed.getMessage())));
        }
    }

    private synchronized void note(Ask<?> ask, @Nullable Answer<?> answer, @Nullable Throwable thrown) {
        long now = ticker.millis();
        if (answer != null) {
            health = ask.measured() ? health.measured(answer.took(), now) : health.answered();
        } else if (thrown != null && Failures.isOfServer(Failures.cause(thrown))) {
            health = health.failed(now);
        } else if (thrown != null && Failures.cause(thrown) instanceof RefusedException) {
            health = health.answered();
        }
    }
}
