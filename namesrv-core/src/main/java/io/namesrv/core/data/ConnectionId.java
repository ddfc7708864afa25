package io.namesrv.core.data;

/**
 * A connection as the tables know it: a number the server hands out on accept and never uses twice.
 *
 * @param value the number, from 1 on
 */
public record ConnectionId(long value) {
    /** No connection: that of a broker which was remembered over a restart. */
    public static final ConnectionId NONE = new ConnectionId(0);
}
