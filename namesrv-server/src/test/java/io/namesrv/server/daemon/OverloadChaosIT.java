package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.ClusterTraffic.Amount;
import io.namesrv.server.daemon.ClusterTraffic.Deed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More questions than can be answered: brokers are heard all the while, and afterwards all is as before. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OverloadChaosIT {
    private static final Amount STEADY = new Amount(6, 2, 100, EnumSet.of(Deed.UNREGISTER));
    private static final int TOPICS = 5_000;
    private static final int CROWD = 32;
    private static final Request ROUTE = Request.of(105).with("topic", "t1a");

    @TempDir
    private Path home;

    @Test
    void a_flood_of_questions_for_a_while() throws Exception {
        flood(Duration.ofSeconds(5));
    }

    @Test
    @Tag("chaos")
    void a_flood_of_questions_for_a_minute() throws Exception {
        flood(Duration.ofSeconds(60));
    }

    private void flood(Duration time) throws Exception {
        Scripts scripts = new Scripts(home).with("JAVA_OPT", "-Duser.home=" + home);
        try (Launched daemon = scripts.start("sh", "mqnamesrv");
                Peer honest = new Peer(daemon.awaitStarted())) {
            int port = daemon.awaitStarted();
            TestDaemon.register(honest, TestBroker.numbered(1));
            TestDaemon.register(honest, large());
            ninetiethPercentile(honest, 3_000);
            Duration usual = ninetiethPercentile(honest, 1_000);

            Duration flooded;
            try (ClusterTraffic traffic = ClusterTraffic.start(port, 1, STEADY)) {
                List<Flood> crowd = new ArrayList<>();
                long begin = System.nanoTime();
                try {
                    for (int i = 0; i < CROWD; i++) {
                        crowd.add(new Flood(port));
                    }
                    flooded = ninetiethPercentile(honest, 20);
                    while (System.nanoTime() - begin < time.toNanos()) {
                        assertThat(honest.ask(TestBroker.numbered(1).heartbeat()))
                                .isEqualTo(Reply.SUCCESS);
                        Thread.sleep(50);
                    }
                } finally {
                    for (Flood flood : crowd) {
                        flood.close();
                    }
                }
                History history = traffic.end();
                System.out.printf(
                        "90 %% within %s before, %s in the flood; %d changes and %d answers in it, %d refused%n",
                        usual, flooded, history.changes(), history.answers(), traffic.refused());
            }
            assertThat(flooded).as("it was a flood").isGreaterThan(Duration.ofMillis(20));

            Duration again = usual.multipliedBy(3).plusMillis(5);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> ninetiethPercentile(honest, 200).compareTo(again) < 0);
        }
    }

    private static TestBroker large() {
        TestBroker.Topic[] topics = new TestBroker.Topic[TOPICS];
        Arrays.setAll(topics, i -> new TestBroker.Topic("a-topic-with-a-long-name-" + i));
        return TestBroker.numbered(2).topics(topics);
    }

    /** The time within which nine of ten questions are answered, one after another; whether with a route or with code 2. */
    private static Duration ninetiethPercentile(Peer peer, int questions) throws IOException {
        long[] took = new long[questions];
        for (int i = 0; i < questions; i++) {
            long begin = System.nanoTime();
            assertThat(peer.ask(ROUTE).code()).isIn(0, 2);
            took[i] = System.nanoTime() - begin;
        }
        Arrays.sort(took);
        return Duration.ofNanos(took[questions * 9 / 10]);
    }

    /** One of a crowd that asks without waiting for answers, and takes them as they come. */
    private static final class Flood implements AutoCloseable {
        private static final byte[] QUESTIONS = Request.bytes(out -> {
            for (int i = 0; i < 64; i++) {
                out.write((i % 8 == 0 ? Request.of(206) : ROUTE).opaque(i).frame());
            }
        });

        private final Socket socket;

        Flood(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            run("asking", () -> {
                OutputStream out = socket.getOutputStream();
                while (true) {
                    out.write(QUESTIONS);
                }
            });
            run("taking", () -> {
                InputStream in = socket.getInputStream();
                byte[] some = new byte[1 << 16];
                while (in.read(some) >= 0) {
                    Thread.onSpinWait();
                }
            });
        }

        @FunctionalInterface
        private interface Part {
            void run() throws IOException;
        }

        private static void run(String name, Part part) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            part.run();
                        } catch (IOException ended) {
                            // by close
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
