package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.ClusterTraffic.Amount;
import io.namesrv.server.daemon.ClusterTraffic.Deed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 at any moment, while brokers register and operators write: what was acknowledged is there after it, and so are the routes. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class KillChaosIT {
    private static final Amount SOME = new Amount(4, 2, 5, EnumSet.of(Deed.UNREGISTER, Deed.BREAK_OFF));
    private static final Duration START_LIMIT = Duration.ofSeconds(3);
    private static final int WRITERS = 4;
    private static final TestBroker STEADY = TestBroker.numbered(500);

    @TempDir
    private Path home;

    @Test
    void five_kills_lose_nothing() throws Exception {
        killed(5);
    }

    @Test
    @Tag("chaos")
    void a_hundred_kills_lose_nothing_and_each_start_is_quick() throws Exception {
        List<Duration> starts = killed(100);

        assertThat(starts).allMatch(start -> start.compareTo(START_LIMIT) < 0);
    }

    /** Starts and kills it so often; tells how long the starts took. */
    private List<Duration> killed(int times) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Scripts scripts = new Scripts(home);
        List<Operator> operators = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            operators.add(new Operator("key-" + i));
        }
        List<Duration> starts = new ArrayList<>();
        for (int i = 0; i <= times; i++) {
            long began = System.nanoTime();
            try (Launched daemon = scripts.start("sh", "mqnamesrv")) {
                int port = daemon.awaitStarted();
                starts.add(Duration.ofNanos(System.nanoTime() - began));
                Peer steady = new Peer(port); // it ends with the daemon: else the broker would leave
                checkRoutes(steady, i == 0);
                for (Operator operator : operators) {
                    operator.check(port);
                }
                try (ClusterTraffic traffic = ClusterTraffic.start(port, seed + 100L * i, SOME)) {
                    List<Thread> writing = operators.stream()
                            .map(operator -> operator.start(port))
                            .toList();
                    Thread.sleep(random.nextInt(700));
                    traffic.daemonMayEnd();
                    daemon.signal("KILL");
                    daemon.end();
                    steady.close();
                    for (Thread thread : writing) {
                        thread.join();
                    }
                    traffic.end();
                }
            }
        }
        long acknowledged =
                operators.stream().mapToLong(operator -> operator.acknowledged).sum();
        System.out.printf("seed %d: %d kills, %d writes acknowledged, starts %s%n", seed, times, acknowledged, starts);
        assertThat(acknowledged).isGreaterThan(times);
        return starts;
    }

    /**
     * The routes of a broker that has long been there are known from the first query on; it comes back. What the traffic
     * of the former round left is taken away: the next one begins with nothing of its own.
     */
    private void checkRoutes(Peer peer, boolean first) throws IOException {
        assertThat(peer.ask(Request.of(105).with("topic", "t500a")).code()).isEqualTo(first ? 17 : 0);
        TestDaemon.register(peer, STEADY);
        for (int broker = 0; broker < SOME.brokers(); broker++) {
            Request leave = TestBroker.numbered(broker)
                    .cluster("traffic")
                    .name("h" + broker)
                    .unregister();
            assertThat(peer.ask(leave)).isEqualTo(Reply.SUCCESS);
        }
        if (first) {
            Path changes = home.resolve(".rocketmq_data/namesrv/routeinfo/inc-0.log");
            await().until(() ->
                    Files.exists(changes) && Files.readString(changes).contains("t500b"));
        }
    }

    /** Counts up the value of a key, one write after another, as long as the daemon is there. */
    private static final class Operator {
        private final Request key;
        private long asked;
        private long acknowledged;
        private Optional<Throwable> failure = Optional.empty();

        Operator(String key) {
            this.key = Request.of(100).with("namespace", "chaos").with("key", key);
        }

        Thread start(int port) {
            Thread thread = new Thread(() -> write(port), "operator");
            thread.setDaemon(true);
            thread.start();
            return thread;
        }

        private void write(int port) {
            try (Peer peer = new Peer(port)) {
                while (true) {
                    asked++;
                    assertThat(peer.ask(key.with("value", asked))).isEqualTo(Reply.SUCCESS);
                    acknowledged = asked;
                }
            } catch (IOException killed) {
                // What was asked last may be written or not.
            } catch (Throwable failed) {
                failure = Optional.of(failed);
            }
        }

        void check(int port) throws IOException {
            try (Peer peer = new Peer(port)) {
                Reply found = peer.ask(Request.of(101)
                        .with("namespace", "chaos")
                        .with("key", key.fields().get("key")));
                long value = found.code() == 0 ? Long.parseLong(found.fields().get("value")) : 0;
                assertThat(failure).isEmpty();
                assertThat(value).isBetween(acknowledged, asked);
                asked = value;
                acknowledged = value; // what was seen may not be lost any more
            }
        }
    }
}
