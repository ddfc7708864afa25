package io.namesrv.server.processor;

/** There is no room now for what a request has grown to, and may be soon. Without a stack: a flood can cause many. */
final class NoRoomException extends RuntimeException {
    private final long held;

    /** @param held the bytes that it had grown to */
    NoRoomException(long held) {
        super("no room beyond " + held + " bytes", null, false, false);
        this.held = held;
    }

    /** The bytes that the request had grown to. */
    long held() {
        return held;
    }
}
