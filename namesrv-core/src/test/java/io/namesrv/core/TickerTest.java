package io.namesrv.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TickerTest {
    @Test
    void the_system_ticker_reads_the_monotonic_clock_in_milliseconds() {
        Ticker ticker = Ticker.system();

        long before = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        long reading = ticker.millis();
        long after = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());

        assertThat(reading).isBetween(before, after);
    }
}
