package io.namesrv.remoting;

import java.util.concurrent.atomic.AtomicInteger;

/** How many requests of one code may wait at a time, and what the next one is told. */
final class WaitingCap {
    private final int limit;
    private final String remark;
    private final AtomicInteger waiting = new AtomicInteger();

    WaitingCap(int limit, String remark) {
        this.limit = limit;
        this.remark = remark;
    }

    String remark() {
        return remark;
    }

    /** Takes a place; false if there is none. */
    boolean enter() {
        if (waiting.incrementAndGet() > limit) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        waiting.decrementAndGet();
    }
}
