package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Brokers that fall silent, by a clock that is moved by hand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class BrokerExpiryDaemonTest {
    private static final Request CLUSTERS = Request.of(106);

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker);

    @Test
    void a_broker_leaves_after_two_minutes_of_silence_and_its_connection_is_closed() throws Exception {
        Peer peer = daemon.connect();
        TestDaemon.register(peer, master());

        scanAfter(120_000);
        assertThat(daemon.groups()).containsExactly("b1");
        scanAfter(1);

        assertThat(daemon.groups()).isEmpty();
        assertThat(peer.isEnded()).isTrue();
        assertThat(daemon.ask(master().queryDataVersion())).isEqualTo(Reply.SUCCESS.with("changed", "true"));
    }

    @ParameterizedTest
    @CsvSource({
        "10000, 10000",
        "1000, 1000",
        "0, 1000",
        "-5, 1000",
        "600000, 600000",
        "600001, 600000",
        "9223372036854775807, 600000",
    })
    void a_broker_may_name_its_own_timeout_between_one_second_and_ten_minutes(long asked, long taken) throws Exception {
        daemon.register(master().with("heartbeatTimeoutMillis", asked));

        scanAfter(taken);
        assertThat(daemon.groups()).containsExactly("b1");
        scanAfter(1);

        assertThat(daemon.groups()).isEmpty();
    }

    @Test
    void a_broker_that_names_none_has_the_one_of_the_settings() throws Exception {
        daemon.with("brokerExpiredTimeMillis", 5_000).restart();
        daemon.register(master());

        scanAfter(5_000);
        assertThat(daemon.groups()).containsExactly("b1");
        scanAfter(1);

        assertThat(daemon.groups()).isEmpty();
    }

    @Test
    void each_registration_begins_a_new_silence_under_its_own_timeout() throws Exception {
        daemon.register(master().with("heartbeatTimeoutMillis", 1_000));
        ticker.advance(900);
        daemon.register(master());

        scanAfter(120_000);

        assertThat(daemon.groups()).containsExactly("b1");
    }

    @Test
    void a_refused_registration_is_no_sign_of_life() throws Exception {
        daemon.register(master());
        ticker.advance(119_000);
        daemon.ask(master().register().with("bodyCrc32", 1));

        scanAfter(2_000);

        assertThat(daemon.groups()).isEmpty();
    }

    @Test
    void the_connection_of_a_broker_that_came_back_over_another_one_is_left_alone() throws Exception {
        Peer former = daemon.connect();
        Peer present = daemon.connect();
        TestDaemon.register(former, master());
        TestDaemon.register(present, master());

        scanAfter(121_000);

        assertThat(present.isEnded()).isTrue();
        assertThat(former.ask(CLUSTERS).code()).isZero();
        former.close();
    }

    @Test
    void only_the_silent_leave() throws Exception {
        Peer silent = daemon.connect();
        TestDaemon.register(silent, master());
        daemon.register(numbered(2));
        ticker.advance(119_000);
        daemon.ask(numbered(2).heartbeat());

        scanAfter(2_000);

        assertThat(daemon.groups()).containsExactly("b2");
        assertThat(silent.isEnded()).isTrue();
    }

    @Test
    void the_scanner_runs_by_itself() throws Exception {
        daemon.with("scanNotActiveBrokerInterval", 5).restart();
        daemon.register(master());

        ticker.advance(121_000);

        daemon.awaitGone("b1");
    }

    private void scanAfter(long millis) {
        ticker.advance(millis);
        daemon.controller().scanNow();
    }
}
