package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.namesrv.server.daemon.ClusterTraffic.Amount;
import io.namesrv.server.daemon.ClusterTraffic.Deed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traffic and hostility, round after round, for as many minutes as {@code -Dchaos.minutes} says, with Netty watching every
 * buffer: none is forgotten, the memory stays as it was after the first rounds, no broker is lost.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("chaos")
final class LongRunChaosIT {
    private static final Amount TRAFFIC = new Amount(10, 4, 30, EnumSet.allOf(Deed.class));
    private static final Duration ROUND = Duration.ofSeconds(20);
    private static final int FIRST_ROUNDS = 3;

    /** Resident from the start, so that what grows is a leak and not a heap that takes its time. */
    private static final String WHOLE_HEAP = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch";

    private static final double MEMORY_GROWTH = 1.15;

    @TempDir
    private Path home;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    @Test
    void nothing_is_forgotten_and_nobody_lost() throws Exception {
        long minutes = Long.getLong("chaos.minutes", 0);
        assumeTrue(minutes > 0, "no -Dchaos.minutes");
        Scripts scripts = new Scripts(home)
                .with("JAVA_OPT", "-Duser.home=" + home + " -Dio.netty.leakDetection.level=paranoid")
                .with("JAVA_OPT_EXT", WHOLE_HEAP)
                .with("NAMESRV_CONF_SCAN_NOT_ACTIVE_BROKER_INTERVAL", "100");
        List<Long> resident = new ArrayList<>();
        try (Launched daemon = scripts.start("sh", "mqnamesrv");
                Peer steady = new Peer(daemon.awaitStarted())) {
            int port = daemon.awaitStarted();
            TestDaemon.register(steady, steadyBroker());
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < Duration.ofMinutes(minutes).toNanos()) {
                round(port, steady, new Random(resident.size()));
                resident.add(daemon.residentBytes() >> 20);
                System.out.printf("round %d: resident %d MiB%n", resident.size(), resident.get(resident.size() - 1));
            }
            assertThat(failures).isEmpty();
            daemon.terminate();
            assertThat(daemon.end().exitCode()).isZero();
        }
        assertThat(log()).noneMatch(line -> line.contains("LEAK")).noneMatch(line -> line.contains(" ERROR "));
        long first = resident.subList(0, Math.min(FIRST_ROUNDS, resident.size())).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        assertThat(resident).allMatch(later -> later <= first * MEMORY_GROWTH);
    }

    private static TestBroker steadyBroker() {
        return TestBroker.numbered(500).with("heartbeatTimeoutMillis", 20_000);
    }

    /** Traffic whose every answer is checked, while each kind of hostility has its turn. */
    private void round(int port, Peer steady, Random random) throws Exception {
        ended = false;
        Thread hostile = new Thread(
                () -> {
                    while (!ended) {
                        for (Hostility hostility : Hostility.values()) {
                            try {
                                hostility.attack(port, random);
                            } catch (IOException cutOff) {
                                // as it should be
                            } catch (Throwable failed) {
                                failures.add(failed);
                            }
                        }
                    }
                },
                "hostile");
        hostile.setDaemon(true);
        hostile.start();
        try (ClusterTraffic traffic = ClusterTraffic.start(port, random.nextLong(), TRAFFIC)) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < ROUND.toNanos()) {
                assertThat(steady.ask(steadyBroker().heartbeat())).isEqualTo(Reply.SUCCESS);
                assertThat(steady.ask(Request.of(105).with("topic", "t500a")).code())
                        .isZero();
                Thread.sleep(200);
            }
            traffic.end();
        } finally {
            ended = true;
            hostile.join();
        }
    }

    private List<String> log() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(home.resolve("logs/rocketmqlogs"))) {
            for (Path file : (Iterable<Path>)
                    files.filter(path -> path.getFileName().toString().startsWith("namesrv"))::iterator) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
