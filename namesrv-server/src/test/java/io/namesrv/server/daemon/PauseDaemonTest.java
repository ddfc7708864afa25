package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.namesrv.server.job.PauseWatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** The daemon's own pause is not the brokers' fault; by a clock that is moved by hand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class PauseDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker);

    @Test
    void a_pause_evicts_nobody_and_the_dead_leave_after_it() throws Exception {
        daemon.register(master());
        ticker.pause(150_000);
        daemon.controller().scanNow();
        assertThat(daemon.groups()).containsExactly("b1");

        ticker.advance(120_000 + 30_000);
        daemon.controller().scanNow();
        assertThat(daemon.groups()).containsExactly("b1");
        ticker.advance(5_000);
        daemon.controller().scanNow();

        assertThat(daemon.groups()).isEmpty();
        assertThat(daemon.controller().pauses()).isEqualTo(1);
    }

    @Test
    void whoever_closed_its_connection_meanwhile_stays_until_the_grace_ends() throws Exception {
        Peer gone = daemon.connect();
        Peer back = daemon.connect();
        TestDaemon.register(gone, numbered(1));
        TestDaemon.register(back, numbered(2));
        ticker.pause(10_000);

        gone.close();
        back.close();
        await().until(() -> daemon.ask(numbered(1).queryDataVersion()).equals(Reply.SUCCESS.with("changed", "true")));
        await().until(() -> daemon.ask(numbered(2).queryDataVersion()).equals(Reply.SUCCESS.with("changed", "true")));
        assertThat(daemon.ask(Request.of(105).with("topic", "t1a")).code()).isZero();
        daemon.register(numbered(2));
        ticker.advance(60_000);
        daemon.ask(numbered(2).heartbeat());
        daemon.controller().scanNow();

        assertThat(daemon.groups()).containsExactly("b2");
    }

    @Test
    void after_the_grace_a_broker_leaves_with_its_connection_as_ever() throws Exception {
        Peer peer = daemon.connect();
        TestDaemon.register(peer, master());
        ticker.pause(10_000);
        daemon.controller().tick();
        ticker.advance(31_000);

        peer.close();

        daemon.awaitGone("b1");
        assertThat(daemon.ask(ROUTE).code()).isEqualTo(17);
    }

    @Test
    void one_line_says_how_long_it_was() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger(PauseWatch.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            ticker.pause(7_000);
            daemon.controller().tick();
            ticker.advance(60_000);
        } finally {
            log.detachAppender(lines);
        }

        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getLevel()).isEqualTo(Level.WARN))
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("pauseMs=7000 pauses=1;"));
    }
}
