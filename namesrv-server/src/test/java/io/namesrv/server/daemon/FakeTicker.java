package io.namesrv.server.daemon;

import io.namesrv.core.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until it is moved: with the daemon running meanwhile, or without it. */
final class FakeTicker implements Ticker {
    private static final long STEP = 4_000;

    private volatile Runnable running = () -> {};
    private final AtomicLong millis = new AtomicLong(-500);

    @Override
    public long millis() {
        return millis.get();
    }

    /** Time in which the daemon runs. */
    void advance(long by) {
        for (long left = by; left > 0; left -= STEP) {
            millis.addAndGet(Math.min(left, STEP));
            running.run();
        }
    }

    /** Time in which it does not. */
    void pause(long by) {
        running.run();
        millis.addAndGet(by);
    }

    /** Says what the daemon does again and again while it runs. */
    void whileRunning(Runnable task) {
        running = task;
    }
}
