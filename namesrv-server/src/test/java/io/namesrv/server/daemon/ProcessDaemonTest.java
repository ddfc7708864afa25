package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only a process of its own can show: signals, the end by itself, and two of them over one home. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ProcessDaemonTest {
    private static final int GO_AWAY = 1500;
    private static final Request CLUSTERS = Request.of(106);
    private static final Request PUT =
            Request.of(100).with("namespace", "ns").with("key", "k").with("value", "v");
    private static final Request GET = Request.of(101).with("namespace", "ns").with("key", "k");
    private static final Request DELETE =
            Request.of(102).with("namespace", "ns").with("key", "k");
    private static final Request CHANGE = Request.of(318).body("orderMessageEnable=true");

    @TempDir
    private Path home;

    @Test
    void of_two_over_one_home_the_second_serves_routes_and_writes_nothing() throws Exception {
        try (Launched first = launch();
                Peer atFirst = new Peer(first.awaitStarted())) {
            assertThat(atFirst.ask(PUT)).isEqualTo(Reply.SUCCESS);
            try (Launched second = launch();
                    Peer atSecond = new Peer(second.awaitStarted())) {
                TestDaemon.register(atSecond, numbered(1));
                assertThat(atSecond.ask(Request.of(105).with("topic", "t1a")).code())
                        .isZero();
                assertThat(atSecond.ask(GET)).isEqualTo(Reply.SUCCESS.with("value", "v"));
                String text = "process " + first.pid() + " uses " + home.resolve("namesrv/kvConfig.json")
                        + " too: key/value settings and settings cannot be changed here; set kvConfigPath to one of"
                        + " this daemon's own, or stop the other one and start this one again";
                assertThat(atSecond.askAll(List.of(PUT, DELETE, CHANGE))).containsOnly(Reply.error(1, text));
                assertThat(atFirst.askAll(List.of(PUT.with("value", "w"), CHANGE)))
                        .containsOnly(Reply.SUCCESS);

                first.signal("KILL");
                first.end();
                second.terminate();
                assertThat(second.end().exitCode()).isZero();
            }
        }

        try (Launched third = launch();
                Peer peer = new Peer(third.awaitStarted())) {
            assertThat(peer.ask(GET)).isEqualTo(Reply.SUCCESS.with("value", "w"));
            assertThat(peer.ask(Request.of(319)).body()).contains("\norderMessageEnable=true\n");
            assertThat(peer.askAll(List.of(DELETE, CHANGE))).containsOnly(Reply.SUCCESS);
        }
    }

    @Test
    void one_that_was_stopped_and_goes_on_has_lost_nobody() throws Exception {
        try (Launched daemon = launch("scanNotActiveBrokerInterval", "50")) {
            int port = daemon.awaitStarted();
            Peer impatient = new Peer(port);
            try (Peer silent = new Peer(port);
                    Peer other = new Peer(port)) {
                TestDaemon.register(silent, numbered(1).with("heartbeatTimeoutMillis", 3_000));
                TestDaemon.register(impatient, numbered(2));

                daemon.signal("STOP");
                long stopped = System.nanoTime();
                impatient.close();
                await().pollInterval(Duration.ofMillis(100))
                        .until(() -> System.nanoTime() - stopped
                                > Duration.ofSeconds(6).toNanos());
                daemon.signal("CONT");

                await().until(() ->
                        other.ask(numbered(2).queryDataVersion()).equals(Reply.SUCCESS.with("changed", "true")));
                assertThat(other.ask(CLUSTERS).body()).contains("\"b1\"", "\"b2\"");
                assertThat(silent.ask(numbered(1).heartbeat())).isEqualTo(Reply.SUCCESS);
            }
        }
    }

    @Test
    void one_that_was_stopped_hears_first_what_was_said_meanwhile() throws Exception {
        try (Launched daemon = launch("serverChannelMaxIdleTimeSeconds", "1")) {
            int port = daemon.awaitStarted();
            try (Peer broker = new Peer(port)) {
                TestDaemon.register(broker, numbered(1));

                daemon.signal("STOP");
                long stopped = System.nanoTime();
                broker.send(numbered(1).heartbeat());
                await().pollInterval(Duration.ofMillis(100))
                        .until(() -> System.nanoTime() - stopped
                                > Duration.ofSeconds(3).toNanos());
                daemon.signal("CONT");

                assertThat(broker.next()).isEqualTo(Reply.SUCCESS);
                assertThat(broker.ask(numbered(1).heartbeat())).isEqualTo(Reply.SUCCESS);
            }
        }
    }

    @Test
    void a_caller_that_does_not_read_its_answers_holds_no_stop_up() throws Exception {
        try (Launched daemon = launch();
                Peer peer = new Peer(daemon.awaitStarted())) {
            peer.sendAll(Collections.nCopies(2_000, Request.of(319)));
            assertThat(peer.next().code()).isZero();

            long begin = System.nanoTime();
            daemon.terminate();
            End end = daemon.end();

            assertThat(end.exitCode()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130"})
    void a_second_signal_ends_a_stop_at_once(String signal, int exitCode) throws Exception {
        assumeFalse(signal.equals("INT") && Launched.isInterruptIgnored(), "INT is ignored by what this JVM starts");
        try (Launched daemon = launch("enableShutdownGracefully", "true", "shutdownWaitTimeSeconds", "30");
                Peer newer = new Peer(daemon.awaitStarted())) {
            daemon.terminate();
            await().pollInterval(Duration.ofMillis(10)).until(() -> isSentAway(newer));

            daemon.signal(signal);

            assertThat(daemon.end().exitCode()).isEqualTo(exitCode);
        }
    }

    /** Whether a newer caller is told to go elsewhere, as it is once a stop has begun. */
    private static boolean isSentAway(Peer newer) throws IOException {
        return newer.ask(CLUSTERS).code() == GO_AWAY;
    }

    @Test
    void one_that_finds_a_vital_part_dead_ends_with_70() throws Exception {
        assertThat(endOfDying()).isEqualTo(70);
    }

    @Test
    void a_stop_that_hangs_is_cut_short_and_is_a_stop_all_the_same() throws Exception {
        assertThat(endOfDying("hanging")).isZero();
    }

    private int endOfDying(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "io.namesrv.server.Dying"));
        command.addAll(List.of(arguments));
        try (Launched dying = new Launched(home, home, Map.of(), command)) {
            return dying.end().exitCode();
        }
    }

    private Launched launch(String... settings) throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "ROCKETMQ_HOME", home.toString(),
                "NAMESRV_CONF_LISTEN_PORT", "0",
                "NAMESRV_CONF_BIND_ADDRESS", "127.0.0.1"));
        for (int i = 0; i < settings.length; i += 2) {
            String upperSnake = settings[i].replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
            environment.put("NAMESRV_CONF_" + upperSnake, settings[i + 1]);
        }
        return new Launched(home, environment, List.of());
    }
}
