package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 while operators wipe write permissions and give them back, and the brokers concerned register all the time: what
 * was answered holds, before and after.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class StickyWipeKillDaemonTest {
    private static final int BROKERS = 3;
    private static final int KILLS = 3;
    private static final Pattern PERM = Pattern.compile("\"brokerName\":\"(b\\d+)\",\"perm\":(\\d+)");

    @TempDir
    private Path home;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void a_wipe_that_was_answered_holds_whatever_brokers_register_and_through_kills() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Operator> operators =
                IntStream.range(0, BROKERS).mapToObj(Operator::new).toList();
        for (int kill = 0; kill <= KILLS; kill++) {
            try (Launched daemon = launch()) {
                int port = daemon.awaitStarted();
                for (Operator operator : operators) {
                    operator.check(port);
                }
                int goal = 4 + random.nextInt(12);
                List<Thread> threads = new ArrayList<>();
                for (Operator operator : operators) {
                    long deeds = seed + 100L * kill + operator.number;
                    threads.add(start(() -> operator.wipeAndAdd(port)));
                    threads.add(start(() -> register(operator.number, port, new Random(deeds))));
                }
                long[] before = operators.stream()
                        .mapToLong(operator -> operator.acknowledged.get())
                        .toArray();
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(3))
                        .until(() -> !failures.isEmpty()
                                || operators.stream()
                                        .allMatch(operator ->
                                                operator.acknowledged.get() - before[operator.number] >= goal));
                daemon.signal("KILL");
                daemon.end();
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(failures).as("seed " + seed).isEmpty();
            }
        }
        assertThat(operators).allMatch(operator -> operator.withheldSeen > 0);
    }

    private Launched launch() throws IOException {
        return new Launched(
                home,
                Map.of(
                        "ROCKETMQ_HOME", home.toString(),
                        "NAMESRV_CONF_LISTEN_PORT", "0",
                        "NAMESRV_CONF_BIND_ADDRESS", "127.0.0.1",
                        "NAMESRV_CONF_PERM_WIPE_STICKY", "true"),
                List.of());
    }

    @FunctionalInterface
    private interface Deeds {
        void run() throws IOException;
    }

    /** Whoever loses the daemon is done. */
    private Thread start(Deeds deeds) {
        Thread thread = new Thread(() -> {
            try {
                deeds.run();
            } catch (IOException killed) {
                // What was asked last may be done or not.
            } catch (Throwable failed) {
                failures.add(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static TestBroker broker(int number) {
        return TestBroker.numbered(number).topics(new Topic("t" + number + "a"), new Topic("t" + number + "b"));
    }

    /** Registers with ever new data versions and topics, and leaves now and then. */
    private static void register(int number, int port, Random random) throws IOException {
        try (Peer peer = new Peer(port)) {
            for (int counter = 2; true; counter++) {
                Topic changing = new Topic("t" + number + "c").queues(1 + random.nextInt(8));
                TestBroker changed = broker(number)
                        .counter(counter)
                        .topics(new Topic("t" + number + "a"), new Topic("t" + number + "b"), changing);
                TestDaemon.register(peer, changed);
                if (random.nextInt(4) == 0) {
                    assertThat(peer.ask(changed.unregister())).isEqualTo(Reply.SUCCESS);
                }
            }
        }
    }

    /** Perms of a broker's topics as clients are shown them; none while it is away. */
    private static List<Integer> perms(int number, Peer client) throws IOException {
        List<Integer> perms = new ArrayList<>();
        for (String topic : List.of("a", "b", "c")) {
            Matcher perm = PERM.matcher(client.ask(Request.of(105).with("topic", "t" + number + topic))
                    .body());
            if (perm.find()) {
                assertThat(perm.group(1)).isEqualTo("b" + number);
                perms.add(Integer.valueOf(perm.group(2)));
            }
        }
        return perms;
    }

    /** Wipes the permission of one broker and gives it back, by turns; alone with it. */
    private static final class Operator {
        private final int number;
        private final Request name;
        private boolean withheld;
        private Optional<Boolean> asked = Optional.empty();
        private final AtomicLong acknowledged = new AtomicLong();
        private long withheldSeen;

        Operator(int number) {
            this.number = number;
            this.name = Request.of(205).with("brokerName", "b" + number);
        }

        void wipeAndAdd(int port) throws IOException {
            try (Peer peer = new Peer(port);
                    Peer client = new Peer(port)) {
                while (true) {
                    boolean wipe = !withheld;
                    asked = Optional.of(wipe);
                    Request request = wipe ? name : Request.of(327).with("brokerName", "b" + number);
                    assertThat(peer.ask(request).code()).isZero();
                    withheld = wipe;
                    asked = Optional.empty();
                    acknowledged.incrementAndGet();
                    look(client);
                }
            }
        }

        private void look(Peer client) throws IOException {
            for (int times = 0; times < 10; times++) {
                List<Integer> perms = perms(number, client);
                assertThat(perms).allMatch(perm -> perm == (withheld ? 4 : 6));
                withheldSeen += withheld ? perms.size() : 0;
            }
        }

        /** After a start: what was answered last, or what was asked for after it. */
        void check(int port) throws IOException {
            try (Peer peer = new Peer(port)) {
                TestDaemon.register(peer, broker(number).counter(1));
                List<Integer> perms = perms(number, peer);
                boolean found = perms.contains(4);
                assertThat(perms).hasSizeGreaterThanOrEqualTo(2).containsOnly(found ? 4 : 6);
                assertThat(found == withheld || asked.filter(a -> a == found).isPresent())
                        .as("withheld " + found + ", answered " + withheld + ", asked " + asked)
                        .isTrue();
                int code = peer.ask(Request.of(101)
                                .with("namespace", "WRITE_PERM_WIPED")
                                .with("key", "b" + number))
                        .code();
                assertThat(code).isEqualTo(found ? 0 : 22);
                withheld = found; // what was seen may not be lost any more
                asked = Optional.empty();
                peer.ask(broker(number).unregister());
            }
        }
    }
}
