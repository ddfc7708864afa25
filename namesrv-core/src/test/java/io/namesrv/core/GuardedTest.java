package io.namesrv.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(30)
class GuardedTest {
    private final Guarded<List<String>> guarded = new Guarded<>(new ArrayList<>());

    @Test
    void queries_and_changes_return_what_their_action_returns() {
        boolean added = guarded.write(list -> list.add("a"));
        int size = guarded.read(List::size);

        assertThat(added).isTrue();
        assertThat(size).isEqualTo(1);
    }

    @Test
    void an_action_that_throws_lets_the_lock_go() throws Exception {
        assertThatThrownBy(() -> guarded.write(list -> list.get(7))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> guarded.read(list -> list.get(7))).isInstanceOf(IndexOutOfBoundsException.class);

        CompletableFuture<Boolean> another = CompletableFuture.supplyAsync(() -> guarded.write(list -> list.add("a")));

        assertThat(another.get(10, TimeUnit.SECONDS)).isTrue();
    }

    /** In the original an interrupt while waiting for the lock ended in a second exception that hid the first. */
    @Test
    void fault_20_an_interrupt_neither_breaks_an_action_nor_gets_lost() {
        Thread.currentThread().interrupt();

        boolean added = guarded.write(list -> list.add("a"));

        assertThat(added).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void two_queries_run_beside_each_other() throws Exception {
        CountDownLatch both = new CountDownLatch(2);

        List<CompletableFuture<Boolean>> queries = List.of(
                CompletableFuture.supplyAsync(() -> guarded.read(list -> met(both)), GuardedTest::onOwnThread),
                CompletableFuture.supplyAsync(() -> guarded.read(list -> met(both)), GuardedTest::onOwnThread));

        for (CompletableFuture<Boolean> query : queries) {
            assertThat(query.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void onOwnThread(Runnable task) {
        new Thread(task, "query").start();
    }

    private static boolean met(CountDownLatch both) {
        both.countDown();
        try {
            return both.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
