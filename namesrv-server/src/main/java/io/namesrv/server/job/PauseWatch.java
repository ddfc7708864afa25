package io.namesrv.server.job;

import io.namesrv.core.PauseClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ticks the clock of liveness, and says in the log when this process had been stopped. */
public final class PauseWatch implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(PauseWatch.class);

    private final PauseClock clock;
    private long said;

    public PauseWatch(PauseClock clock) {
        this.clock = clock;
    }

    /** One tick. */
    @Override
    public synchronized void run() {
        clock.tick();
        PauseClock.Reading now = clock.read();
        if (now.pauses() != said) {
            said = now.pauses();
            log.warn(
                    "this process did not run for a while: pauseMs={} pauses={}; no broker is evicted for graceMs={}, and"
                            + " those whose connections end meanwhile stay provisionally",
                    now.lastPauseMillis(),
                    now.pauses(),
                    PauseClock.GRACE_MILLIS);
        }
    }
}
