package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderLimits;
import java.time.Duration;

/**
 * What connections may cost, each of them and all together. Whatever is 0 has no limit.
 *
 * @param frameMaxLength bytes of a frame, its four length bytes included; the connection is closed at sight of more
 * @param frameDeadline from the first byte of a frame to its last; then the connection is closed
 * @param idle how long nothing may come or go before the connection is closed
 * @param pendingMax requests without an answer at which reading stops, to go on below half of it
 * @param drainDeadline how long a connection whose answers wait may take none of them before it is closed
 * @param outboundMax bytes of answers that may wait before an answer, or one answer if that is larger; the connection is
 *     closed at more
 * @param header what a header may be like
 * @param together for all connections together
 */
public record ConnectionLimits(
        int frameMaxLength,
        Duration frameDeadline,
        Duration idle,
        int pendingMax,
        Duration drainDeadline,
        int outboundMax,
        HeaderLimits header,
        Together together) {
    /**
     * For all connections together.
     *
     * @param connections how many; one beyond is closed as soon as it is accepted
     * @param connectionsPerIp how many of one address
     * @param outbound bytes of answers that wait; beyond, those connections are closed that have most
     */
    public record Together(int connections, int connectionsPerIp, long outbound) {
        /** 20,000 connections, 10,000 of them of one address; 128 MiB. */
        public static final Together DEFAULT = new Together(20_000, 10_000, 128 << 20);

        public Together {
            connections = orAny(connections);
            connectionsPerIp = orAny(connectionsPerIp);
            if (outbound < 0) {
                throw new IllegalArgumentException("a limit of " + outbound + " (expected: 0 or more)");
            }
            outbound = outbound == 0 ? Long.MAX_VALUE : outbound;
        }
    }

    /**
     * 16 MiB in 30 s; 120 s idle; 1024 pending; 30 s without any progress of the answers, of which 8 MiB may wait; all
     * together the defaults.
     */
    public static final ConnectionLimits DEFAULT = new ConnectionLimits(
            1 << 24,
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            1024,
            Duration.ofSeconds(30),
            8 << 20,
            HeaderLimits.DEFAULT,
            Together.DEFAULT);

    public ConnectionLimits {
        frameMaxLength = orAny(frameMaxLength);
        pendingMax = orAny(pendingMax);
        outboundMax = orAny(outboundMax);
    }

    private static int orAny(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: 0 or more)");
        }
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }
}
