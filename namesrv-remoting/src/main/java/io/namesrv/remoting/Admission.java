package io.namesrv.remoting;

/** The one point where bytes of peers are let in: charged as they arrive, given back when they are done with. */
public interface Admission {
    /** The account of a new connection. */
    Account open(Connection connection);

    /** What one connection holds: bytes of unfinished frames and of requests without an answer yet. */
    interface Account {
        /**
         * Takes bytes that have arrived.
         *
         * @return false if they break a limit; they are not charged then, and the connection is to be closed
         */
        boolean charge(int bytes);

        /** Gives back bytes that were charged before, also after the end. Called by any thread. */
        void giveBack(int bytes);

        /** The connection has ended. */
        void close();
    }
}
