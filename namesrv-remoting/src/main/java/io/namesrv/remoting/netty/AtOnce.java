package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderScan;

/** Answers requests as soon as their frames are read. Confined to the connection's I/O thread. */
interface AtOnce {
    /** One that answers nothing. */
    AtOnce NOTHING = new AtOnce() {
        @Override
        public boolean answers(HeaderScan request) {
            return false;
        }

        @Override
        public void endOfBurst() {}
    };

    /** Answers a request if that can be done at once; false if it has to go the long way. */
    boolean answers(HeaderScan request);

    /** What was read has been looked at: the answers are to be sent. */
    void endOfBurst();
}
