package io.namesrv.core.kv;

import static io.namesrv.core.kv.KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.kv.KVConfigManager.Limits;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KVConfigManagerTest {
    private final FakeStore store = new FakeStore();
    private final HeldExecutor writer = new HeldExecutor();
    private final KVConfigManager settings = new KVConfigManager(Map.of(), store, writer, Limits.NONE);

    // ---- one change

    @Test
    void a_value_shows_and_is_acknowledged_once_the_store_has_it() {
        Asked put = put("NS", "key", "value");
        boolean doneBefore = put.acknowledged();
        Optional<String> shownBefore = settings.getKVConfig("NS", "key");

        writer.runAll();

        assertThat(doneBefore).isFalse();
        assertThat(shownBefore).isEmpty();
        assertThat(put.acknowledged()).isTrue();
        assertThat(settings.getKVConfig("NS", "key")).contains("value");
        assertThat(store.saved).containsExactly(Map.of("NS", Map.of("key", "value")));
    }

    @Test
    void what_was_loaded_shows_and_stays_beside_a_change() {
        KVConfigManager loaded = new KVConfigManager(Map.of("NS", Map.of("a", "1")), store, Runnable::run, Limits.NONE);

        loaded.putKVConfig("NS", "b", "2");

        assertThat(loaded.getKVListByNamespace("NS")).contains(Map.of("a", "1", "b", "2"));
        assertThat(store.saved).containsExactly(Map.of("NS", Map.of("a", "1", "b", "2")));
    }

    @Test
    void empty_namespaces_that_were_loaded_are_dropped_but_for_that_of_order_topics() {
        String order = KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG;
        KVConfigManager loaded =
                new KVConfigManager(Map.of("NS", Map.of(), order, Map.of()), store, Runnable::run, Limits.NONE);

        assertThat(loaded.getKVListByNamespace("NS")).isEmpty();
        assertThat(loaded.getKVListByNamespace(order)).contains(Map.of());
    }

    @Test
    void an_unknown_namespace_and_an_unknown_key_are_absent() {
        put("NS", "key", "value");
        writer.runAll();

        assertThat(settings.getKVConfig("NS", "other")).isEmpty();
        assertThat(settings.getKVConfig("other", "key")).isEmpty();
        assertThat(settings.getKVListByNamespace("other")).isEmpty();
    }

    @Test
    void a_listener_is_told_of_a_change_that_shows_before_it_is_acknowledged() {
        put("OTHER", "key", "value");
        writer.runAll();
        List<String> told = new ArrayList<>();
        List<Asked> asked = new ArrayList<>();
        settings.addListener((before, after) -> told.add(before.get("NS") + " -> " + after.get("NS") + ", other same "
                + (before.get("OTHER") == after.get("OTHER")) + ", shown " + settings.getKVConfig("NS", "key")
                + ", acknowledged " + asked.get(0).acknowledged()));

        asked.add(put("NS", "key", "value"));
        writer.runAll();
        put("NS", "key", "value");
        writer.runAll();

        assertThat(told)
                .containsExactly("null -> {key=value}, other same true, shown Optional[value], acknowledged false");
        assertThat(asked.get(0).acknowledged()).isTrue();
    }

    @Test
    void a_value_is_replaced() {
        put("NS", "key", "old");
        writer.runAll();

        put("NS", "key", "new");
        writer.runAll();

        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("key", "new"));
    }

    @Test
    void a_change_that_changes_nothing_is_acknowledged_without_a_write() {
        put("NS", "key", "value");
        writer.runAll();

        Asked same = put("NS", "key", "value");
        Asked absentKey = delete("NS", "other");
        Asked absentNamespace = delete("other", "key");
        writer.runAll();

        assertThat(List.of(same, absentKey, absentNamespace)).allMatch(Asked::acknowledged);
        assertThat(store.saved).hasSize(1);
    }

    @Test
    void an_answer_cannot_be_changed_and_does_not_change() {
        put("NS", "key", "value");
        writer.runAll();
        Map<String, String> answer = settings.getKVListByNamespace("NS").orElseThrow();

        put("NS", "key", "other");
        writer.runAll();

        assertThat(answer).isEqualTo(Map.of("key", "value"));
        assertThatThrownBy(answer::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    // ---- namespaces

    @Test
    void a_namespace_goes_with_its_last_key() {
        put("NS", "a", "1");
        put("NS", "b", "2");
        writer.runAll();

        delete("NS", "a");
        writer.runAll();
        Optional<Map<String, String>> withOneLeft = settings.getKVListByNamespace("NS");
        delete("NS", "b");
        writer.runAll();

        assertThat(withOneLeft).contains(Map.of("b", "2"));
        assertThat(settings.getKVListByNamespace("NS")).isEmpty();
        assertThat(store.saved.get(store.saved.size() - 1)).isEmpty();
    }

    @Test
    void the_namespace_of_order_topics_stays_when_it_is_emptied() {
        put(NAMESPACE_ORDER_TOPIC_CONFIG, "orders", "broker-a:4");
        writer.runAll();

        delete(NAMESPACE_ORDER_TOPIC_CONFIG, "orders");
        writer.runAll();

        assertThat(settings.getKVListByNamespace(NAMESPACE_ORDER_TOPIC_CONFIG)).contains(Map.of());
        assertThat(store.saved.get(1)).isEqualTo(Map.of(NAMESPACE_ORDER_TOPIC_CONFIG, Map.of()));
    }

    @Test
    void the_namespace_of_order_topics_does_not_come_by_a_delete() {
        delete(NAMESPACE_ORDER_TOPIC_CONFIG, "orders");
        writer.runAll();

        assertThat(settings.getKVListByNamespace(NAMESPACE_ORDER_TOPIC_CONFIG)).isEmpty();
        assertThat(store.saved).isEmpty();
    }

    @Test
    void a_key_put_and_deleted_in_one_write_leaves_no_namespace() {
        put("NS", "key", "value");
        delete("NS", "key");
        writer.runAll();

        assertThat(settings.getKVListByNamespace("NS")).isEmpty();
    }

    // ---- group commit

    @Test
    void changes_that_wait_for_the_store_go_into_one_write_in_their_order() {
        List<Asked> changes = List.of(
                put("NS", "a", "1"), put("NS", "a", "2"), put("NS", "b", "3"), delete("NS", "b"), put("M", "c", "4"));

        writer.runAll();

        assertThat(changes).allMatch(Asked::acknowledged);
        assertThat(store.saved).containsExactly(Map.of("NS", Map.of("a", "2"), "M", Map.of("c", "4")));
    }

    @Test
    void changes_that_come_during_a_write_go_into_the_next() {
        List<Asked> late = new ArrayList<>();
        store.whileSaving = () -> {
            late.add(put("NS", "b", "2"));
            late.add(put("NS", "c", "3"));
        };
        put("NS", "a", "1");

        writer.runAll();

        assertThat(late).hasSize(2).allMatch(Asked::acknowledged);
        assertThat(store.saved)
                .containsExactly(Map.of("NS", Map.of("a", "1")), Map.of("NS", Map.of("a", "1", "b", "2", "c", "3")));
        assertThat(writer.accepted).isEqualTo(1);
    }

    @Test
    void a_change_that_an_acknowledgement_asks_for_is_written_too() {
        List<Asked> next = new ArrayList<>();
        CompletableFuture<Void> unused =
                settings.putKVConfig("NS", "a", "1").toCompletableFuture().thenRun(() -> next.add(put("NS", "b", "2")));

        writer.runAll();

        assertThat(next).hasSize(1).allMatch(Asked::acknowledged);
        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("a", "1", "b", "2"));
    }

    // ---- failures

    @Test
    void when_a_write_fails_its_changes_are_as_if_never_asked_for() {
        put("NS", "a", "1");
        writer.runAll();
        store.failure = new IOException("disk full");

        Asked replaced = put("NS", "a", "2");
        Asked added = put("NS", "b", "3");
        writer.runAll();

        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("a", "1"));
        assertThat(replaced.failure()).hasMessage("disk full");
        assertThat(added.failure()).hasMessage("disk full");
    }

    @Test
    void after_a_failed_write_the_next_one_may_succeed_without_the_failed_changes() {
        store.failure = new IOException("disk full");
        put("NS", "a", "1");
        writer.runAll();
        store.failure = null;

        Asked next = put("NS", "b", "2");
        writer.runAll();

        assertThat(next.acknowledged()).isTrue();
        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("b", "2"));
    }

    @Test
    void a_store_that_breaks_fails_its_changes_and_not_the_next_ones() {
        store.breakage = new IllegalStateException("bug");
        Asked broken = put("NS", "a", "1");
        writer.runAll();
        store.breakage = null;

        Asked next = put("NS", "b", "2");
        writer.runAll();

        assertThat(broken.failure()).hasMessage("bug");
        assertThat(next.acknowledged()).isTrue();
    }

    /** An error, such as memory running out, must not leave every later change waiting for ever. */
    @Test
    void an_error_of_the_store_fails_its_changes_and_not_the_next_ones() {
        store.breakage = new OutOfMemoryError("for a test");
        Asked broken = put("NS", "a", "1");
        writer.runAll();
        store.breakage = null;

        Asked next = put("NS", "b", "2");
        writer.runAll();

        assertThat(broken.failure()).isInstanceOf(OutOfMemoryError.class);
        assertThat(next.acknowledged()).isTrue();
        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("b", "2"));
    }

    @Test
    void a_writer_that_takes_no_more_work_fails_the_change() {
        writer.refuse = true;
        Asked refused = put("NS", "a", "1");
        writer.refuse = false;

        Asked next = put("NS", "b", "2");
        writer.runAll();

        assertThat(refused.failure()).isInstanceOf(RejectedExecutionException.class);
        assertThat(next.acknowledged()).isTrue();
        assertThat(settings.getKVListByNamespace("NS")).contains(Map.of("b", "2"));
    }

    // ---- limits

    @Test
    void a_namespace_beyond_the_limit_is_refused_and_the_others_take_keys() {
        KVConfigManager limited = limited(new Limits(2, 100, 1000, 1000));
        limited.putKVConfig("A", "a", "1");
        limited.putKVConfig("B", "a", "1");

        assertThat(reached(limited, "C", "a", "1")).contains(new ReachedLimit("kvNamespacesMax", 2));
        assertThat(reached(limited, "B", "b", "1")).isEmpty();
        limited.deleteKVConfig("A", "a");
        assertThat(reached(limited, "C", "a", "1")).isEmpty();
    }

    @Test
    void a_key_beyond_the_limit_is_refused_and_those_that_are_there_can_be_replaced() {
        KVConfigManager limited = limited(new Limits(10, 2, 1000, 1000));
        limited.putKVConfig("A", "a", "1");
        limited.putKVConfig("B", "b", "1");

        assertThat(reached(limited, "A", "c", "1")).contains(new ReachedLimit("kvKeysMax", 2));
        assertThat(reached(limited, "A", "a", "22")).isEmpty();
        limited.deleteKVConfig("B", "b");
        assertThat(reached(limited, "A", "c", "1")).isEmpty();
    }

    @Test
    void all_texts_together_are_limited_in_bytes_and_what_is_smaller_is_taken() {
        KVConfigManager limited = limited(new Limits(10, 10, 1000, 10));
        limited.putKVConfig("ns", "k", "éé");

        assertThat(reached(limited, "ns", "l", "123")).contains(new ReachedLimit("kvTotalMax", 10));
        assertThat(reached(limited, "ns", "k", "12345678")).contains(new ReachedLimit("kvTotalMax", 10));
        assertThat(reached(limited, "ns", "k", "1234567")).isEmpty();
        assertThat(reached(limited, "ns", "k", "1")).isEmpty();
        assertThat(reached(limited, "ns", "l", "12345")).isEmpty();
    }

    @Test
    void the_texts_of_one_namespace_are_limited_as_they_are_in_json() {
        KVConfigManager limited = limited(new Limits(10, 10, 20, 1000));
        limited.putKVConfig("ns", "k", "\u0001\u0002");

        assertThat(reached(limited, "ns", "l", "1234567")).contains(new ReachedLimit("kvNamespaceMax", 20));
        assertThat(reached(limited, "ns", "l", "\"\"12")).isEmpty();
        assertThat(reached(limited, "other", "l", "12345678")).isEmpty();
        limited.deleteKVConfig("ns", "k");
        assertThat(reached(limited, "ns", "m", "123456789012")).isEmpty();
        assertThat(reached(limited, "ns", "n", "")).contains(new ReachedLimit("kvNamespaceMax", 20));
    }

    @Test
    void what_was_loaded_beyond_the_limits_stays_and_can_be_made_smaller() {
        KVConfigManager limited = new KVConfigManager(
                Map.of("A", Map.of("a", "123"), "B", Map.of("b", "123")),
                store,
                Runnable::run,
                new Limits(1, 1, 1000, 1));

        assertThat(limited.getKVConfig("B", "b")).contains("123");
        assertThat(reached(limited, "B", "b", "12")).isEmpty();
        assertThat(reached(limited, "B", "b", "123")).contains(new ReachedLimit("kvTotalMax", 1));
    }

    @Test
    void a_refusal_within_a_burst_leaves_its_neighbours_alone() {
        KVConfigManager limited = new KVConfigManager(Map.of(), store, writer, new Limits(10, 2, 1000, 1000));
        List<Asked> asked = new ArrayList<>();
        for (String key : List.of("a", "b", "c", "a")) {
            asked.add(new Asked(limited.putKVConfig("NS", key, "1")));
        }

        writer.runAll();

        assertThat(asked.stream().map(Asked::limit))
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new ReachedLimit("kvKeysMax", 2)),
                        Optional.empty());
        assertThat(limited.getKVListByNamespace("NS")).contains(Map.of("a", "1", "b", "1"));
    }

    private KVConfigManager limited(Limits limits) {
        return new KVConfigManager(Map.of(), store, Runnable::run, limits);
    }

    private static Optional<ReachedLimit> reached(KVConfigManager limited, String namespace, String key, String value) {
        return new Asked(limited.putKVConfig(namespace, key, value)).limit();
    }

    private Asked put(String namespace, String key, String value) {
        return new Asked(settings.putKVConfig(namespace, key, value));
    }

    private Asked delete(String namespace, String key) {
        return new Asked(settings.deleteKVConfig(namespace, key));
    }

    /** What was asked for, and what has become of it so far. */
    private static final class Asked {
        private boolean done;
        private Optional<ReachedLimit> limit = Optional.empty();
        private @Nullable Throwable failure;

        Asked(CompletionStage<Optional<ReachedLimit>> stage) {
            CompletableFuture<?> unused = stage.toCompletableFuture().whenComplete((reached, cause) -> {
                done = true;
                limit = cause == null ? reached : Optional.empty();
                failure = cause;
            });
        }

        boolean acknowledged() {
            return done && failure == null && limit.isEmpty();
        }

        Optional<ReachedLimit> limit() {
            return limit;
        }

        @Nullable
        Throwable failure() {
            return failure;
        }
    }

    /** Keeps what it was given, or fails as told. */
    private static final class FakeStore implements KVConfigManager.Store {
        final List<Map<String, Map<String, String>>> saved = new ArrayList<>();

        @Nullable
        IOException failure;

        /** A {@link RuntimeException} or an {@link Error}. */
        @Nullable
        Throwable breakage;

        /** Run once, within the next write. */
        @Nullable
        Runnable whileSaving;

        @Override
        public void save(Map<String, Map<String, String>> configTable) throws IOException {
            Runnable meanwhile = whileSaving;
            whileSaving = null;
            if (meanwhile != null) {
                meanwhile.run();
            }
            if (failure != null) {
                throw failure;
            }
            if (breakage instanceof RuntimeException broken) {
                throw broken;
            }
            if (breakage instanceof Error error) {
                throw error;
            }
            saved.add(configTable);
        }
    }

    /** Holds its tasks until a test runs them. */
    private static final class HeldExecutor implements Executor {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        int accepted;
        boolean refuse;

        @Override
        public void execute(Runnable task) {
            if (refuse) {
                throw new RejectedExecutionException("shut down");
            }
            accepted++;
            tasks.add(task);
        }

        /** As a thread of a pool would, it outlives a task that throws. */
        void runAll() {
            while (!tasks.isEmpty()) {
                try {
                    tasks.removeFirst().run();
                } catch (Error lost) {
                    // the pool's own matter
                }
            }
        }
    }
}
