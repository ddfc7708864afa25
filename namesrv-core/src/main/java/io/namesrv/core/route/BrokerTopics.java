package io.namesrv.core.route;

import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The topics that have queues of one broker, and these queues: most have the same numbers, and equal ones are one object. */
final class BrokerTopics {
    /** As in {@link TopicRows}: numbers whose hashes are all one cannot be chosen. */
    private static final int SEED = ThreadLocalRandom.current().nextInt();

    private static final int FACTOR = ThreadLocalRandom.current().nextInt() | 1;

    /** Queues, and how many topics have them. */
    private static final class Shared {
        final TopicQueue queue;
        int topics;

        Shared(TopicQueue queue) {
            this.queue = queue;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Shared shared && queue.equals(shared.queue);
        }

        @Override
        public int hashCode() {
            QueueData declared = queue.declared();
            int hash = mixed(SEED, declared.readQueueNums());
            hash = mixed(hash, declared.writeQueueNums());
            hash = mixed(hash, declared.perm());
            hash = mixed(hash, declared.topicSysFlag());
            hash = mixed(hash, queue.mark().hashCode());
            return mixed(hash, Boolean.hashCode(queue.restored()));
        }

        private static int mixed(int hash, int number) {
            int mixed = (hash ^ number) * FACTOR;
            return mixed ^ (mixed >>> 15);
        }
    }

    private final TopicRows rows = new TopicRows();
    private final Map<Shared, Shared> queues = new HashMap<>();

    private long changes;

    /** The ones that were taken or given back last. */
    private @Nullable Shared latest;

    /** The topics. */
    TopicRows rows() {
        return rows;
    }

    /** How often any of them was given queues or lost them. */
    long changes() {
        return changes;
    }

    /** How many different queues they have. */
    int differentQueues() {
        return queues.size();
    }

    /** Whether there are such queues, remembered from before a restart or not. */
    boolean has(TopicQueue queue) {
        return queues.containsKey(new Shared(queue)) || queues.containsKey(new Shared(queue.asRestored()));
    }

    /** Queues that are equal to these, for one topic more. */
    TopicQueue take(TopicQueue queue) {
        changes++;
        Shared shared = find(queue);
        if (shared == null) {
            shared = new Shared(queue);
            queues.put(shared, shared);
        }
        shared.topics++;
        latest = shared;
        return shared.queue;
    }

    /** One topic has these no more. */
    void giveBack(TopicQueue queue) {
        changes++;
        Shared shared = find(queue);
        if (shared == null) {
            throw new IllegalStateException("queues that no topic has: " + queue);
        }
        latest = shared;
        if (--shared.topics == 0) {
            queues.remove(shared);
            latest = null;
        }
    }

    private @Nullable Shared find(TopicQueue queue) {
        Shared last = latest;
        return last != null && last.queue.equals(queue) ? last : queues.get(new Shared(queue));
    }

    /** Finds one broker's queues in rows, most of which have the list of queues of the row before. */
    static final class Finder {
        private final String brokerName;
        private @Nullable List<TopicQueue> list;
        private @Nullable TopicQueue inList;

        Finder(String brokerName) {
            this.brokerName = brokerName;
        }

        @SuppressWarnings("ReferenceEquality") // lists are shared, and immutable
        @Nullable
        TopicQueue in(TopicRow row) {
            if (row.queues() != list) {
                list = row.queues();
                inList = row.find(brokerName);
            }
            return inList;
        }
    }
}
