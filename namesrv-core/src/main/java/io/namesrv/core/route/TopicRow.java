package io.namesrv.core.route;

import io.namesrv.core.data.TopicQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        int at = indexOf(brokerName);
        return at < 0 ? Optional.empty() : Optional.of(queues.get(at));
    }

    TopicRow with(TopicQueue queue, long atVersion) {
        List<TopicQueue> next = new ArrayList<>(queues.size() + 1);
        next.addAll(queues);
        int at = indexOf(queue.brokerName());
        if (at < 0) {
            next.add(-at - 1, queue);
        } else {
            next.set(at, queue);
        }
        return new TopicRow(topic, List.copyOf(next), atVersion);
    }

    /** The row without one broker's queues; its list may then be empty, and such a row is not kept. */
    TopicRow without(String brokerName, long atVersion) {
        List<TopicQueue> next = new ArrayList<>(queues);
        next.remove(indexOf(brokerName));
        return new TopicRow(topic, List.copyOf(next), atVersion);
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
