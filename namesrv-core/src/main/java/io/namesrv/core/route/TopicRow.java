package io.namesrv.core.route;

import io.namesrv.core.data.TopicQueue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A topic of topicQueueTable: its queues by broker group. Immutable, so that an answer may take it out of the lock.
 *
 * @param topic its name; the one instance of it that all indexes share
 * @param queues one per broker group, in order of broker names, never empty
 * @param version version of the last change of these rows or of the topic's mappings
 */
record TopicRow(String topic, List<TopicQueue> queues, long version) {
    /** A topic on its first broker. */
    static TopicRow of(String topic, TopicQueue queue, long version) {
        return new TopicRow(topic, List.of(queue), version);
    }

    Optional<TopicQueue> on(String brokerName) {
        return Optional.ofNullable(find(brokerName));
    }

    /** The same without an object of its own, for whoever asks for thousands of them. */
    @Nullable
    TopicQueue find(String brokerName) {
        int at = indexOf(brokerName);
        return at < 0 ? null : queues.get(at);
    }

    TopicRow with(TopicQueue queue, long atVersion) {
        int found = indexOf(queue.brokerName());
        int at = found < 0 ? -found - 1 : found;
        TopicQueue[] next = new TopicQueue[found < 0 ? queues.size() + 1 : queues.size()];
        for (int i = 0; i < next.length; i++) {
            next[i] = i == at ? queue : queues.get(found < 0 && i > at ? i - 1 : i);
        }
        return new TopicRow(topic, List.of(next), atVersion);
    }

    /** The row without one broker's queues; its list may then be empty, and such a row is not kept. */
    TopicRow without(String brokerName, long atVersion) {
        int gone = indexOf(brokerName);
        TopicQueue[] next = new TopicQueue[queues.size() - 1];
        for (int i = 0; i < next.length; i++) {
            next[i] = queues.get(i < gone ? i : i + 1);
        }
        return new TopicRow(topic, List.of(next), atVersion);
    }

    TopicRow touched(long atVersion) {
        return new TopicRow(topic, queues, atVersion);
    }

    /** Where the broker's queues are, or {@code -(place to insert) - 1}. */
    private int indexOf(String brokerName) {
        int low = 0;
        int high = queues.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = queues.get(middle).brokerName().compareTo(brokerName);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
