package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConnectionOrderTest {
    private static final int END = -1;

    private final Lane lane = Lane.pooled("liveness", 4, 1_000_000, Duration.ZERO);

    @AfterEach
    void closeLane() {
        assertThat(lane.close(Duration.ofSeconds(20))).isTrue();
    }

    private static ConnectionOrder.Step step(Runnable work) {
        return () -> {
            work.run();
            return Optional.empty();
        };
    }

    private static void block(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One connection: what has run in its sequence, and whether two steps ever ran at once. */
    private final class Peer {
        final ConnectionOrder order = new ConnectionOrder(lane);
        final List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger overlaps = new AtomicInteger();

        void run(int number) {
            if (running.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            ran.add(number);
            running.decrementAndGet();
        }

        boolean offer(int number) {
            return order.offer(step(() -> run(number)));
        }
    }

    /** ROUTES faults 6, 8 and 18: hundreds of rounds of many connections at once. */
    @Test
    void requests_keep_their_order_and_the_end_comes_last_and_once() {
        for (int round = 0; round < 300; round++) {
            List<Peer> peers = IntStream.range(0, 8).mapToObj(i -> new Peer()).toList();
            List<Thread> feeders = new ArrayList<>();
            int count = 1 + new Random(round).nextInt(60);
            for (Peer peer : peers) {
                Thread feeder = new Thread(() -> {
                    for (int i = 0; i < count; i++) {
                        assertThat(peer.offer(i)).isTrue();
                    }
                    peer.order.end(() -> peer.run(END));
                    peer.order.end(() -> peer.run(END));
                });
                feeder.start();
                feeders.add(feeder);
            }
            feeders.forEach(ConnectionOrderTest::join);

            List<Integer> expected =
                    new ArrayList<>(IntStream.range(0, count).boxed().toList());
            expected.add(END);
            for (Peer peer : peers) {
                await().atMost(Duration.ofSeconds(20))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> peer.ran.contains(END));
                assertThat(peer.ran).as("round %s", round).isEqualTo(expected);
                assertThat(peer.overlaps).hasValue(0);
            }
        }
        assertThat(lane.waiting()).isZero();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_request_of_one_connection_does_not_wait_for_another() {
        Peer slow = new Peer();
        Peer quick = new Peer();
        CountDownLatch latch = new CountDownLatch(1);
        slow.order.offer(step(() -> block(latch)));
        slow.offer(1);

        quick.offer(1);

        await().until(() -> quick.ran.size() == 1);
        assertThat(slow.ran).isEmpty();
        latch.countDown();
    }

    @Test
    void an_answer_that_comes_later_holds_the_sequence_and_no_thread() {
        Lane oneThread = Lane.pooled("one", 1, 100, Duration.ZERO);
        ConnectionOrder order = new ConnectionOrder(oneThread);
        Peer other = new Peer();
        List<String> ran = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<String> disk = new CompletableFuture<>();
        ConnectionOrder.Step later = () -> {
            ran.add("begun");
            return Optional.<CompletionStage<?>>of(disk);
        };
        order.offer(later);
        order.offer(step(() -> ran.add("next")));
        order.end(() -> ran.add("end"));

        assertThat(oneThread.offer(() -> other.run(1))).isTrue();
        await().until(() -> other.ran.size() == 1);
        assertThat(ran).containsExactly("begun");
        disk.completeExceptionally(new IllegalStateException("full"));

        await().until(() -> ran.size() == 3);
        assertThat(ran).containsExactly("begun", "next", "end");
        oneThread.close(Duration.ofSeconds(5));
    }

    @Test
    void a_long_sequence_gives_way_to_others() {
        Lane oneThread = Lane.pooled("one", 1, 100_000, Duration.ZERO);
        ConnectionOrder greedy = new ConnectionOrder(oneThread);
        ConnectionOrder modest = new ConnectionOrder(oneThread);
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger greedyRuns = new AtomicInteger();
        AtomicInteger before = new AtomicInteger(END);
        greedy.offer(step(() -> block(latch)));
        for (int i = 0; i < 10_000; i++) {
            greedy.offer(step(greedyRuns::incrementAndGet));
        }
        modest.offer(step(() -> before.set(greedyRuns.get())));

        latch.countDown();

        await().until(() -> before.get() != END);
        assertThat(before.get()).isLessThan(100);
        oneThread.close(Duration.ofSeconds(20));
        assertThat(greedyRuns).hasValue(10_000);
    }

    @Test
    void a_full_lane_refuses_requests_but_never_the_end() {
        Lane narrow = Lane.pooled("narrow", 1, 2, Duration.ZERO);
        ConnectionOrder running = new ConnectionOrder(narrow);
        ConnectionOrder waiting = new ConnectionOrder(narrow);
        ConnectionOrder late = new ConnectionOrder(narrow);
        List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch latch = new CountDownLatch(1);
        running.offer(step(() -> block(latch)));
        await().until(() -> narrow.waiting() == 0);

        assertThat(running.offer(step(() -> ran.add(1)))).isTrue();
        assertThat(waiting.offer(step(() -> ran.add(2)))).isTrue();
        assertThat(late.offer(step(() -> ran.add(3)))).isFalse();
        late.end(() -> ran.add(END));
        assertThat(waiting.offer(step(() -> ran.add(4)))).isTrue();
        latch.countDown();

        await().until(() -> ran.size() == 4);
        assertThat(ran).containsExactlyInAnyOrder(1, 2, 4, END);
        assertThat(late.offer(step(() -> ran.add(5)))).isFalse();
        assertThat(narrow.waiting()).isZero();
        narrow.close(Duration.ofSeconds(5));
    }

    @Test
    void the_many_requests_of_one_connection_take_one_place() {
        Lane narrow = Lane.pooled("narrow", 1, 2, Duration.ZERO);
        ConnectionOrder greedy = new ConnectionOrder(narrow);
        ConnectionOrder modest = new ConnectionOrder(narrow);
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        greedy.offer(step(() -> block(latch)));
        for (int i = 0; i < 1_000; i++) {
            assertThat(greedy.offer(step(runs::incrementAndGet))).isTrue();
        }

        assertThat(narrow.waiting()).isOne();
        assertThat(modest.offer(step(runs::incrementAndGet))).isTrue();
        latch.countDown();

        await().until(() -> runs.get() == 1_001);
        assertThat(narrow.waiting()).isZero();
        narrow.close(Duration.ofSeconds(5));
    }

    @Test
    void nothing_is_accepted_after_the_end() {
        Peer peer = new Peer();
        peer.order.end(() -> peer.run(END));

        assertThat(peer.offer(1)).isFalse();
        assertThat(lane.waiting()).isZero();
        await().until(() -> peer.ran.equals(List.of(END)));
    }

    @Test
    void a_step_that_fails_does_not_stop_the_next_ones() {
        Peer peer = new Peer();
        peer.order.offer(() -> {
            throw new IllegalStateException("broken");
        });
        peer.offer(1);
        peer.order.end(() -> peer.run(END));

        await().until(() -> peer.ran.equals(List.of(1, END)));
    }

    @Test
    void the_end_is_delivered_even_when_the_lane_is_closed() {
        Lane closed = Lane.pooled("closed", 1, 10, Duration.ZERO);
        closed.close(Duration.ZERO);
        ConnectionOrder order = new ConnectionOrder(closed);
        AtomicInteger ends = new AtomicInteger();

        order.end(ends::incrementAndGet);

        assertThat(ends).hasValue(1);
    }
}
