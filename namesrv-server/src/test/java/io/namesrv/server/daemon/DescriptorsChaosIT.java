package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Few open files, many connections: those that are there are served, and the port is no furnace. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class DescriptorsChaosIT {
    private static final TestBroker BROKER = TestBroker.numbered(1);

    @TempDir
    private Path home;

    @Test
    void with_64_open_files_200_connections_are_refused_and_the_first_one_is_served() throws Exception {
        Scripts scripts = new Scripts(home);
        try (Launched daemon = scripts.start("sh", "-c", "ulimit -n 64 && exec sh mqnamesrv")) {
            int port = daemon.awaitStarted();
            List<Peer> crowd = new ArrayList<>();
            try (Peer first = new Peer(port)) {
                TestDaemon.register(first, BROKER);
                for (int i = 0; i < 200; i++) {
                    crowd.add(new Peer(port));
                }
                assertServed(first);

                Duration before = daemon.cpu();
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < Duration.ofSeconds(3).toNanos()) {
                    assertServed(first);
                    Thread.sleep(100);
                }
                assertThat(daemon.cpu().minus(before)).isLessThan(Duration.ofMillis(1_500));
                assertThat(first.ask(Request.of(100)
                                .with("namespace", "ns")
                                .with("key", "k")
                                .with("value", "v")))
                        .as("files can be opened all the while")
                        .isEqualTo(Reply.SUCCESS);
            } finally {
                for (Peer peer : crowd) {
                    peer.close();
                }
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> isServed(port));
        }
    }

    private static void assertServed(Peer peer) throws IOException {
        assertThat(peer.ask(BROKER.heartbeat())).isEqualTo(Reply.SUCCESS);
        assertThat(peer.ask(Request.of(105).with("topic", "t1a")).code()).isZero();
    }

    private static boolean isServed(int port) {
        try (Peer peer = new Peer(port)) {
            return peer.ask(Request.of(106)).code() == 0;
        } catch (IOException refused) {
            return false;
        }
    }
}
