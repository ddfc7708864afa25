package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Code 105 with routeWaitMillis, asked by many at a time. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ManyRouteWaitsDaemonTest {
    private static final Logger log = LoggerFactory.getLogger(ManyRouteWaitsDaemonTest.class);
    private static final Request ROUTE = Request.of(105).with("topic", "t1");
    private static final int WAITERS = 10_000;

    /** A number of queries that are sent at once. */
    private static final int STEP = 250;

    private static final String PADDING = "x".repeat(10_000);

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    private Request waiting() throws IOException {
        String version = daemon.ask(ROUTE.with("routeVersion", "0")).fields().get("routeVersion");
        return ROUTE.with("routeVersion", version).with("routeWaitMillis", "30000");
    }

    private void awaitWaiting(int number) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(20))
                .until(() -> daemon.controller().routeWaiters().waiting() == number);
    }

    /** Reads so many answers, each a route, on a thread of its own; gives the time of the last. */
    private static CompletableFuture<Long> readAll(Peer peer, int number) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        AtomicLong last = new AtomicLong();
                        List<Reply> replies = peer.next(number, () -> last.set(System.nanoTime()));
                        assertThat(replies)
                                .allMatch(reply ->
                                        reply.code() == 0 && !reply.body().isEmpty());
                        return last.get();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                work -> new Thread(work, "reader").start());
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("namesrv-"))
                .count();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Lets more wait until so many do, all together; not faster than they are taken, or those in the queue are shed. */
    private void letWait(List<Peer> peers, Request request, int number) throws IOException {
        int waiting = daemon.controller().routeWaiters().waiting();
        for (int turn = 0; waiting < number; turn++) {
            int more = Math.min(STEP, number - waiting);
            peers.get(turn % peers.size()).sendAll(Collections.nCopies(more, request));
            waiting += more;
            awaitWaiting(waiting);
        }
    }

    @Test
    void ten_thousand_wait_without_a_thread_and_without_their_requests_and_their_connections_are_read_on()
            throws Exception {
        daemon.register(master());
        Request padded = waiting().with("padding", PADDING);
        try (Peer one = daemon.connect();
                Peer other = daemon.connect()) {
            List<Peer> peers = List.of(one, other);
            letWait(peers, padded, 2 * STEP);
            long threadsBefore = threads();
            long heapBefore = usedHeap();

            letWait(peers, padded, WAITERS);

            assertThat(threads()).isEqualTo(threadsBefore);
            assertThat(usedHeap() - heapBefore).isLessThan(30L << 20); // the fields of the requests were 100 MB
            assertThat(one.ask(Request.of(105).with("topic", "t2")).code()).isZero();
            one.reset();
            awaitWaiting(WAITERS / 2);
        }
        awaitWaiting(0);
    }

    @Test
    void ten_thousand_who_wait_are_told_at_once() throws Exception {
        daemon.register(master());
        try (Peer one = daemon.connect();
                Peer other = daemon.connect()) {
            List<Peer> peers = List.of(one, other);
            long best = Long.MAX_VALUE;
            for (int round = 2; round < 16; round++) {
                letWait(peers, waiting(), WAITERS);
                List<CompletableFuture<Long>> lasts =
                        peers.stream().map(peer -> readAll(peer, WAITERS / 2)).toList();

                daemon.register(master().counter(round).topics(new Topic("t1").queues(round + 10), new Topic("t2")));
                long replied = System.nanoTime();

                long last = replied;
                for (CompletableFuture<Long> each : lasts) {
                    last = Math.max(last, each.get(20, TimeUnit.SECONDS));
                }
                best = Math.min(best, last - replied);
                assertThat(daemon.controller().routeWaiters().waiting()).isZero();
            }
            log.warn("the last of {} was told {} us after the reply, at best", WAITERS, best / 1000);
            assertThat(best).isLessThan(TimeUnit.SECONDS.toNanos(1)); // 50 ms where nothing else runs
        }
    }

    @Test
    void one_who_does_not_read_has_few_answers_made_and_gets_all_of_them() throws Exception {
        for (int number = 0; number < 60; number++) {
            daemon.register(numbered(number).topics(new Topic("t1"), new Topic("u" + number)));
        }
        Request current = waiting();
        int number = 2500;
        try (Peer peer = daemon.connect()) {
            letWait(List.of(peer), current, number);

            // Each answer has some 9 KB: all of them together are beyond channelOutboundMax, which closes connections.
            daemon.register(numbered(1).counter(2).topics(new Topic("t1").queues(8), new Topic("u1")));
            daemon.register(numbered(2).counter(2).topics(new Topic("t1").queues(8), new Topic("u2")));
            await().until(() -> daemon.controller().routeWaiters().waiting() < number);
            await().during(Duration.ofMillis(300))
                    .until(() -> daemon.controller().routeWaiters().waiting() > number / 4);

            readAll(peer, number).get(20, TimeUnit.SECONDS);
            assertThat(daemon.controller().routeWaiters().waiting()).isZero();
        }
    }

    @Test
    void nobody_misses_a_change_however_they_meet() throws Exception {
        int changes = 400;
        daemon.register(master().topics(new Topic("t1").queues(1), new Topic("t2")));
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            callers.add(CompletableFuture.runAsync(() -> waitFor(changes), work -> new Thread(work, "caller").start()));
        }

        for (int change = 2; change <= changes; change++) {
            daemon.register(master().counter(change).topics(new Topic("t1").queues(change), new Topic("t2")));
        }

        // One who missed the last change would wait for 30 seconds.
        for (CompletableFuture<Void> caller : callers) {
            caller.get(20, TimeUnit.SECONDS);
        }
        assertThat(daemon.controller().routeWaiters().waiting()).isZero();
    }

    /** Waits again and again until the route has so many queues; one answer never brings less than the one before. */
    private void waitFor(int queues) {
        try (Peer peer = daemon.connect()) {
            Request asked = ROUTE.with("routeVersion", "0").with("routeWaitMillis", "30000");
            int seen = 0;
            while (seen < queues) {
                Reply reply = peer.ask(asked);
                assertThat(reply.fields()).doesNotContainKey("routeUnchanged");
                int now = Integer.parseInt(reply.body().replaceFirst("(?s).*\"readQueueNums\":(\\d+).*", "$1"));
                assertThat(now).isGreaterThan(seen);
                seen = now;
                asked = asked.with("routeVersion", reply.fields().get("routeVersion"));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
