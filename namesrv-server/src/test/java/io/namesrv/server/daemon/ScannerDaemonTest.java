package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scan for silent brokers, when it fails and when it is held back. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScannerDaemonTest {
    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker).with("scanNotActiveBrokerInterval", 5);

    @Test
    void whatever_a_scan_throws_the_next_one_runs() throws Exception {
        AtomicInteger scans = new AtomicInteger();
        daemon.controller().beforeScans(() -> {
            switch (scans.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("an exception");
                case 2 -> throw new StackOverflowError("an error");
                case 3 -> throw new OutOfMemoryError("made up, there is memory");
                default -> {}
            }
        });
        daemon.register(numbered(1));
        await().until(() -> scans.get() > 3);

        ticker.advance(121_000);

        daemon.awaitGone("b1");
        assertThat(daemon.deaths()).isEmpty();
    }

    @Test
    void a_scanner_that_never_finishes_a_scan_any_more_is_a_death() throws Exception {
        daemon.controller().beforeScans(() -> {
            throw new IllegalStateException("each time");
        });

        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            ticker.advance(1_000);
            return !daemon.deaths().isEmpty();
        });

        assertThat(daemon.deaths()).containsExactly("the scanner for silent brokers");
        assertThat(daemon.controller().scanAgeMillis()).isGreaterThan(5_000);
    }

    @Test
    void the_brake_holds_back_what_would_evict_most_brokers_for_thirty_seconds() throws Exception {
        assertThat(daemon.ask(Request.of(318).body("evictionBrake=true")).code())
                .isZero();
        for (int i = 1; i <= 4; i++) {
            daemon.register(numbered(i));
        }
        ticker.advance(119_000);
        daemon.ask(numbered(4).heartbeat());
        ticker.advance(2_000);

        daemon.controller().scanNow();
        assertThat(daemon.groups()).hasSize(4);
        ticker.advance(29_000);
        daemon.controller().scanNow();
        assertThat(daemon.groups()).hasSize(4);
        ticker.advance(2_000);
        daemon.controller().scanNow();

        assertThat(daemon.groups()).containsExactly("b4");
    }

    @Test
    void without_it_all_that_are_silent_leave_at_once() throws Exception {
        for (int i = 1; i <= 4; i++) {
            daemon.register(numbered(i));
        }
        ticker.advance(121_000);

        daemon.controller().scanNow();

        assertThat(daemon.groups()).isEmpty();
    }
}
