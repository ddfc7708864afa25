package io.namesrv.core.kv;

import io.namesrv.core.data.ReachedLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * The key/value settings: namespace → key → value.
 *
 * <p>A change shows, and is acknowledged, once the store has it. Changes that arrive while the store is busy go into its
 * next write together, so a burst of them costs a few writes; whoever waits for one holds no thread. When a write fails
 * its changes are as if they had never been asked for.
 */
public final class KVConfigManager {
    /** The namespace of order topics: topic → {@code broker:queues;broker:queues}. */
    public static final String NAMESPACE_ORDER_TOPIC_CONFIG = "ORDER_TOPIC_CONFIG";

    /** The namespace of brokers whose write permission is withheld until it is given back: name → who asked and when. */
    public static final String NAMESPACE_WRITE_PERM_WIPED = "WRITE_PERM_WIPED";

    /** Where the settings are kept. */
    @FunctionalInterface
    public interface Store {
        /**
         * Replaces what is kept. Returns once it would survive a loss of power.
         *
         * @param configTable namespace → key → value, unmodifiable
         * @throws IOException if it could not be kept; what was kept before still is
         */
        void save(Map<String, Map<String, String>> configTable) throws IOException;
    }

    /**
     * How much is taken in. What is there stays, and may be replaced by what is no longer.
     *
     * @param namespaces namespaces
     * @param keys keys of all namespaces together
     * @param namespaceBytes bytes, as JSON, of the keys and values of one namespace
     * @param bytes bytes, as JSON, of all namespaces, keys and values
     */
    public record Limits(int namespaces, int keys, long namespaceBytes, long bytes) {
        /** No limits. */
        public static final Limits NONE =
                new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Told of changes. Must not throw, and must not ask for a change and wait for it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called on the writer when a change shows, before whoever asked for it is told that it is kept.
         *
         * @param before namespace → key → value; a namespace that did not change is the same object in both
         */
        void changed(Map<String, Map<String, String>> before, Map<String, Map<String, String>> after);
    }

    private record Change(
            String namespace, String key, Optional<String> value, CompletableFuture<Optional<ReachedLimit>> done) {}

    private final Store store;
    private final Executor writer;
    private final Limits limits;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** What has been acknowledged. */
    private volatile KVTable table;

    private final Object queueLock = new Object();
    private List<Change> queue = new ArrayList<>();
    private boolean writing;

    /**
     * Starts from what the store had.
     *
     * @param loaded namespace → key → value
     * @param writer runs the writes, one at a time; may be slow
     */
    public KVConfigManager(Map<String, Map<String, String>> loaded, Store store, Executor writer, Limits limits) {
        this.table = KVTable.of(loaded);
        this.store = store;
        this.writer = writer;
        this.limits = limits;
    }

    /** Tells somebody of all changes from now on. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Sets a value; the stage ends once it is kept, with the limit that does not let it be, or with the store's {@link
     * IOException}.
     */
    public CompletionStage<Optional<ReachedLimit>> putKVConfig(String namespace, String key, String value) {
        return submit(namespace, key, Optional.of(value));
    }

    /**
     * Takes a value away; the stage ends once that is kept, never with a limit, or with the store's {@link
     * IOException}. A namespace goes with
     * its last key, but for that of order topics: a 4.9 broker takes the order mark off a topic only when a registration
     * is answered with a table that lacks it.
     */
    public CompletionStage<Optional<ReachedLimit>> deleteKVConfig(String namespace, String key) {
        return submit(namespace, key, Optional.empty());
    }

    public Optional<String> getKVConfig(String namespace, String key) {
        return getKVListByNamespace(namespace).map(values -> values.get(key));
    }

    /**
     * The keys and values of a namespace, unmodifiable, in order of keys; absent if there is no such namespace. The same
     * object as long as nothing in it is changed.
     */
    public Optional<Map<String, String>> getKVListByNamespace(String namespace) {
        return Optional.ofNullable(table.values().get(namespace));
    }

    /** All there is, unmodifiable: namespace → key → value. */
    public Map<String, ? extends Map<String, String>> all() {
        return table.values();
    }

    private CompletionStage<Optional<ReachedLimit>> submit(String namespace, String key, Optional<String> value) {
        Change change = new Change(namespace, key, value, new CompletableFuture<>());
        synchronized (queueLock) {
            queue.add(change);
            if (writing) {
                return change.done();
            }
            writing = true;
        }
        try {
            writer.execute(this::writeQueued);
        } catch (RuntimeException refused) {
            failQueued(refused);
        }
        return change.done();
    }

    /** Runs on the writer, one at a time, until nothing is queued any more. */
    private void writeQueued() {
        while (true) {
            List<Change> changes;
            synchronized (queueLock) {
                if (queue.isEmpty()) {
                    writing = false;
                    return;
                }
                changes = queue;
                queue = new ArrayList<>();
            }
            write(changes);
        }
    }

    private void write(List<Change> changes) {
        KVTable.Draft draft = new KVTable.Draft(table, limits);
        List<Optional<ReachedLimit>> refusals = new ArrayList<>();
        for (Change change : changes) {
            refusals.add(draft.apply(change.namespace(), change.key(), change.value()));
        }
        KVTable next = draft.finish();
        try {
            if (!next.values().equals(table.values())) {
                store.save(next.values());
                Map<String, Map<String, String>> before = table.values();
                table = next;
                listeners.forEach(listener -> listener.changed(before, next.values()));
            }
        } catch (IOException | RuntimeException | Error failed) {
            // An error too must reach those who wait, and must not end the run: later changes would wait for ever.
            changes.forEach(change -> change.done().completeExceptionally(failed));
            return;
        }
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).done().complete(refusals.get(i));
        }
    }

    private void failQueued(RuntimeException refused) {
        List<Change> changes;
        synchronized (queueLock) {
            changes = queue;
            queue = new ArrayList<>();
            writing = false;
        }
        changes.forEach(change -> change.done().completeExceptionally(refused));
    }
}
