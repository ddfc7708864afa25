package io.namesrv.core.route;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.Silence;
import java.util.OptionalLong;

/**
 * Holds a scan back that would take away more than half of at least four brokers at once: an outage of this host's own
 * network looks just like that. Only if a scan 30 seconds later agrees, it is done.
 */
public final class EvictionBrake {
    private static final int LEAST_BROKERS = 4;
    private static final long HOLD_MILLIS = PauseClock.GRACE_MILLIS;

    private OptionalLong since = OptionalLong.empty();

    /** Whether a scan that finds this at {@code now}, in milliseconds of the clock of liveness, is not to be done. */
    public synchronized boolean holds(Silence silence, long now) {
        boolean many = silence.all() >= LEAST_BROKERS && silence.expired() > silence.all() / 2;
        if (!many) {
            since = OptionalLong.empty();
            return false;
        }
        if (since.isEmpty()) {
            since = OptionalLong.of(now);
        }
        return now - since.getAsLong() < HOLD_MILLIS;
    }
}
