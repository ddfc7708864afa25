package io.namesrv.remoting;

/** Why a connection ended. */
public enum CloseReason {
    /** The peer closed it, half or whole, or the network did. */
    PEER,
    /** Nothing came or went for the idle time. */
    IDLE,
    /** The peer sent what is no frame or has no readable header. */
    BAD_FRAME,
    /** A limit on bytes or time was broken. */
    LIMIT,
    /** The peer asks and does not read the answers. */
    SLOW_READER,
    /** Its broker was removed and nobody else lives on it. */
    EVICTED,
    /** The daemon stops. */
    SHUTDOWN,
    /** A fault of ours. */
    ERROR
}
