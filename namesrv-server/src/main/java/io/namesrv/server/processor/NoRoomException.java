package io.namesrv.server.processor;

import io.namesrv.remoting.CountingAdmission;

/** There is no room now for what a request has grown to, and may be soon. Without a stack: a flood can cause many. */
final class NoRoomException extends RuntimeException {
    private final long held;

    /** @param held the bytes that it had grown to */
    NoRoomException(long held) {
        super("no room beyond " + held + " bytes", null, false, false);
        this.held = held;
    }

    /** Charges a request with more; or, where there is no room for it, says how much it had grown to. */
    static void orTake(CountingAdmission.Growth growth, int more) {
        if (!growth.take(more)) {
            throw new NoRoomException(growth.bytes());
        }
    }

    /** The bytes that the request had grown to. */
    long held() {
        return held;
    }
}
