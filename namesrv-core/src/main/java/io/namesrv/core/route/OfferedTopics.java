package io.namesrv.core.route;

import io.namesrv.core.data.Registration;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A registration with its topics, compared with those that its broker has: of tens of thousands a changed registration changes
 * but a few. They are compared before the step that writes them, under the read lock, so that queries go on meanwhile; if
 * the broker's topics are others when it comes to writing, all count as different.
 */
final class OfferedTopics {
    /** Bits of a filter for names that differ: a power of two. */
    private static final int FILTER_BITS = 1 << 16;

    private final Registration registration;
    private final List<TopicConfig> topics;
    private final int[] hashes;

    /** What was compared with, and how often it had been changed. */
    private @Nullable BrokerTopics known;

    private long knownChanges;

    /** Places in {@link #topics}, in order. */
    private int[] different = new int[0];

    private int differing;

    /** Not compared yet; called without the lock. */
    OfferedTopics(Registration registration) {
        this.registration = registration;
        this.topics = registration.table().topics();
        this.hashes = new int[topics.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = TopicRows.hash(topics.get(i).topicName());
        }
    }

    Registration registration() {
        return registration;
    }

    TopicConfig topic(int place) {
        return topics.get(place);
    }

    /** Hash of the topic's name, as {@link TopicRows#hash} has it. */
    int hash(int place) {
        return hashes[place];
    }

    /** Compares them with the tables as they are. */
    OfferedTopics compare(RouteTables tables) {
        known = tables.topicQueueTable.of(registration.brokerName());
        if (known == null) {
            return this;
        }
        knownChanges = known.changes();
        different = new int[hashes.length];
        long[] filter = new long[FILTER_BITS / Long.SIZE];
        BrokerTopics.Finder finder = new BrokerTopics.Finder(registration.brokerName());
        boolean[] differs = new boolean[hashes.length];
        for (int i = 0; i < hashes.length; i++) {
            TopicRow row = known.rows().get(topics.get(i).topicName(), hashes[i]);
            TopicQueue held = row == null ? null : finder.in(row);
            if (held == null || held.restored() || !says(held, topics.get(i))) {
                differs[i] = true;
                filter[word(hashes[i])] |= bit(hashes[i]);
            }
        }
        // A name may come twice: the last one counts, so it has to be written too if the first one differs.
        for (int i = 0; i < hashes.length; i++) {
            if (differs[i] || (filter[word(hashes[i])] & bit(hashes[i])) != 0) {
                different[differing++] = i;
            }
        }
        return this;
    }

    private static int word(int hash) {
        return (hash & (FILTER_BITS - 1)) / Long.SIZE;
    }

    private static long bit(int hash) {
        return 1L << (hash % Long.SIZE);
    }

    /** Whether the row would be the same again: as it is for most topics of most registrations. */
    static boolean says(TopicQueue held, TopicConfig topic) {
        return held.mark() == Mark.NONE && topic.isDeclaredBy(held.declared());
    }

    /** Gives the places of all topics that may differ from what the tables have now, in order. */
    void forEachDifferent(RouteTables tables, IntConsumer places) {
        BrokerTopics now = tables.topicQueueTable.of(registration.brokerName());
        if (now == null || now != known || now.changes() != knownChanges) {
            for (int i = 0; i < hashes.length; i++) {
                places.accept(i);
            }
        } else {
            for (int i = 0; i < differing; i++) {
                places.accept(different[i]);
            }
        }
    }
}
