package io.namesrv.core.route;

import io.namesrv.core.data.TopicQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * topic → its queues by broker group, with the index broker → topics that goes with it. What is equal is shared: the
 * queues that a broker gives to its topics ({@link BrokerTopics}), and the lists of them ({@link QueueLists}). Only {@link
 * RouteStep} changes it.
 */
final class TopicQueueTable {
    private final TopicRows rows = new TopicRows();
    private final Map<String, BrokerTopics> byBroker = new HashMap<>();
    private final QueueLists lists = new QueueLists();
    private long additions;
    private int restored;
    private long bytes;

    /** The row of a topic, which has queues. */
    @Nullable
    TopicRow get(String topic) {
        return rows.get(topic);
    }

    boolean contains(String topic) {
        return rows.containsTopic(topic);
    }

    int size() {
        return rows.size();
    }

    /** All rows; not to be changed while they are walked. */
    Collection<TopicRow> rows() {
        return Collections.unmodifiableCollection(rows);
    }

    /** Those that topics have queues of. */
    Set<String> brokerNames() {
        return Collections.unmodifiableSet(byBroker.keySet());
    }

    /** The topics of a broker, absent if it has none. */
    @Nullable
    BrokerTopics of(String brokerName) {
        return byBroker.get(brokerName);
    }

    /** How many topics have queues of a broker. */
    int topicCount(String brokerName) {
        BrokerTopics topics = byBroker.get(brokerName);
        return topics == null ? 0 : topics.rows().size();
    }

    /** The rows that have queues of a broker, as a copy that may be walked while they change. */
    List<TopicRow> rowsOf(String brokerName) {
        BrokerTopics topics = byBroker.get(brokerName);
        return topics == null ? List.of() : new ArrayList<>(topics.rows());
    }

    /** How often a topic was added that was not there. */
    long additions() {
        return additions;
    }

    /** How many queues are remembered from before a restart. */
    int restored() {
        return restored;
    }

    /** What it takes of the heap, reckoned by {@link RowBytes}. */
    long bytes() {
        return bytes;
    }

    // ---- for RouteStep

    /** The row of a topic, or a new one that the caller gives queues to. */
    TopicRow getOrAdd(String topic) {
        return getOrAdd(topic, TopicRows.hash(topic));
    }

    /** The same where the hash of the name is known. */
    TopicRow getOrAdd(String topic, int hash) {
        TopicRow row = rows.get(topic, hash);
        if (row == null) {
            row = new TopicRow(topic, hash);
            rows.add(row);
            additions++;
            bytes += RowBytes.ofTopic(topic);
        }
        return row;
    }

    /**
     * Gives a topic queues of a broker.
     *
     * @param before its queues of that broker so far; null if it has none
     * @return those it has now
     */
    TopicQueue put(TopicRow row, @Nullable TopicQueue before, TopicQueue after, long version) {
        BrokerTopics topics = byBroker.computeIfAbsent(after.brokerName(), name -> new BrokerTopics());
        int different = topics.differentQueues();
        TopicQueue shared = topics.take(after);
        restored += shared.restored() ? 1 : 0;
        if (before == null) {
            topics.rows().add(row);
            bytes += RowBytes.QUEUE;
        } else {
            topics.giveBack(before);
            restored -= before.restored() ? 1 : 0;
        }
        bytes += RowBytes.DIFFERENT_QUEUE * (topics.differentQueues() - different);
        row.set(lists.moved(row.queues(), before, shared), version);
        return shared;
    }

    /** Takes a broker's queues of a topic away, and the topic with its last queues. */
    void remove(TopicRow row, TopicQueue gone, long version) {
        BrokerTopics topics = byBroker.get(gone.brokerName());
        if (topics == null || !topics.rows().remove(row)) {
            throw new IllegalStateException("queues that are not in the index: " + gone);
        }
        int different = topics.differentQueues();
        topics.giveBack(gone);
        bytes += RowBytes.DIFFERENT_QUEUE * (topics.differentQueues() - different);
        if (topics.rows().isEmpty()) {
            byBroker.remove(gone.brokerName());
        }
        take(row, gone, version);
    }

    /**
     * Takes all queues of a broker away, as if one by one.
     *
     * @param each told of the row and what was taken from it
     */
    void removeAll(String brokerName, long version, BiConsumer<TopicRow, TopicQueue> each) {
        BrokerTopics topics = byBroker.remove(brokerName);
        if (topics == null) {
            return;
        }
        bytes -= RowBytes.DIFFERENT_QUEUE * topics.differentQueues();
        BrokerTopics.Finder finder = new BrokerTopics.Finder(brokerName);
        for (TopicRow row : topics.rows()) {
            TopicQueue gone = finder.in(row);
            if (gone == null) {
                throw new IllegalStateException("a topic without the queues it is in the index for: " + row.topic());
            }
            take(row, gone, version);
            each.accept(row, gone);
        }
    }

    private void take(TopicRow row, TopicQueue gone, long version) {
        row.set(lists.moved(row.queues(), gone, null), version);
        restored -= gone.restored() ? 1 : 0;
        bytes -= RowBytes.QUEUE;
        if (row.queues().isEmpty()) {
            rows.remove(row);
            bytes -= RowBytes.ofTopic(row.topic());
        }
    }
}
