package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;

/**
 * The event that there is no going on with a connection, which is to be closed.
 *
 * @param reason the kind of trouble
 * @param detail what was found, for a log; quotes nothing of the peer
 */
record Condemned(CloseReason reason, String detail) {}
