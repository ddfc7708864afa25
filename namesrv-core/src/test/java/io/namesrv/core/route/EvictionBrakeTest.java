package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.Silence;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EvictionBrakeTest {
    private final EvictionBrake brake = new EvictionBrake();

    @ParameterizedTest
    @CsvSource({
        "0, 0, false",
        "3, 3, false",
        "2, 4, false",
        "3, 4, true",
        "4, 4, true",
        "2, 5, false",
        "3, 5, true",
    })
    void it_holds_more_than_half_of_at_least_four(int expired, int all, boolean held) {
        assertThat(brake.holds(new Silence(expired, all), 0)).isEqualTo(held);
    }

    @Test
    void a_scan_thirty_seconds_later_that_agrees_is_done() {
        Silence most = new Silence(4, 5);
        long begin = Long.parseLong("9223372036854770807"); // the clock wraps around meanwhile

        assertThat(brake.holds(most, begin)).isTrue();
        assertThat(brake.holds(most, begin + 29_999)).isTrue();
        assertThat(brake.holds(most, begin + 30_000)).isFalse();
    }

    @Test
    void one_that_does_not_agree_begins_it_anew() {
        brake.holds(new Silence(4, 5), 0);

        assertThat(brake.holds(new Silence(1, 5), 20_000)).isFalse();
        assertThat(brake.holds(new Silence(4, 5), 35_000)).isTrue();
    }
}
