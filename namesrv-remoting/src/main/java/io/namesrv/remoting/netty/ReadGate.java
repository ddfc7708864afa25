package io.namesrv.remoting.netty;

import io.netty.channel.Channel;

/**
 * Whether a connection is being read: not as long as there is one reason or more against it. Confined to the
 * connection's I/O thread.
 */
final class ReadGate {
    /** The event, from the head of the pipeline, that what was read and left lying may be looked at. */
    static final Object OPENED = new Object();

    /** Reasons to stop reading; one bit each. */
    static final int TOO_MANY_PENDING = 1;

    static final int ANSWERS_UNREAD = 2;
    static final int STOPPING = 4;

    private final Channel channel;
    private int reasons;

    ReadGate(Channel channel) {
        this.channel = channel;
    }

    boolean isOpen() {
        return reasons == 0;
    }

    boolean isClosedFor(int reason) {
        return (reasons & reason) != 0;
    }

    void close(int reason) {
        reasons |= reason;
        channel.config().setAutoRead(false);
    }

    /** Takes one reason away. Reading goes on a little later, not from within the call. */
    void open(int reason) {
        boolean wasOpen = isOpen();
        reasons &= ~reason;
        if (!wasOpen && isOpen()) {
            channel.eventLoop().execute(this::goOn);
        }
    }

    /** First what has been read already; it may close the gate again. */
    private void goOn() {
        if (isOpen()) {
            channel.pipeline().fireUserEventTriggered(OPENED);
        }
        if (isOpen()) {
            channel.config().setAutoRead(true);
        }
    }
}
