package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LogLimiterTest {
    @Test
    void lines_beyond_the_limit_are_left_out_and_counted() {
        LogLimiter limiter = new LogLimiter(2, Duration.ofMillis(300));
        assertThat(limiter.leftOutOrSkip()).isZero();
        assertThat(limiter.leftOutOrSkip()).isZero();
        assertThat(limiter.leftOutOrSkip()).isEqualTo(-1);

        await().until(() -> limiter.leftOutOrSkip() > 0);
    }
}
