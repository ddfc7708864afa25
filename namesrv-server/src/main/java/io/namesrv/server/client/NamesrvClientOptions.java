package io.namesrv.server.client;

import io.namesrv.remoting.netty.ClientOptions;
import java.time.Duration;

/**
 * How a {@link NamesrvClient} asks.
 *
 * @param requestTimeout the longest to wait for an answer of one server, the making of a connection included; a waiting
 *     query's wait comes on top
 * @param measureEvery how old the answer time of a server may become before it is measured again
 * @param retryAfter how long a server that failed is left alone before it is tried again, as long as others answer
 * @param remoting how connections are made, and their limits
 */
public record NamesrvClientOptions(
        Duration requestTimeout, Duration measureEvery, Duration retryAfter, ClientOptions remoting) {
    /** 3 s for an answer, measured every 30 s, tried again after 10 s. */
    public static final NamesrvClientOptions DEFAULT = new NamesrvClientOptions(
            Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(10), ClientOptions.DEFAULT);

    public NamesrvClientOptions {
        require(requestTimeout.toMillis() > 0, "requestTimeout", requestTimeout);
        require(measureEvery.toMillis() > 0, "measureEvery", measureEvery);
        require(retryAfter.toMillis() > 0, "retryAfter", retryAfter);
    }

    private static void require(boolean fits, String name, Duration found) {
        if (!fits) {
            throw new IllegalArgumentException(name + ": " + found + " (expected: 1 ms or more)");
        }
    }

    /** The same with this timeout. */
    public NamesrvClientOptions withRequestTimeout(Duration other) {
        return new NamesrvClientOptions(other, measureEvery, retryAfter, remoting);
    }

    /** The same with connections of this kind. */
    public NamesrvClientOptions withRemoting(ClientOptions other) {
        return new NamesrvClientOptions(requestTimeout, measureEvery, retryAfter, other);
    }
}
