package io.namesrv.remoting;

import java.net.InetSocketAddress;

/**
 * Where a request came from and when.
 *
 * @param connection the connection it came over
 * @param arrivedNanos when its last byte was read, on the scale of {@link System#nanoTime()}
 */
public record RequestContext(Connection connection, long arrivedNanos) {
    /** The number of the connection. */
    public long connectionId() {
        return connection.id();
    }

    /** The address of the peer. */
    public InetSocketAddress remoteAddress() {
        return connection.remoteAddress();
    }

    /** The address of the peer for people. */
    public String remote() {
        return connection.remote();
    }

    /** Whether an answer could still be sent. */
    public boolean isOpen() {
        return connection.isOpen();
    }

    /** The peer's address and the connection's number, for logs. */
    @Override
    public String toString() {
        return remote() + "#" + connectionId();
    }
}
