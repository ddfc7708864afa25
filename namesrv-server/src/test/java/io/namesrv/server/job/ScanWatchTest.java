package io.namesrv.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScanWatchTest {
    private static final Duration INTERVAL = Duration.ofMillis(2);
    private static final long LATE = 5_001;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final AtomicInteger scans = new AtomicInteger();
    private final List<String> deaths = new CopyOnWriteArrayList<>();
    private volatile Runnable scan = () -> {};

    private final ScanWatch watch = new ScanWatch(
            () -> {
                scans.incrementAndGet();
                scan.run();
            },
            INTERVAL,
            now::get,
            deaths::add);

    @Test
    void a_scanner_that_works_is_left_alone() {
        watch.start();

        for (int i = 0; i < 10; i++) {
            now.addAndGet(LATE);
            awaitScans(2); // the last of them began after the time had passed
            watch.run();
        }

        assertThat(watch.restarts()).isZero();
        assertThat(deaths).isEmpty();
        watch.close();
    }

    @Test
    void one_that_hangs_is_started_anew_on_a_thread_of_its_own() {
        CountDownLatch never = new CountDownLatch(1);
        scan = () -> hang(never);
        watch.start();
        awaitScans(1);
        scan = () -> {};

        now.addAndGet(LATE);
        assertThat(watch.ageMillis()).isGreaterThanOrEqualTo(LATE);
        watch.run();

        awaitScans(3);
        assertThat(watch.restarts()).isEqualTo(1);
        assertThat(watch.ageMillis()).isZero();
        assertThat(deaths).isEmpty();
        watch.close();
    }

    @Test
    void one_that_throws_each_time_is_started_anew_and_then_dead() {
        scan = () -> {
            throw new IllegalStateException("each time");
        };
        watch.start();
        awaitScans(2);

        now.addAndGet(LATE);
        watch.run();
        assertThat(deaths).isEmpty();
        awaitScans(2);
        now.addAndGet(LATE);
        watch.run();
        watch.run();

        assertThat(deaths).containsExactly("the scanner for silent brokers");
        watch.close();
    }

    @Test
    void one_that_is_late_again_long_after_is_started_anew_again() {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 1; i <= 3; i++) {
            scan = () -> hang(never);
            if (i == 1) {
                watch.start();
            }
            awaitScans(1);
            scan = () -> {};
            now.addAndGet(LATE);
            watch.run();
            awaitScans(3);
            assertThat(watch.restarts()).isEqualTo(i);
        }

        assertThat(deaths).isEmpty();
        watch.close();
    }

    @Test
    void six_intervals_are_not_late_yet() {
        ScanWatch slow = new ScanWatch(() -> {}, Duration.ofSeconds(5), now::get, deaths::add);
        slow.start();

        now.addAndGet(30_000);
        slow.run();
        assertThat(slow.restarts()).isZero();
        now.addAndGet(1);
        slow.run();

        assertThat(slow.restarts()).isEqualTo(1);
        slow.close();
    }

    private void awaitScans(int more) {
        int before = scans.get();
        await().pollInterval(Duration.ofMillis(1)).until(() -> scans.get() >= before + more);
    }

    private static void hang(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
