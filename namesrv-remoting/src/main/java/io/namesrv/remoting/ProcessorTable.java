package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RequestCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which processor carries out which request code, and on which lane. Immutable; made by its builder at start. */
public final class ProcessorTable {
    private final Map<Integer, Entry> entries;
    private final Lane orderedLane;

    /** The lines that are tried on the I/O thread first; there are one or two. */
    private final List<Entry> quick;

    private ProcessorTable(Map<Integer, Entry> entries, Lane orderedLane) {
        this.entries = Map.copyOf(entries);
        this.orderedLane = orderedLane;
        this.quick =
                entries.values().stream().filter(entry -> entry.quick != null).toList();
    }

    /** An empty table to be filled. */
    public static Builder builder() {
        return new Builder();
    }

    /** How a code is carried out; empty for one that nobody serves. */
    Optional<Entry> find(int code) {
        return Optional.ofNullable(entries.get(code));
    }

    /** What is tried first for a code; null if there is no such thing, or the code's lane takes nothing. */
    @Nullable
    QuickAnswer quick(int code) {
        for (int i = 0; i < quick.size(); i++) {
            Entry entry = quick.get(i);
            if (entry.code == code) {
                return entry.lane.isShut() ? null : entry.quick;
            }
        }
        return null;
    }

    /** The lane that all ordered requests and the ends of connections run on. */
    Lane orderedLane() {
        return orderedLane;
    }

    /**
     * One line of the table.
     *
     * @param now the processor if it answers at once, else {@code later} is there
     * @param quick tried on the I/O thread first
     * @param cap how many requests of this code may wait
     */
    record Entry(
            int code,
            @Nullable RequestProcessor now,
            @Nullable AsyncRequestProcessor later,
            Lane lane,
            boolean ordered,
            @Nullable QuickAnswer quick,
            @Nullable WaitingCap cap) {}

    /** Collects the lines of a table. Each method fails with an {@link IllegalStateException} for a code it can't take. */
    public static final class Builder {
        private final Map<Integer, Entry> entries = new HashMap<>();

        private Builder() {}

        /** Serves a code on a lane, in any order. */
        public Builder on(int code, RequestProcessor processor, Lane lane) {
            return add(new Entry(code, processor, null, lane, false, null, null));
        }

        /** Serves a code on a lane, in any order, with answers that come later. */
        public Builder onLater(int code, AsyncRequestProcessor processor, Lane lane) {
            return add(new Entry(code, null, processor, lane, false, null, null));
        }

        /** Serves a code in the one sequence of its connection. All such codes name the same lane. */
        public Builder inOrder(int code, RequestProcessor processor, Lane lane) {
            return add(new Entry(code, processor, null, lane, true, null, null));
        }

        /** Serves a code in the one sequence of its connection, which waits for the answers to come. */
        public Builder inOrderLater(int code, AsyncRequestProcessor processor, Lane lane) {
            return add(new Entry(code, null, processor, lane, true, null, null));
        }

        /** Lets a code that is in the table be answered on the I/O thread where that is possible. */
        public Builder tryFirst(int code, QuickAnswer quick) {
            Entry e = existing(code);
            entries.put(code, new Entry(code, e.now, e.later, e.lane, e.ordered, quick, e.cap));
            return this;
        }

        /**
         * Limits how many requests of a code that is in the table wait at a time, all connections together; one beyond
         * is answered with code 1 and this remark.
         */
        public Builder atMostWaiting(int code, int limit, String remark) {
            Entry e = existing(code);
            entries.put(
                    code, new Entry(code, e.now, e.later, e.lane, e.ordered, e.quick, new WaitingCap(limit, remark)));
            return this;
        }

        /** The table as it is now. */
        public ProcessorTable build() {
            Lane lane = null;
            for (Entry entry : entries.values()) {
                if (entry.ordered && lane != null && lane != entry.lane) {
                    throw new IllegalStateException(
                            "ordered requests on two lanes: " + lane + " and " + entry.lane + " (expected: one)");
                }
                lane = entry.ordered ? entry.lane : lane;
            }
            return new ProcessorTable(entries, lane == null ? Lane.inline("inline") : lane);
        }

        private Builder add(Entry entry) {
            if (entries.putIfAbsent(entry.code, entry) != null) {
                throw new IllegalStateException("a second processor for code " + RequestCode.name(entry.code));
            }
            return this;
        }

        private Entry existing(int code) {
            Entry entry = entries.get(code);
            if (entry == null) {
                throw new IllegalStateException("no processor for code " + RequestCode.name(code));
            }
            return entry;
        }
    }
}
