package io.namesrv.server.store;

import io.namesrv.core.data.SharedQueues;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.json.SharedTexts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of queues that were read before. Most topics of a broker have the same numbers, so that of a hundred thousand
 * rows nearly all are bytes that were parsed already: those are compared, and passed over.
 */
final class KnownQueues {
    private static final int SLOTS = 4096;

    private static final class Known {
        final byte[] json;
        final TopicQueue queue;

        Known(byte[] json, TopicQueue queue) {
            this.json = json;
            this.queue = queue;
        }
    }

    private final @Nullable Known[] known = new @Nullable Known[SLOTS];
    private final SharedQueues shared = new SharedQueues();

    /** Names that come with every row. */
    final SharedTexts texts = new SharedTexts();

    /** Reads the row of queues that the cursor stands at. */
    TopicQueue queue(JsonCursor cursor) {
        if (!cursor.atObject()) {
            throw new JsonFormatException("queues of a topic are objects");
        }
        byte[] text = cursor.text();
        int from = cursor.position();
        int hash = 0;
        int to = from;
        while (to < text.length && text[to] != '}') {
            hash = hash * 31 + text[to++];
        }
        to = Math.min(to + 1, text.length); // not its end if a name in it has such a brace
        int slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
        Known there = known[slot];
        if (there != null && Arrays.equals(there.json, 0, there.json.length, text, from, to)) {
            cursor.passTo(to);
            return there.queue;
        }
        TopicQueue queue = share(SnapshotRow.of(cursor, this).queue());
        if (cursor.position() == to) {
            known[slot] = new Known(Arrays.copyOfRange(text, from, to), queue);
        }
        return queue;
    }

    /** The row, or one that is equal to it. */
    TopicQueue share(TopicQueue queue) {
        return shared.share(queue);
    }
}
