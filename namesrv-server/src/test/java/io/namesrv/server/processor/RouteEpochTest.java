package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteEpochTest {
    private final Clock clock = Mockito.mock(Clock.class);

    private RouteEpoch at(long millis) {
        Mockito.when(clock.millis()).thenReturn(millis);
        Mockito.when(clock.instant()).thenReturn(Instant.ofEpochMilli(millis));
        return new RouteEpoch(clock);
    }

    @Test
    void it_is_the_start_in_base_36_and_later_the_change_and_never_the_same_again() {
        RouteEpoch epoch = at(1_700_000_000_000L);
        String start = epoch.current();
        epoch.next();
        String atOnce = epoch.current();
        Mockito.when(clock.millis()).thenReturn(1_700_000_000_500L);
        epoch.next();
        String later = epoch.current();
        Mockito.when(clock.millis()).thenReturn(5L);
        epoch.next();

        assertThat(List.of(start, atOnce, later, epoch.current()))
                .containsExactly(
                        "loyw3v28",
                        "loyw3v29",
                        Long.toString(1_700_000_000_500L, 36),
                        Long.toString(1_700_000_000_501L, 36));
    }

    @Test
    void of_a_topic_that_is_in_no_table_all_versions_of_an_epoch_say_the_same() {
        RouteVersion away = new RouteVersion("e", -1);

        assertThat(away.saysTheSameAs(new RouteVersion("e", -7))).isTrue();
        assertThat(away.saysTheSameAs(new RouteVersion("f", -1))).isFalse();
        assertThat(away.saysTheSameAs(new RouteVersion("e", 1))).isFalse();
        assertThat(new RouteVersion("e", 1).saysTheSameAs(new RouteVersion("e", 2)))
                .isFalse();
        assertThat(new RouteVersion("e", 1)).hasToString("e-1");
    }
}
