package io.namesrv.server.processor;

import io.namesrv.remoting.AsyncRequestProcessor;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out registrations as far as there is room for what their bodies inflate to. One for which there is none begins
 * anew once others have given some back, and holds neither a thread nor any of it while it waits; after three seconds it
 * is answered with code 2.
 */
final class PatientRegistration implements AsyncRequestProcessor {
    private static final Logger log = LoggerFactory.getLogger(PatientRegistration.class);

    /** Waited for beyond what was there and a quarter of it, so that few attempts are made. */
    private static final long STEP = 1 << 20;

    /** One attempt; it may end with a {@link NoRoomException}, and has changed nothing then. */
    @FunctionalInterface
    interface Attempt {
        RemotingCommand run(RequestContext context, RemotingCommand request, CountingAdmission.Growth growth)
                throws CommandException;
    }

    private final Attempt attempt;
    private final CountingAdmission admission;
    private final Executor lane;
    private final Duration patience;
    private final LogLimiter warnings = new LogLimiter(10, Duration.ofSeconds(10));

    /**
     * Waits for no one yet.
     *
     * @param lane where attempts after the first run
     * @param patience the longest wait
     */
    PatientRegistration(Attempt attempt, CountingAdmission admission, Executor lane, Duration patience) {
        this.attempt = attempt;
        this.admission = admission;
        this.lane = lane;
        this.patience = patience;
    }

    @Override
    public CompletionStage<RemotingCommand> process(RequestContext context, RemotingCommand request)
            throws CommandException {
        return attempt(context, request, System.nanoTime());
    }

    private CompletableFuture<RemotingCommand> attempt(RequestContext context, RemotingCommand request, long began)
            throws CommandException {
        long held;
        try (CountingAdmission.Growth growth = admission.growth()) {
            return CompletableFuture.completedFuture(attempt.run(context, request, growth));
        } catch (NoRoomException full) {
            held = full.held();
        }
        Duration left = patience.minusNanos(System.nanoTime() - began);
        if (left.toMillis() <= 0) {
            throw busy(context);
        }
        return admission
                .whenFree(held + held / 4 + STEP, left)
                .thenComposeAsync(free -> again(context, request, began, free), lane);
    }

    private CompletableFuture<RemotingCommand> again(
            RequestContext context, RemotingCommand request, long began, boolean free) {
        try {
            if (!free) {
                throw busy(context);
            }
            return attempt(context, request, began);
        } catch (CommandException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CommandException busy(RequestContext context) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "register refused, no room to inflate it from={} received={} raise=registrationInFlightMax"
                            + " unlogged={}",
                    context,
                    admission.total(),
                    leftOut);
        }
        return new CommandException(
                ResponseCode.SYSTEM_BUSY,
                "[OVERLOAD]system busy, no room for the registration (registrationInFlightMax)");
    }
}
