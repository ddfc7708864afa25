package io.namesrv.server.daemon;

import io.namesrv.core.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved. */
final class FakeTicker implements Ticker {
    private final AtomicLong millis = new AtomicLong(-500);

    @Override
    public long millis() {
        return millis.get();
    }

    void advance(long by) {
        millis.addAndGet(by);
    }
}
