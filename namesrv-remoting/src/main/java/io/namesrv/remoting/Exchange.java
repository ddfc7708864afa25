package io.namesrv.remoting;

import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request on its way to its one answer: what comes first counts, and whatever comes later is dropped. */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(RequestDispatcher.class);

    /** What is the same for all exchanges of a dispatcher. */
    record Frame(RequestObserver observer, int protocolVersion, LongSupplier nanoTime, LogLimiter failures) {
        Frame(RequestObserver observer, int protocolVersion, LongSupplier nanoTime) {
            this(observer, protocolVersion, nanoTime, new LogLimiter(20, Duration.ofSeconds(10)));
        }
    }

    private final Frame frame;
    private final RequestContext context;
    private volatile RemotingCommand request;
    private final String lane;
    private final AnswerSink sink;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile long began;
    private volatile boolean running;
    private volatile long heldAt;
    private volatile boolean held;

    Exchange(Frame frame, RequestContext context, RemotingCommand request, String lane, AnswerSink sink) {
        this.frame = frame;
        this.context = context;
        this.request = request;
        this.lane = lane;
        this.sink = sink;
    }

    RequestContext context() {
        return context;
    }

    RemotingCommand request() {
        return request;
    }

    /** Notes that the wait is over; tells how long it was, in nanoseconds. */
    long begin() {
        began = frame.nanoTime.getAsLong();
        return began - context.arrivedNanos();
    }

    /** Notes that the processor is called now. */
    void run() {
        running = true;
    }

    /** Notes that the answer is held back: it may take its time from now on, and keeps nothing of the request. */
    void hold() {
        heldAt = frame.nanoTime.getAsLong();
        held = true;
        request = request.withoutContent();
        sink.held();
    }

    void succeed(@Nullable RemotingCommand answer) {
        finish(Objects.requireNonNull(answer, "a processor answered null"));
    }

    void refuse(int code, String remark) {
        finish(RemotingCommand.error(code, remark));
    }

    void fail(Throwable cause) {
        Throwable failure = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
        if (failure instanceof CommandException refused) {
            refuse(refused.code(), refused.remark());
            return;
        }
        int leftOut = frame.failures.leftOutOrSkip();
        if (leftOut >= 0) {
            log.error(
                    "request failed code={} from={} unlogged={}",
                    RequestCode.name(request.code()),
                    context,
                    leftOut,
                    failure);
        }
        refuse(ResponseCode.SYSTEM_ERROR, describe(failure));
    }

    /** Takes what a stage was completed with. */
    void settle(@Nullable RemotingCommand answer, @Nullable Throwable failure) {
        if (failure != null) {
            fail(failure);
        } else if (answer == null) {
            fail(new NullPointerException("a processor answered null"));
        } else {
            finish(answer);
        }
    }

    /** Says what kind of thing went wrong, without the names of our classes. */
    private static String describe(Throwable failure) {
        return failure instanceof StackOverflowError
                ? "the request is nested too deeply"
                : "the name server failed to carry out the request";
    }

    private void finish(RemotingCommand answer) {
        if (!finished.compareAndSet(false, true)) {
            log.warn("a second answer to one request was dropped code={} from={}", request.code(), context);
            answer.release();
            return;
        }
        int result = answer.code();
        if (request.isOneway()) {
            answer.release();
            sink.nothing();
        } else {
            sink.answer(answer.answering(request, frame.protocolVersion));
        }
        observe(result);
    }

    private void observe(int result) {
        long now = frame.nanoTime.getAsLong();
        long waited = (running ? began : now) - context.arrivedNanos();
        long ran = running ? (held ? heldAt : now) - began : 0;
        try {
            frame.observer.observed(
                    new RequestOutcome(context, request.code(), lane, waited, ran, result, request.isOneway()));
        } catch (RuntimeException broken) {
            log.error("the request observer failed", broken);
        }
    }
}
