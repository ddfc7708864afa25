package io.namesrv.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JobsTest {
    @Test
    void a_job_that_throws_runs_again_whatever_it_throws() {
        AtomicInteger runs = new AtomicInteger();
        try (Jobs jobs = new Jobs("jobs-test")) {
            jobs.every(Duration.ofMillis(1), "broken", () -> {
                switch (runs.incrementAndGet() % 3) {
                    case 0 -> throw new IllegalStateException("an exception");
                    case 1 -> throw new StackOverflowError("an error");
                    default -> throw new OutOfMemoryError("made up, there is memory");
                }
            });

            await().until(() -> runs.get() >= 6 && jobs.failures() >= 6);
        }
    }

    @Test
    void a_job_runs_for_the_first_time_after_one_interval() {
        AtomicInteger runs = new AtomicInteger();
        long begin = System.nanoTime();
        try (Jobs jobs = new Jobs("jobs-test")) {
            jobs.every(Duration.ofMillis(200), "late", runs::incrementAndGet);

            await().until(() -> runs.get() >= 1);

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(jobs.failures()).isZero();
        }
    }
}
