package io.namesrv.server.processor;

import java.time.Clock;

/**
 * The part of a route version that all topics share: the milliseconds of the daemon's start, in base 36, and from a change
 * of settings that alters all answers on those of the change. None comes twice, over restarts too, as long as the
 * wall clock is not set back.
 */
public final class RouteEpoch {
    private final Clock clock;
    private long millis;
    private volatile String current;

    /** Begins now. */
    public RouteEpoch(Clock clock) {
        this.clock = clock;
        this.millis = clock.millis();
        this.current = Long.toString(millis, Character.MAX_RADIX);
    }

    String current() {
        return current;
    }

    /** Begins another one, later than all before it. */
    synchronized void next() {
        millis = Math.max(millis + 1, clock.millis());
        current = Long.toString(millis, Character.MAX_RADIX);
    }
}
