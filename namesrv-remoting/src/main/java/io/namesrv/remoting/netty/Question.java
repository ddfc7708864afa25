package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A request to a server until it is answered, or until it is certain that it will not be. Confined to one thread. */
final class Question {
    private final String server;
    private final RemotingCommand request;
    private final Duration timeout;
    private final Runnable over;
    private final CompletableFuture<TimedAnswer> future = new CompletableFuture<>();
    private boolean sent;
    private long sentNanos;
    private @Nullable Future<?> alarm;

    /**
     * @param request its body is released if it is not sent
     * @param over run once, before anybody hears of the outcome
     */
    Question(String server, RemotingCommand request, Duration timeout, Runnable over) {
        this.server = server;
        this.request = request;
        this.timeout = timeout;
        this.over = over;
    }

    /** Of the caller, who cannot end the question by it. */
    CompletableFuture<TimedAnswer> future() {
        return future.copy();
    }

    Duration timeout() {
        return timeout;
    }

    /** Ends with the question. */
    void alarm(Future<?> ringing) {
        alarm = ringing;
    }

    /** The request, to be written now under this number. */
    RemotingCommand send(int opaque, long nowNanos) {
        sent = true;
        sentNanos = nowNanos;
        return request.withOpaque(opaque);
    }

    /** Whether it was sent, and the server last heard of before that. */
    boolean isUnheardOf(long heardNanos) {
        return sent && heardNanos - sentNanos <= 0;
    }

    void answer(RemotingCommand answer, long nowNanos) {
        end();
        future.complete(new TimedAnswer(answer, Duration.ofNanos(nowNanos - sentNanos)));
    }

    void fail(NoAnswerException.Reason reason, String detail) {
        end();
        if (!sent) {
            request.release();
        }
        future.completeExceptionally(new NoAnswerException(reason, server, detail));
    }

    private void end() {
        if (alarm != null) {
            alarm.cancel(false);
        }
        over.run();
    }
}
