package io.namesrv.remoting.protocol;

/** Bytes that are no JSON, or JSON outside of {@link JsonBounds}. Carries no stack trace; quotes nothing of the peer. */
public final class MalformedJsonException extends Exception {
    MalformedJsonException(String problem, int at) {
        super(problem + " at byte " + at, null, false, false);
    }
}
