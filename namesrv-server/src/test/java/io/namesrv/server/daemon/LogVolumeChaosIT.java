package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever comes in, the log stays small and nobody writes its lines but the daemon. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class LogVolumeChaosIT {
    private static final int FRAMES_OF_A_ROUND = 12;

    @TempDir
    private Path home;

    @Test
    void six_thousand_bad_frames_make_little_log() throws Exception {
        attack(6_000, 1 << 20);
    }

    @Test
    @Tag("chaos")
    void a_hundred_thousand_bad_frames_make_less_than_5_MiB_of_log() throws Exception {
        attack(100_000, 5 << 20);
    }

    private void attack(int frames, long logMax) throws Exception {
        Scripts scripts = new Scripts(home);
        try (Launched daemon = scripts.start("sh", "mqnamesrv");
                Peer honest = new Peer(daemon.awaitStarted())) {
            int port = daemon.awaitStarted();
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> rounds = new ArrayList<>();
                for (int i = 0; i < frames / FRAMES_OF_A_ROUND; i++) {
                    Random random = new Random(i);
                    rounds.add(threads.submit(() -> {
                        Hostility.BAD_FRAMES.attack(port, random);
                        Hostility.BAD_REQUESTS.attack(port, random);
                        return null;
                    }));
                }
                for (Future<?> round : rounds) {
                    round.get();
                }
            } finally {
                threads.shutdownNow();
            }
            TestDaemon.register(honest, TestBroker.numbered(1));
            daemon.terminate();
            assertThat(daemon.end().exitCode()).isZero();
        }
        Path log = home.resolve("logs/rocketmqlogs/namesrv.log");
        assertThat(sizeOf(log.getParent())).isBetween(1_000L, logMax);
        assertThat(Files.readAllLines(log)).noneMatch(line -> line.startsWith("2026-01-01 ERROR forged"));
    }

    private static long sizeOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            long size = 0;
            for (Path file : (Iterable<Path>) files::iterator) {
                size += Files.size(file);
            }
            return size;
        }
    }
}
