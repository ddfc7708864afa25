package io.namesrv.remoting;

/** Told of every accepted connection, once when it opens and once when it has ended. */
public interface ConnectionListener {
    /** A listener that does nothing. */
    ConnectionListener NONE = new ConnectionListener() {
        @Override
        public void opened(Connection connection) {}

        @Override
        public void closed(Connection connection, CloseReason reason) {}
    };

    /** Called on the I/O thread before the first request of the connection; must not block. */
    void opened(Connection connection);

    /**
     * Called in the order of the connection ({@link ConnectionOrder}): after every ordered request that came over it
     * has been carried out, exactly once, on the lane of the ordered requests.
     */
    void closed(Connection connection, CloseReason reason);

    /** Both: this one is told first. */
    default ConnectionListener and(ConnectionListener next) {
        ConnectionListener first = this;
        return new ConnectionListener() {
            @Override
            public void opened(Connection connection) {
                first.opened(connection);
                next.opened(connection);
            }

            @Override
            public void closed(Connection connection, CloseReason reason) {
                first.closed(connection, reason);
                next.closed(connection, reason);
            }
        };
    }
}
