package io.namesrv.core.route;

import io.namesrv.core.data.TopicQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A topic of topicQueueTable: its queues by broker group. It stays under the lock; the list of its queues may leave it. */
final class TopicRow {
    private final String topic;
    private final int hash;
    private List<TopicQueue> queues = List.of();
    private long version;

    /**
     * A row that has no queues yet.
     *
     * @param topic its name; the one instance of it that all indexes share
     * @param hash of the name, as {@link TopicRows#hash} has it
     */
    TopicRow(String topic, int hash) {
        this.topic = topic;
        this.hash = hash;
    }

    String topic() {
        return topic;
    }

    int hash() {
        return hash;
    }

    boolean isOf(String name, int hashOfName) {
        return hash == hashOfName && topic.equals(name);
    }

    /** One per broker group, in order of broker names, never empty; immutable. */
    List<TopicQueue> queues() {
        return queues;
    }

    /** Version of the last change of its queues or of its mappings. */
    long version() {
        return version;
    }

    /** Gives it other queues. */
    void set(List<TopicQueue> others, long atVersion) {
        queues = others;
        version = atVersion;
    }

    void touch(long atVersion) {
        version = atVersion;
    }

    /** Its queues on a broker. */
    @Nullable
    TopicQueue find(String brokerName) {
        int at = QueueLists.indexOf(queues, brokerName);
        return at < 0 ? null : queues.get(at);
    }
}
