package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.ClusterTraffic.Amount;
import io.namesrv.server.daemon.ClusterTraffic.Deed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients are told is always what the tables can have been at one moment. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class TrafficHistoryIT {
    private static final Amount MUCH = new Amount(12, 4, 20, EnumSet.allOf(Deed.class));

    @TempDir
    private Path home;

    @Test
    void answers_tell_of_states_that_can_have_been() throws Exception {
        play(Duration.ofSeconds(6), MUCH);
    }

    @Test
    @Tag("chaos")
    void answers_tell_of_states_that_can_have_been_with_many_brokers_and_for_long() throws Exception {
        play(Duration.ofSeconds(60), new Amount(60, 12, 40, EnumSet.allOf(Deed.class)));
        play(Duration.ofSeconds(60), new Amount(3, 8, 1, EnumSet.allOf(Deed.class)));
    }

    private void play(Duration time, Amount amount) throws Exception {
        long seed = System.nanoTime();
        Scripts scripts = new Scripts(home).with("NAMESRV_CONF_SCAN_NOT_ACTIVE_BROKER_INTERVAL", "100");
        try (Launched daemon = scripts.start("sh", "mqnamesrv");
                ClusterTraffic traffic = ClusterTraffic.start(daemon.awaitStarted(), seed, amount)) {
            Thread.sleep(time.toMillis());
            History history = traffic.end();
            System.out.printf("seed %d: %d changes, %d answers%n", seed, history.changes(), history.answers());

            assertThat(history.changes()).isGreaterThan(100);
            assertThat(history.answers()).isGreaterThan(1_000);
            assertThat(traffic.refused()).isLessThan(history.answers() / 100);
            daemon.terminate();
            assertThat(daemon.end().exitCode()).isZero();
        }
    }
}
