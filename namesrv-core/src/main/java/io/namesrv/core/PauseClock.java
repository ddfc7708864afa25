package io.namesrv.core;

/**
 * The clock of liveness of a process that may be stopped and go on: by SIGSTOP, a migration of its machine, a long
 * collection. It could not hear anybody meanwhile, so that time does not count: the clock stands still for it.
 *
 * <p>Somebody has to call {@link #tick} every half a second or so. A reading that comes more than {@value #GAP_MILLIS} ms
 * after the last tick has found a pause, whoever takes it: what happens first after a pause may well come before the next
 * tick. Before the first tick no pause is found. After a pause there is a grace of {@value #GRACE_MILLIS} ms, one
 * heartbeat interval, in which brokers may come back. May be used by any thread.
 */
public final class PauseClock implements Ticker {
    /** A longer time without a tick is a pause. */
    public static final long GAP_MILLIS = 5_000;

    /** How long the grace after a pause is. */
    public static final long GRACE_MILLIS = 30_000;

    /**
     * One look at the clock.
     *
     * @param millis the time, in which pauses do not count
     * @param pauses how many there have been
     * @param resumedAt the time of the last of them; nothing if there was none
     * @param lastPauseMillis its length; 0 if there was none
     */
    public record Reading(long millis, long pauses, long resumedAt, long lastPauseMillis) {
        /** Whether a pause has ended so short a time ago that nobody may be judged by what happens now. */
        public boolean inGrace() {
            return pauses > 0 && millis - resumedAt <= GRACE_MILLIS;
        }

        /** Milliseconds that a deadline is moved which began at {@code then}: the grace, if a pause has come since. */
        public long extraFor(long then) {
            return pauses > 0 && then - resumedAt <= 0 ? GRACE_MILLIS : 0;
        }
    }

    /** What is known as of the last tick. Times without a name are of the ticker below. */
    private record State(boolean ticking, long lastTick, long pausedMillis, Reading reading) {
        State tickedAt(long now) {
            if (ticking && now - lastTick <= 0) {
                return this;
            }
            return new State(true, now, pausedMillis, reading);
        }

        State pausedUntil(long now) {
            long length = now - lastTick;
            long resumedAt = lastTick - pausedMillis;
            return new State(
                    true, now, pausedMillis + length, new Reading(resumedAt, reading.pauses + 1, resumedAt, length));
        }

        boolean isPause(long now) {
            return ticking && now - lastTick > GAP_MILLIS;
        }

        Reading at(long now) {
            return new Reading(now - pausedMillis, reading.pauses, reading.resumedAt, reading.lastPauseMillis);
        }
    }

    private final Ticker ticker;

    /** Replaced as a whole, by one thread at a time. */
    private volatile State state = new State(false, 0, 0, new Reading(0, 0, 0, 0));

    public PauseClock(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Says that the process runs. */
    public synchronized void tick() {
        long now = ticker.millis();
        state = state.isPause(now) ? state.pausedUntil(now) : state.tickedAt(now);
    }

    /** The time now, after a look whether there was a pause. */
    public Reading read() {
        State known = state; // before the time: a state that is newer than the time would set it back
        long now = ticker.millis();
        return known.isPause(now) ? readAfterPause() : known.at(now);
    }

    private synchronized Reading readAfterPause() {
        long now = ticker.millis();
        if (state.isPause(now)) {
            state = state.pausedUntil(now);
        }
        return state.at(now);
    }

    @Override
    public long millis() {
        return read().millis();
    }
}
