package io.namesrv.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class MemoryWatchTest {
    private final List<Boolean> told = new CopyOnWriteArrayList<>();
    private final MemoryWatch watch = new MemoryWatch(told::add);

    @Test
    void memory_is_short_above_85_percent_until_it_is_below_75() {
        watch.collected(850, 1000);
        assertThat(told).isEmpty();
        watch.collected(851, 1000);
        assertThat(told).containsExactly(true);
        watch.collected(750, 1000);
        assertThat(told).containsExactly(true);

        watch.collected(749, 1000);

        assertThat(told).containsExactly(true, false);
    }

    @Test
    void what_is_told_changes_each_time_and_only_where_a_mark_is_crossed() {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            MemoryWatch any = new MemoryWatch(told::add);
            told.clear();
            boolean isShort = false;
            List<Boolean> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int used = random.nextInt(1001);
                any.collected(used, 1000);
                boolean next = used > 850 || (isShort && used >= 750);
                if (next != isShort) {
                    expected.add(next);
                }
                isShort = next;
            }
            assertThat(told).as("seed " + seed).isEqualTo(expected);
        }
    }

    @Test
    void a_collection_is_asked_for_while_memory_is_short_and_none_has_come() {
        assertThat(watch.isOverdue()).isFalse();
        watch.collected(900, 1000);
        assertThat(watch.isOverdue()).isFalse();
        watch.collected(900, 1000); // of the young generation: the old one is as it was
        assertThat(watch.isOverdue()).isTrue();
        watch.collected(910, 1000);
        assertThat(watch.isOverdue()).isFalse();
        watch.collected(700, 1000);

        assertThat(watch.isOverdue()).isFalse();
    }

    @Test
    void a_pool_without_a_limit_is_never_short() {
        watch.collected(1000, -1);
        watch.collected(1000, 0);

        assertThat(told).isEmpty();
    }

    @Test
    void this_jvm_has_an_old_generation_and_its_collections_are_seen() throws Exception {
        assertThat(MemoryWatch.findOldGeneration(ManagementFactory.getMemoryPoolMXBeans()))
                .isPresent();
        watch.collected(900, 1000);
        assertThat(told).containsExactly(true);

        watch.start();
        try {
            System.gc(); // whatever it leaves is below 75 percent of this test's heap

            await().until(() -> told.equals(List.of(true, false)));
        } finally {
            watch.close();
        }
    }
}
