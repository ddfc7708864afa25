package io.namesrv.core.data;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes equal rows one object: most topics of a broker have the same numbers. More different rows than brokers of good will
 * have are not looked up: their hashes may all be one.
 */
public final class SharedQueues {
    private static final int SHARED_MAX = 4096;

    private final Map<TopicQueue, TopicQueue> shared = new HashMap<>();

    /** The row, or one that is equal to it. */
    public TopicQueue share(TopicQueue queue) {
        return shared.size() < SHARED_MAX
                ? shared.computeIfAbsent(queue, row -> row)
                : shared.getOrDefault(queue, queue);
    }
}
