package io.namesrv.core.route;

import io.namesrv.core.data.TopicQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lists of topics' queues. Most topics of a cluster have the same queues on the same brokers, and when a broker
 * registers, the same change is made to the lists of them all: what became of one list is the list of the next. A broker's
 * equal queues being one object ({@link BrokerTopics}), lists and queues are compared by identity.
 */
final class QueueLists {
    private static final int SLOTS = 256;

    /** Longer lists are not kept here: they would be held for topics that may be long gone. */
    private static final int LONGEST = 1024;

    private static final class Move {
        final List<TopicQueue> from;
        final @Nullable TopicQueue before;
        final @Nullable TopicQueue after;
        final List<TopicQueue> to;

        Move(List<TopicQueue> from, @Nullable TopicQueue before, @Nullable TopicQueue after, List<TopicQueue> to) {
            this.from = from;
            this.before = before;
            this.after = after;
            this.to = to;
        }

        @SuppressWarnings("ReferenceEquality") // which is what they are shared for
        boolean is(List<TopicQueue> list, @Nullable TopicQueue gone, @Nullable TopicQueue added) {
            return from == list && before == gone && after == added;
        }
    }

    private final @Nullable Move[] moves = new @Nullable Move[SLOTS];

    /**
     * The list without {@code before}, which is in it unless it is null, and with {@code after} in its place in the order
     * of broker names, unless that is null.
     */
    List<TopicQueue> moved(List<TopicQueue> from, @Nullable TopicQueue before, @Nullable TopicQueue after) {
        int hash = System.identityHashCode(from)
                + 31 * System.identityHashCode(before)
                - 17 * System.identityHashCode(after);
        int slot = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SLOTS - 1);
        Move move = moves[slot];
        if (move != null && move.is(from, before, after)) {
            return move.to;
        }
        List<TopicQueue> to = changed(from, before, after);
        if (from.size() < LONGEST) {
            moves[slot] = new Move(from, before, after, to);
        }
        return to;
    }

    private static List<TopicQueue> changed(
            List<TopicQueue> from, @Nullable TopicQueue before, @Nullable TopicQueue after) {
        int gone = before == null ? -1 : indexOf(from, before.brokerName());
        TopicQueue[] to = new TopicQueue[from.size() - (before == null ? 0 : 1) + (after == null ? 0 : 1)];
        int next = after == null ? -1 : gone >= 0 ? gone : -indexOf(from, after.brokerName()) - 1;
        int at = 0;
        for (int i = 0; i < to.length; i++) {
            if (i == next && after != null) {
                to[i] = after;
                at += gone >= 0 ? 1 : 0;
            } else {
                at += at == gone ? 1 : 0;
                to[i] = from.get(at++);
            }
        }
        return List.of(to);
    }

    /** Where the broker's queues are in a list in order of broker names, or {@code -(place to insert) - 1}. */
    static int indexOf(List<TopicQueue> queues, String brokerName) {
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
