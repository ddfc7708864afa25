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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon is held for longer than a broker may be silent: whoever lives stays, who is dead goes when it is due. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("chaos")
final class PauseChaosIT {
    private static final Duration PAUSE = Duration.ofSeconds(150);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int LIVING = 8;

    @TempDir
    private Path home;

    @Test
    void nobody_living_is_lost_and_the_dead_one_goes() throws Exception {
        try (Launched daemon = new Scripts(home).start("sh", "mqnamesrv")) {
            int port = daemon.awaitStarted();
            List<Peer> living = new ArrayList<>();
            try (Peer dead = new Peer(port)) {
                TestDaemon.register(dead, broker(0));
                for (int i = 1; i <= LIVING; i++) {
                    living.add(new Peer(port));
                    TestDaemon.register(living.get(i - 1), broker(i));
                }
                Peer impatient = new Peer(port);
                TestDaemon.register(impatient, broker(LIVING + 1));

                daemon.signal("STOP");
                long stopped = System.nanoTime();
                impatient.close();
                int heartbeats = 0;
                while (since(stopped).compareTo(PAUSE) < 0) {
                    heartbeats++;
                    for (int i = 1; i <= LIVING; i++) {
                        living.get(i - 1).send(broker(i).heartbeat());
                    }
                    Thread.sleep(HEARTBEAT.toMillis());
                }
                daemon.signal("CONT");
                long goesOn = System.nanoTime();

                try (Peer client = new Peer(port)) {
                    awaitAnswers(living, heartbeats);
                    boolean back = false;
                    while (since(goesOn).compareTo(GRACE.plusSeconds(15)) < 0) {
                        for (int i = 1; i <= LIVING + 1; i++) {
                            assertThat(isShown(client, i)).as("broker " + i).isTrue();
                        }
                        if (!back && since(goesOn).compareTo(GRACE.dividedBy(2)) > 0) {
                            impatient = new Peer(port);
                            TestDaemon.register(impatient, broker(LIVING + 1));
                            back = true;
                        }
                        heartbeats(living);
                        Thread.sleep(200);
                    }
                    impatient.close();
                    await().atMost(Duration.ofSeconds(10)).until(() -> !isShown(client, LIVING + 1));
                    await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> {
                        heartbeats(living);
                        return !isShown(client, 0);
                    });
                    assertThat(since(goesOn)).isLessThan(TIMEOUT.plusSeconds(35));
                    for (int i = 1; i <= LIVING; i++) {
                        assertThat(isShown(client, i)).as("broker " + i).isTrue();
                    }
                }
            } finally {
                for (Peer peer : living) {
                    peer.close();
                }
            }
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static TestBroker broker(int number) {
        return TestBroker.numbered(number);
    }

    private static void awaitAnswers(List<Peer> living, int heartbeats) throws IOException {
        for (Peer peer : living) {
            for (int sent = 0; sent < heartbeats; sent++) {
                assertThat(peer.next()).isEqualTo(Reply.SUCCESS);
            }
        }
    }

    private static void heartbeats(List<Peer> living) throws IOException {
        for (int i = 1; i <= LIVING; i++) {
            assertThat(living.get(i - 1).ask(broker(i).heartbeat())).isEqualTo(Reply.SUCCESS);
        }
    }

    private static boolean isShown(Peer client, int number) throws IOException {
        Reply route = client.ask(Request.of(105).with("topic", "t" + number + "a"));
        return route.code() == 0 && route.body().contains("\"b" + number + "\"");
    }
}
