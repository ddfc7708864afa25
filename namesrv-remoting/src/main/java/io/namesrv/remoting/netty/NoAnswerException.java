package io.namesrv.remoting.netty;

import java.io.IOException;

/** There is no answer to a request, and there will be none. Carries no stack trace, since the network causes it. */
public final class NoAnswerException extends IOException {
    /** Why there is none. */
    public enum Reason {
        /** No connection could be made; the server has not seen the request. */
        NOT_CONNECTED,
        /** The request could not be written. */
        NOT_SENT,
        /** None came in time; what the server did is not known. */
        TIMEOUT,
        /** The connection ended before; what the server did is not known. */
        ENDED,
        /** What came is no answer, or a larger one than is taken. */
        BAD_ANSWER,
        /** Too many requests wait for answers of this server already. */
        TOO_MANY_PENDING,
        /** The client was closed. */
        CLOSED
    }

    private final Reason reason;

    /**
     * @param server whom was asked, {@code host:port}
     * @param detail what was found, for a person
     */
    public NoAnswerException(Reason reason, String server, String detail) {
        super("no answer of " + server + ": " + detail);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
