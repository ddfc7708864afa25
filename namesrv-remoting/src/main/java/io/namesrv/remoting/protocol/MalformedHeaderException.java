package io.namesrv.remoting.protocol;

/**
 * A header that cannot be read, so that there is no request to answer: the connection has to be closed.
 *
 * <p>Carries no stack trace; its message is for a log and quotes nothing of the peer.
 */
public final class MalformedHeaderException extends Exception {
    MalformedHeaderException(String problem) {
        super(problem, null, false, false);
    }
}
