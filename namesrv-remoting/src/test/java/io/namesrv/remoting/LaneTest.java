package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LaneTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static void block(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void work_beyond_the_places_is_refused_until_one_is_free() {
        Lane lane = Lane.pooled("narrow", 1, 2, Duration.ZERO);
        CountDownLatch latch = new CountDownLatch(1);
        assertThat(lane.offer(() -> block(latch))).isTrue();
        await().until(() -> lane.waiting() == 0 && lane.active() == 1);

        assertThat(lane.offer(() -> {})).isTrue();
        assertThat(lane.offer(() -> {})).isTrue();
        assertThat(lane.offer(() -> {})).isFalse();
        assertThat(lane.waiting()).isEqualTo(2);
        latch.countDown();

        await().until(() -> lane.waiting() == 0);
        assertThat(lane.offer(() -> {})).isTrue();
        assertThat(lane.close(LONG)).isTrue();
    }

    @Test
    void work_runs_on_the_threads_of_the_lane() {
        Lane lane = Lane.pooled("routes", 3, 1000, Duration.ZERO);
        Set<String> names = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            lane.offer(() -> {
                names.add(Thread.currentThread().getName());
                all.countDown();
                block(all);
            });
        }

        assertThat(lane.close(LONG)).isTrue();
        assertThat(names).containsExactlyInAnyOrder("namesrv-routes-1", "namesrv-routes-2", "namesrv-routes-3");
    }

    @Test
    void an_inline_lane_runs_work_where_it_is() {
        AtomicInteger runs = new AtomicInteger();
        Thread here = Thread.currentThread();

        Lane.inline("inline").offer(() -> runs.addAndGet(Thread.currentThread() == here ? 1 : 100));

        assertThat(runs).hasValue(1);
    }

    @Test
    void a_closed_lane_runs_what_waits_and_takes_nothing_more() {
        Lane lane = Lane.pooled("closing", 1, 100, Duration.ZERO);
        CountDownLatch latch = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        lane.offer(() -> block(latch));
        for (int i = 0; i < 10; i++) {
            lane.offer(runs::incrementAndGet);
        }
        latch.countDown();

        assertThat(lane.close(LONG)).isTrue();

        assertThat(runs).hasValue(10);
        assertThat(lane.offer(runs::incrementAndGet)).isFalse();
    }

    @Test
    void closing_has_a_limit() {
        Lane lane = Lane.pooled("stuck", 1, 100, Duration.ZERO);
        CountDownLatch interrupted = new CountDownLatch(1);
        lane.offer(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });

        assertThat(lane.close(Duration.ofMillis(50))).isFalse();
        await().until(() -> interrupted.getCount() == 0);
    }

    @Test
    void the_age_of_a_request_is_judged_only_where_there_is_a_limit() {
        Lane patient = Lane.pooled("patient", 1, 1, Duration.ZERO);
        Lane impatient = Lane.pooled("impatient", 1, 1, Duration.ofSeconds(1));

        assertThat(patient.isTooOld(Long.MAX_VALUE)).isFalse();
        assertThat(impatient.isTooOld(1_000_000_000)).isFalse();
        assertThat(impatient.isTooOld(1_000_000_001)).isTrue();
    }
}
