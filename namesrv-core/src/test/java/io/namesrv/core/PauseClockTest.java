package io.namesrv.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PauseClockTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10_000); // wraps around on the way
    private final PauseClock clock = new PauseClock(now::get);

    @Test
    void before_the_first_tick_no_time_is_too_long() {
        long before = clock.millis();
        now.addAndGet(1_000_000);

        assertThat(clock.millis() - before).isEqualTo(1_000_000);
        assertThat(clock.read().inGrace()).isFalse();
    }

    @Test
    void five_seconds_without_a_tick_are_no_pause() {
        clock.tick();
        long before = clock.millis();

        now.addAndGet(5_000);

        assertThat(clock.millis() - before).isEqualTo(5_000);
        assertThat(clock.read().pauses()).isZero();
        assertThat(clock.read().inGrace()).isFalse();
    }

    @Test
    void a_longer_time_is_found_by_whoever_reads_first_and_does_not_count() {
        clock.tick();
        long before = clock.millis();

        now.addAndGet(5_001);

        assertThat(clock.read()).isEqualTo(new PauseClock.Reading(before, 1, before, 5_001));
        clock.tick();
        assertThat(clock.read()).isEqualTo(new PauseClock.Reading(before, 1, before, 5_001));
    }

    @Test
    void it_is_found_by_the_tick_as_well() {
        clock.tick();
        long before = clock.millis();

        now.addAndGet(150_000);
        clock.tick();

        assertThat(clock.read()).isEqualTo(new PauseClock.Reading(before, 1, before, 150_000));
    }

    @Test
    void the_grace_lasts_thirty_seconds_of_running() {
        clock.tick();
        now.addAndGet(6_000);

        assertThat(clock.read().inGrace()).isTrue();
        run(30_000);
        assertThat(clock.read().inGrace()).isTrue();
        run(1);

        assertThat(clock.read().inGrace()).isFalse();
    }

    @Test
    void what_began_before_the_pause_gets_the_grace_on_top_and_what_begins_after_it_does_not() {
        clock.tick();
        long before = clock.millis();
        now.addAndGet(6_000);

        PauseClock.Reading reading = clock.read();

        assertThat(reading.extraFor(before)).isEqualTo(30_000);
        assertThat(reading.extraFor(before - 90_000)).isEqualTo(30_000);
        assertThat(reading.extraFor(reading.millis() + 1)).isZero();
    }

    @Test
    void any_mixture_of_running_and_pauses_adds_up_to_the_time_of_running() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            clock.tick();
            long begin = clock.millis();
            long pausesBefore = clock.read().pauses();
            long ran = 0;
            long pauses = 0;
            for (int i = 0; i < 200; i++) {
                if (random.nextInt(5) == 0) {
                    clock.tick(); // time since the last tick belongs to the gap
                    now.addAndGet(5_001 + random.nextInt(1_000_000));
                    pauses++;
                } else {
                    int millis = random.nextInt(4_000);
                    run(millis);
                    ran += millis;
                }
                if (random.nextBoolean()) {
                    clock.tick();
                }
                assertThat(clock.millis() - begin).as("seed " + seed).isEqualTo(ran);
                assertThat(clock.read().pauses() - pausesBefore)
                        .as("seed " + seed)
                        .isEqualTo(pauses);
            }
        }
    }

    @Test
    void many_readers_at_the_end_of_a_pause_find_one_and_no_time_goes_back() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(4);
        try {
            for (int round = 1; round <= 200; round++) {
                clock.tick();
                long before = clock.millis();
                CountDownLatch go = new CountDownLatch(1);
                List<Future<Long>> readings = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    readings.add(readers.submit(() -> {
                        go.await();
                        return clock.millis();
                    }));
                }
                now.addAndGet(60_000);
                go.countDown();
                for (Future<Long> reading : readings) {
                    assertThat(reading.get()).isEqualTo(before);
                }
                assertThat(clock.read().pauses()).isEqualTo(round);
            }
        } finally {
            readers.shutdownNow();
        }
    }

    private void run(long millis) {
        for (long left = millis; left > 0; left -= 500) {
            now.addAndGet(Math.min(left, 500));
            clock.tick();
        }
    }
}
