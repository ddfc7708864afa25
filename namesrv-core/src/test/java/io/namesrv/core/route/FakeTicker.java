package io.namesrv.core.route;

import io.namesrv.core.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is told otherwise. Safe for use by several threads. */
final class FakeTicker implements Ticker {
    private final AtomicLong now;

    FakeTicker() {
        this(1_000);
    }

    FakeTicker(long start) {
        this.now = new AtomicLong(start);
    }

    @Override
    public long millis() {
        return now.get();
    }

    void advance(long millis) {
        now.addAndGet(millis);
    }
}
