package io.namesrv.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class ServerHealthTest {
    private static final NamesrvClientOptions OPTIONS = NamesrvClientOptions.DEFAULT;
    private static final ServerHealth FAST = measured(1);

    private static ServerHealth measured(long millis) {
        return ServerHealth.UNKNOWN.measured(Duration.ofMillis(millis), 0);
    }

    @Test
    void the_fastest_comes_first_then_the_unmeasured_then_the_failed_of_which_the_first_that_failed() {
        ServerHealth early = FAST.failed(Long.MAX_VALUE);
        ServerHealth late = FAST.failed(Long.MIN_VALUE + 10);

        assertThat(List.of(late, early, ServerHealth.UNKNOWN, measured(5), FAST).stream()
                        .sorted(ServerHealth.ORDER))
                .containsExactly(FAST, measured(5), ServerHealth.UNKNOWN, early, late);
    }

    @Test
    void one_slow_answer_does_not_count_for_the_whole() {
        assertThat(measured(100).measured(Duration.ofMillis(500), 1))
                .isEqualTo(new ServerHealth(true, Duration.ofMillis(200).toNanos(), true, 1));
    }

    @Test
    void a_failure_makes_its_former_time_forgotten() {
        assertThat(FAST.failed(7).measured(Duration.ofMillis(9), 8))
                .isEqualTo(ServerHealth.UNKNOWN.measured(Duration.ofMillis(9), 8));
        assertThat(FAST.failed(7).answered()).isEqualTo(new ServerHealth(true, -1, true, 7));
        assertThat(FAST.answered()).isEqualTo(FAST);
    }

    @Test
    void it_is_measured_at_first_and_when_its_time_is_old_and_sooner_after_a_failure() {
        long often = OPTIONS.measureEvery().toMillis();
        long soon = OPTIONS.retryAfter().toMillis();

        assertThat(ServerHealth.UNKNOWN.isDue(0, OPTIONS)).isTrue();
        assertThat(ServerHealth.UNKNOWN.trying(0).isDue(0, OPTIONS)).isFalse();
        assertThat(FAST.isDue(often - 1, OPTIONS)).isFalse();
        assertThat(FAST.isDue(often, OPTIONS)).isTrue();
        assertThat(FAST.failed(0).isDue(soon - 1, OPTIONS)).isFalse();
        assertThat(FAST.failed(0).isDue(soon, OPTIONS)).isTrue();
    }
}
