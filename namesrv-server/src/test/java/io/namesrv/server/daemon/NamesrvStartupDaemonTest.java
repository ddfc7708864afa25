package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program: its arguments, its exit codes, and what it says on its standard streams. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class NamesrvStartupDaemonTest {
    private static final String SUCCESS =
            "The Name Server boot success. serializeType=%s, address 127.0.0.1:%d" + System.lineSeparator();

    @TempDir
    private Path home;

    // ---- what does not start

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help", "-help"})
    void help_is_the_usage_and_0(String flag) throws Exception {
        End end = run(flag);

        assertThat(end.exitCode()).isZero();
        assertThat(end.err()).isEmpty();
        assertThat(end.out()).startsWith("usage: mqnamesrv ").contains("-c", "-n", "-p", "-h", "-V");
    }

    @Test
    void version_is_one_line_and_0_without_a_home() throws Exception {
        try (Launched launched = new Launched(home, Map.of(), List.of("-V"))) {
            End end = launched.end();

            assertThat(end.exitCode()).isZero();
            assertThat(end.err()).isEmpty();
            assertThat(end.out()).matches("namesrv \\S+ \\(commit \\S+, java [0-9.]+\\S*\\)\\R");
        }
    }

    @Test
    void print_config_is_all_settings_with_their_sources_and_0() throws Exception {
        Path file = file("listenPort=1\nsomebodyElses=x");

        End end = run("-p", "-c", file.toString());

        Properties settings = new Properties();
        settings.load(new StringReader(end.out()));
        assertThat(end.exitCode()).isZero();
        assertThat(end.err()).isEmpty();
        assertThat(settings)
                .containsEntry("listenPort", "1")
                .containsEntry("somebodyElses", "x")
                .containsEntry("scanNotActiveBrokerInterval", "5000")
                .containsEntry("configStorePath", file.toString());
        assertThat(end.out()).doesNotContain("boot success");
        assertThat(home.resolve("namesrv")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-x", "--no-such", "-c", "-n"})
    void an_option_that_is_unknown_or_lacks_its_value_is_the_usage_and_1(String flag) throws Exception {
        End end = run(flag);

        assertThat(end.exitCode()).isEqualTo(1);
        assertThat(end.out()).isEmpty();
        assertThat(end.err()).contains("option " + flag).contains("usage: mqnamesrv ");
    }

    @Test
    void without_a_home_it_says_so_and_254() throws Exception {
        try (Launched launched = new Launched(home, Map.of(), List.of())) {
            End end = launched.end();

            assertFailed(end, 254, "ROCKETMQ_HOME");
            assertThat(end.out()).isEmpty();
        }
    }

    @Test
    void a_file_that_is_not_there_is_named_and_255() throws Exception {
        assertFailed(run("-c", home + "/no-such.properties"), 255, home + "/no-such.properties");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"listenPort=99999", "listenPort=no", "orderMessageEnable=maybe", "waitSecondsForService=-1"})
    void a_value_that_cannot_be_used_is_named_with_its_file_and_255(String line) throws Exception {
        Path file = file(line);

        End end = run("-c", file.toString());

        assertFailed(end, 255, line.replace("=", ": "));
        assertThat(end.err()).contains(file.toString());
    }

    @Test
    void a_broken_file_is_named_and_255() throws Exception {
        Path file = file("productEnvName=\\u12");

        assertFailed(run("-c", file.toString()), 255, file.toString());
    }

    @Test
    void the_controller_is_not_part_of_it_and_apaches_is_named() throws Exception {
        End end = run("-c", file("enableControllerInNamesrv=true").toString());

        assertFailed(end, 255, "enableControllerInNamesrv: true");
        assertThat(end.err()).contains("mqcontroller");
    }

    @Test
    void a_cluster_test_is_refused() throws Exception {
        assertFailed(run("-c", file("clusterTest=true").toString()), 255, "clusterTest: true");
    }

    @Test
    void a_port_that_is_taken_is_named_and_255() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = file("bindAddress=127.0.0.1\nlistenPort=" + taken.getLocalPort());

            End end = run("-c", file.toString());

            assertFailed(
                    end,
                    255,
                    "cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": address already in use (set listenPort, or stop the other process)");
            assertThat(end.out()).isEqualTo("load config properties file OK, " + file + System.lineSeparator());
            assertThat(home.resolve("namesrv/namesrv.pid")).doesNotExist();
        }
    }

    @Test
    void an_unknown_form_of_requests_is_named_and_255() throws Exception {
        Map<String, String> environment = Map.of(
                "ROCKETMQ_HOME", home.toString(), "ROCKETMQ_SERIALIZE_TYPE", "XML", "NAMESRV_CONF_LISTEN_PORT", "0");
        try (Launched launched = new Launched(home, environment, List.of())) {
            assertFailed(launched.end(), 255, "rocketmq.serialize.type: XML");
        }
    }

    // ---- what does

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void it_says_once_that_it_runs_and_where_and_ends_with_0_when_asked_to(String signal) throws Exception {
        assumeFalse(signal.equals("INT") && Launched.isInterruptIgnored(), "INT is ignored by what this JVM starts");
        int port = freePort();
        Path file = file("bindAddress=127.0.0.1\nlistenPort=" + port);
        try (Launched launched = launch("-n", "localhost:1", "stray", "-configFile", file.toString())) {
            launched.awaitStarted();
            try (Peer peer = new Peer(port)) {
                TestDaemon.register(peer, TestBroker.master());
                assertThat(home.resolve("namesrv/namesrv.pid")).hasContent(Long.toString(launched.pid()));

                long begin = System.nanoTime();
                launched.signal(signal);
                End end = launched.end();

                assertThat(end)
                        .isEqualTo(new End(
                                0,
                                "load config properties file OK, " + file + System.lineSeparator()
                                        + SUCCESS.formatted("JSON", port),
                                "ignored: stray" + System.lineSeparator()));
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
                assertThat(peer.isEnded()).isTrue();
                assertThat(home.resolve("namesrv/namesrv.pid")).doesNotExist();
            }
        }
    }

    @Test
    void the_file_of_the_home_and_the_environment_are_read() throws Exception {
        int port = freePort();
        Path file = home.resolve("conf/namesrv.properties");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "bindAddress=127.0.0.1\nlistenPort=1");
        Map<String, String> environment = Map.of(
                "ROCKETMQ_HOME",
                home.toString(),
                "ROCKETMQ_SERIALIZE_TYPE",
                "ROCKETMQ",
                "NAMESRV_CONF_LISTEN_PORT",
                Integer.toString(port));
        try (Launched launched = new Launched(home, environment, List.of())) {
            launched.awaitStarted();
            launched.terminate();

            assertThat(launched.end())
                    .isEqualTo(new End(
                            0,
                            "load config properties file OK, " + file + System.lineSeparator()
                                    + SUCCESS.formatted("ROCKETMQ", port),
                            ""));
        }
    }

    @Test
    void what_was_answered_survives_a_kill_of_the_process() throws Exception {
        int port = freePort();
        String file = file("bindAddress=127.0.0.1\nlistenPort=" + port).toString();
        Request put = Request.of(100).with("namespace", "ns").with("key", "k").with("value", "v");
        try (Launched first = launch("-c", file)) {
            first.awaitStarted();
            try (Peer peer = new Peer(port)) {
                assertThat(peer.ask(put)).isEqualTo(Reply.SUCCESS);
                assertThat(peer.ask(Request.of(318).body("orderMessageEnable=true")))
                        .isEqualTo(Reply.SUCCESS);
                first.signal("KILL");
                first.end();
            }
        }

        try (Launched second = launch("-c", file)) {
            second.awaitStarted();
            try (Peer peer = new Peer(port)) {
                assertThat(peer.ask(Request.of(219).with("namespace", "ns")))
                        .isEqualTo(Reply.json("{\"table\":{\"k\":\"v\"}}"));
                assertThat(peer.ask(Request.of(319)).body()).contains("\norderMessageEnable=true\n");
            }
            second.terminate();
            assertThat(second.end().exitCode()).isZero();
        }
    }

    private Launched launch(String... arguments) throws IOException {
        return new Launched(home, Map.of("ROCKETMQ_HOME", home.toString()), List.of(arguments));
    }

    @Test
    void a_limit_that_is_set_and_does_not_fit_the_memory_is_253() throws Exception {
        Path file = file("routeTablesMax=2000000000");

        assertFailed(run("-c", file.toString()), 253, "routeTablesMax: 2000000000 may need ");
    }

    private End run(String... arguments) throws IOException, InterruptedException {
        try (Launched launched = launch(arguments)) {
            return launched.end();
        }
    }

    private Path file(String content) throws IOException {
        return Files.writeString(home.resolve("my.properties"), content);
    }

    /** One or two lines on standard error, no stack, and no word of success. */
    private static void assertFailed(End end, int exitCode, String words) {
        assertThat(end.exitCode()).as(end.toString()).isEqualTo(exitCode);
        assertThat(end.err().lines()).hasSizeBetween(1, 2);
        assertThat(end.err()).contains(words).doesNotContain("Exception", "\tat ");
        assertThat(end.out()).doesNotContain("boot success");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
