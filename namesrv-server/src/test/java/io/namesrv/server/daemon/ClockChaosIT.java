package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock of the machine is set, far and back, under a daemon that runs (libfaketime): nobody is lost or kept over it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("chaos")
final class ClockChaosIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);
    private static final DateTimeFormatter OF_THE_LOG = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSxxx");

    @TempDir
    private Path home;

    @Test
    void nothing_is_evicted_and_nothing_stays_over_a_clock_that_is_set() throws Exception {
        Optional<Path> library = fakeTime();
        assumeTrue(library.isPresent(), "no libfaketime here (Debian: faketime)");
        Path offset = Files.writeString(home.resolve("offset"), "+0");
        Scripts scripts = new Scripts(home)
                .with("LD_PRELOAD", library.orElseThrow().toString())
                .with("FAKETIME_TIMESTAMP_FILE", offset.toString())
                .with("FAKETIME_CACHE_DURATION", "1")
                .with("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .with("NAMESRV_CONF_SCAN_NOT_ACTIVE_BROKER_INTERVAL", "500");
        try (Launched daemon = scripts.start("sh", "mqnamesrv");
                Peer living = new Peer(daemon.awaitStarted());
                Peer client = new Peer(daemon.awaitStarted())) {
            TestBroker alive = TestBroker.numbered(0).with("heartbeatTimeoutMillis", TIMEOUT.toMillis());
            TestDaemon.register(living, alive);
            int number = 0;
            for (Duration jump : List.of(
                    Duration.ofHours(1),
                    Duration.ofHours(-1),
                    Duration.ofDays(1),
                    Duration.ofDays(-1),
                    Duration.ofDays(-20_000),
                    Duration.ofDays(3_650),
                    Duration.ZERO)) {
                number++;
                Peer mute = new Peer(daemon.awaitStarted());
                long from = System.nanoTime();
                TestBroker silent = TestBroker.numbered(number).with("heartbeatTimeoutMillis", TIMEOUT.toMillis());
                TestDaemon.register(mute, silent);
                Files.writeString(offset, (jump.isNegative() ? "" : "+") + jump.toSeconds());

                int shown = number;
                await().atMost(TIMEOUT.plusSeconds(10))
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> {
                            assertThat(living.ask(alive.heartbeat())).isEqualTo(Reply.SUCCESS);
                            assertThat(isShown(client, 0)).isTrue();
                            return !isShown(client, shown);
                        });
                assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(TIMEOUT);
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(Duration.between(Instant.now(), lastOfLog()))
                                .as("the daemon's clock was set")
                                .isBetween(jump.minusSeconds(60), jump.plusSeconds(60)));
                mute.close();
            }
        }
    }

    private static boolean isShown(Peer client, int number) throws IOException {
        return client.ask(Request.of(106)).body().contains("\"b" + number + "\"");
    }

    /** When the last line of its log was written, by its own clock: the departure. */
    private Instant lastOfLog() throws IOException {
        List<String> lines = Files.readAllLines(home.resolve("logs/rocketmqlogs/namesrv.log"));
        String time = lines.get(lines.size() - 1).substring(0, "2026-01-01 00:00:00.000+00:00".length());
        return OffsetDateTime.parse(time, OF_THE_LOG).toInstant();
    }

    private static Optional<Path> fakeTime() throws IOException {
        try (Stream<Path> libraries = Files.find(
                Path.of("/usr/lib"), 3, (path, attributes) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
            return libraries.findFirst();
        }
    }
}
