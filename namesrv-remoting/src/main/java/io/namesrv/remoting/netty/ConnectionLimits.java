package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderLimits;
import java.time.Duration;

/**
 * What one connection may cost. Whatever is 0 has no limit.
 *
 * @param frameMaxLength bytes of a frame, its four length bytes included; the connection is closed at sight of more
 * @param frameDeadline from the first byte of a frame to its last; then the connection is closed
 * @param idle how long nothing may come or go before the connection is closed
 * @param pendingMax requests without an answer at which reading stops, to go on below half of it
 * @param drainDeadline how long a connection whose answers wait may take none of them before it is closed
 * @param header what a header may be like
 */
public record ConnectionLimits(
        int frameMaxLength,
        Duration frameDeadline,
        Duration idle,
        int pendingMax,
        Duration drainDeadline,
        HeaderLimits header) {
    /** 16 MiB in 30 s; 120 s idle; 1024 pending; 30 s without any progress of the answers. */
    public static final ConnectionLimits DEFAULT = new ConnectionLimits(
            1 << 24,
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            1024,
            Duration.ofSeconds(30),
            HeaderLimits.DEFAULT);

    public ConnectionLimits {
        frameMaxLength = orAny(frameMaxLength);
        pendingMax = orAny(pendingMax);
    }

    private static int orAny(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: 0 or more)");
        }
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }
}
