package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Little memory and peers that want all of it: it serves, or it ends and is there again; it is never alive and mute. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class SmallMemoryChaosIT {
    /** Five seconds are promised, to which a start on a busy machine is added. */
    private static final Duration MUTE_LIMIT = Duration.ofSeconds(10);

    private static final int TOPICS = 2_000;

    @TempDir
    private Path home;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger registered = new AtomicInteger();
    private volatile boolean ended;

    @Test
    void attacked_with_96_MiB_for_a_while() throws Exception {
        attacked(Duration.ofSeconds(8));
    }

    @Test
    @Tag("chaos")
    void attacked_with_96_MiB_for_two_minutes() throws Exception {
        attacked(Duration.ofMinutes(2));
    }

    private void attacked(Duration time) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Scripts scripts = new Scripts(home)
                .with("JAVA_OPT_EXT", "-Xmx96m")
                .with("NAMESRV_CONF_LISTEN_PORT", Integer.toString(port));
        Launched daemon = scripts.start("sh", "mqnamesrv");
        List<Thread> attackers = new ArrayList<>();
        int starts = 1;
        Duration longest = Duration.ZERO;
        try {
            daemon.awaitStarted();
            for (Hostility hostility : Hostility.values()) {
                Random random = new Random(1);
                attackers.add(run(hostility.name(), () -> hostility.attack(port, random)));
            }
            long begin = System.nanoTime();
            long answered = begin;
            Thread broker = run("broker", () -> {
                if (canRegister(port)) {
                    registered.incrementAndGet();
                }
            });
            attackers.add(broker);
            while (System.nanoTime() - begin < time.toNanos()) {
                if (!daemon.isAlive()) {
                    daemon.close();
                    daemon = scripts.start("sh", "mqnamesrv"); // as a supervisor does
                    starts++;
                }
                if (isAnswered(port)) {
                    Duration mute = Duration.ofNanos(System.nanoTime() - answered);
                    longest = longest.compareTo(mute) > 0 ? longest : mute;
                    answered = System.nanoTime();
                }
                assertThat(Duration.ofNanos(System.nanoTime() - answered))
                        .as("nothing is answered: " + daemon.out() + daemon.err())
                        .isLessThan(MUTE_LIMIT);
                Thread.sleep(50);
            }
            System.out.printf(
                    "longest without an answer %s, %s registrations, %d starts%n", longest, registered, starts);
            end(attackers);
            assertThat(failures).isEmpty();
            await().atMost(Duration.ofSeconds(20)).until(() -> canRegister(port));
        } finally {
            end(attackers);
            daemon.close();
        }
    }

    private void end(List<Thread> attackers) throws InterruptedException {
        ended = true;
        for (Thread attacker : attackers) {
            attacker.join();
        }
    }

    @FunctionalInterface
    private interface Deed {
        void run() throws IOException;
    }

    /** Again and again, until the end. */
    private Thread run(String name, Deed deed) {
        Thread thread = new Thread(
                () -> {
                    while (!ended) {
                        try {
                            deed.run();
                        } catch (IOException cutOff) {
                            // as it may be
                        } catch (Throwable failed) {
                            failures.add(failed);
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static boolean isAnswered(int port) {
        try (Peer peer = new Peer(port)) {
            return peer.ask(TestBroker.numbered(1).heartbeat()).code() == 0;
        } catch (IOException cutOff) {
            return false;
        }
    }

    /** Whether a broker that has some topics can register, and is found. */
    private static boolean canRegister(int port) {
        TestBroker.Topic[] topics = new TestBroker.Topic[TOPICS];
        Arrays.setAll(topics, i -> new TestBroker.Topic("topic-" + i));
        TestBroker broker = TestBroker.numbered(1).topics(topics);
        try (Peer peer = new Peer(port)) {
            return peer.ask(broker.register()).code() == 0
                    && peer.ask(Request.of(105).with("topic", "topic-7")).code() == 0;
        } catch (IOException cutOff) {
            return false;
        }
    }

    @Test
    void a_stack_too_small_for_a_thread_is_said_at_the_start() throws Exception {
        Scripts scripts = new Scripts(home).with("JAVA_OPT_EXT", "-Xss16k");

        End end = scripts.run("sh", "mqnamesrv");

        assertThat(end.exitCode()).isNotZero();
        assertThat(end.out() + end.err()).containsIgnoringCase("stack size");
    }
}
