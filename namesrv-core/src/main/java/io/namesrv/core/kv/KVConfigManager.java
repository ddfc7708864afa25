package io.namesrv.core.kv;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

    private record Change(String namespace, String key, Optional<String> value, CompletableFuture<Void> done) {}

    private final Store store;
    private final Executor writer;

    /** What has been acknowledged; immutable, replaced as a whole. */
    private volatile SortedMap<String, Map<String, String>> configTable;

    private final Object queueLock = new Object();
    private List<Change> queue = new ArrayList<>();
    private boolean writing;

    /**
     * Starts from what the store had.
     *
     * @param loaded namespace → key → value
     * @param writer runs the writes, one at a time; may be slow
     */
    public KVConfigManager(Map<String, Map<String, String>> loaded, Store store, Executor writer) {
        SortedMap<String, Map<String, String>> table = new TreeMap<>();
        loaded.forEach((namespace, values) -> {
            if (stays(namespace, values)) {
                table.put(namespace, immutable(values));
            }
        });
        this.configTable = Collections.unmodifiableSortedMap(table);
        this.store = store;
        this.writer = writer;
    }

    /** Sets a value; the stage ends once it is kept, or with the store's {@link IOException}. */
    public CompletionStage<Void> putKVConfig(String namespace, String key, String value) {
        return submit(namespace, key, Optional.of(value));
    }

    /**
     * Takes a value away; the stage ends once that is kept, or with the store's {@link IOException}. A namespace goes with
     * its last key, but for that of order topics: a 4.9 broker takes the order mark off a topic only when a registration
     * is answered with a table that lacks it.
     */
    public CompletionStage<Void> deleteKVConfig(String namespace, String key) {
        return submit(namespace, key, Optional.empty());
    }

    public Optional<String> getKVConfig(String namespace, String key) {
        return getKVListByNamespace(namespace).map(values -> values.get(key));
    }

    /** The keys and values of a namespace, unmodifiable, in order of keys; absent if there is no such namespace. */
    public Optional<Map<String, String>> getKVListByNamespace(String namespace) {
        return Optional.ofNullable(configTable.get(namespace));
    }

    private CompletionStage<Void> submit(String namespace, String key, Optional<String> value) {
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
        SortedMap<String, Map<String, String>> former = configTable;
        SortedMap<String, Map<String, String>> next = applied(former, changes);
        try {
            if (!next.equals(former)) {
                store.save(next);
                configTable = next;
            }
        } catch (IOException | RuntimeException | Error failed) {
            // An error too must reach those who wait, and must not end the run: later changes would wait for ever.
            changes.forEach(change -> change.done().completeExceptionally(failed));
            return;
        }
        changes.forEach(change -> change.done().complete(null));
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

    private static SortedMap<String, Map<String, String>> applied(
            Map<String, Map<String, String>> former, List<Change> changes) {
        SortedMap<String, Map<String, String>> next = new TreeMap<>(former);
        Map<String, Map<String, String>> copied = new TreeMap<>();
        for (Change change : changes) {
            if (change.value().isEmpty()
                    && !former.containsKey(change.namespace())
                    && !copied.containsKey(change.namespace())) {
                continue;
            }
            Map<String, String> values = copied.computeIfAbsent(
                    change.namespace(), namespace -> new TreeMap<>(former.getOrDefault(namespace, Map.of())));
            change.value().ifPresentOrElse(value -> values.put(change.key(), value), () -> values.remove(change.key()));
        }
        copied.forEach((namespace, values) -> {
            if (stays(namespace, values)) {
                next.put(namespace, immutable(values));
            } else {
                next.remove(namespace);
            }
        });
        return Collections.unmodifiableSortedMap(next);
    }

    private static boolean stays(String namespace, Map<String, String> values) {
        return !values.isEmpty() || namespace.equals(NAMESPACE_ORDER_TOPIC_CONFIG);
    }

    private static Map<String, String> immutable(Map<String, String> values) {
        return Collections.unmodifiableMap(new TreeMap<>(values));
    }
}
