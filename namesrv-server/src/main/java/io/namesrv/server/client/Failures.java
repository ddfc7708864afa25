package io.namesrv.server.client;

import io.namesrv.remoting.netty.NoAnswerException;
import io.namesrv.remoting.netty.NoAnswerException.Reason;
import java.util.concurrent.CompletionException;

/** What a failure to get an answer says of the server that was asked. */
final class Failures {
    private Failures() {}

    /** What happened, without the wrapping of futures. */
    static Throwable cause(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        return cause == null ? thrown : cause;
    }

    /** Whether the server fails, so that others are to be preferred for a while. */
    static boolean isOfServer(Throwable cause) {
        return cause instanceof NoAnswerException none
                ? none.reason() != Reason.CLOSED && none.reason() != Reason.TOO_MANY_PENDING
                : cause instanceof RefusedException refused && refused.isTemporary();
    }

    /** Whether another server may know better. */
    static boolean sendsOn(Throwable cause) {
        return isOfServer(cause)
                || (cause instanceof NoAnswerException none && none.reason() == Reason.TOO_MANY_PENDING);
    }
}
