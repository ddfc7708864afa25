package io.namesrv.server.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * How well a server answers, as far as it is known. Times of day are readings of a {@link io.namesrv.core.Ticker}.
 *
 * @param healthy false from a failure to the next answer
 * @param answerNanos its answer time, smoothed; {@link #UNMEASURED} if there is none since it failed
 * @param tried whether it was measured or has failed at all, or is being measured
 * @param triedAt when that was the last time
 */
record ServerHealth(boolean healthy, long answerNanos, boolean tried, long triedAt) {
    private static final long UNMEASURED = -1;

    /** How many parts of the smoothed time the newest one is. */
    private static final int SMOOTHING = 4;

    static final ServerHealth UNKNOWN = new ServerHealth(true, UNMEASURED, false, 0);

    /** Whom to ask first: the fastest; then who was not measured; last, who failed, the longest ago first. */
    static final Comparator<ServerHealth> ORDER = Comparator.comparing((ServerHealth health) -> !health.healthy)
            .thenComparing(health -> health.answerNanos == UNMEASURED)
            .thenComparing(health -> health.answerNanos)
            .thenComparing((one, other) -> one.healthy ? 0 : Long.signum(one.triedAt - other.triedAt));

    /** After an answer whose time can be compared with others. */
    ServerHealth measured(Duration took, long now) {
        long nanos = took.toNanos();
        long smoothed = answerNanos == UNMEASURED ? nanos : answerNanos + (nanos - answerNanos) / SMOOTHING;
        return new ServerHealth(true, smoothed, true, now);
    }

    /** After any other answer. */
    ServerHealth answered() {
        return healthy ? this : new ServerHealth(true, UNMEASURED, tried, triedAt);
    }

    /** After a failure. What it was like before counts no more. */
    ServerHealth failed(long now) {
        return new ServerHealth(false, UNMEASURED, true, now);
    }

    /** While it is being measured. */
    ServerHealth trying(long now) {
        return new ServerHealth(healthy, answerNanos, true, now);
    }

    /** Whether it is time to measure it. */
    boolean isDue(long now, NamesrvClientOptions options) {
        Duration after = healthy ? options.measureEvery() : options.retryAfter();
        return !tried || now - triedAt >= after.toMillis();
    }

    ServerState state(String server) {
        return new ServerState(
                server,
                healthy,
                answerNanos == UNMEASURED ? Optional.empty() : Optional.of(Duration.ofNanos(answerNanos)));
    }
}
