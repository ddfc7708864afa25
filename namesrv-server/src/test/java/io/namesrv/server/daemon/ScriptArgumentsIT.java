package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script makes of its arguments: nothing, they are the program's, and so are its words and exit codes. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptArgumentsIT {
    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        scripts = new Scripts(home);
    }

    @Test
    void help_is_printed_and_no_file_is_made() throws Exception {
        End end = scripts.run("sh", "mqnamesrv", "-h");

        assertThat(end.exitCode()).isZero();
        assertThat(end.out()).startsWith("usage: mqnamesrv [-c FILE] [-n ADDR] [-p] [-h] [-V]\n");
        assertThat(end.err()).isEmpty();
        assertNoFileMade();
    }

    @Test
    void the_version_is_printed_and_no_file_is_made() throws Exception {
        End end = scripts.run("sh", "mqnamesrv", "-V");

        assertThat(end.exitCode()).isZero();
        assertThat(end.out()).matches("namesrv \\S+ \\(commit \\S+, java \\S+\\)\n");
        assertThat(end.err()).isEmpty();
        assertNoFileMade();
    }

    @Test
    void settings_are_printed_and_no_file_is_made() throws Exception {
        Path file = Files.writeString(home.resolve("a file"), "scanNotActiveBrokerInterval=4321\n");

        End end = scripts.run("sh", "mqnamesrv", "-p", "-n", "localhost:9876", "-c", file.toString());

        assertThat(end.exitCode()).isZero();
        assertThat(end.out())
                .contains(
                        "\nscanNotActiveBrokerInterval=4321\n",
                        "\nconfigStorePath=" + file + "\n",
                        "\nrocketmqHome=" + scripts.tree() + "\n",
                        "\nlistenPort=0\n");
        assertThat(end.err()).isEmpty();
        assertNoFileMade();
    }

    private void assertNoFileMade() {
        assertThat(home.resolve("logs")).doesNotExist();
        assertThat(home.resolve("namesrv")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-x", "--no such", "*"})
    void an_unknown_option_is_the_usage_and_1_and_other_words_arrive_as_they_are(String word) throws Exception {
        End end = scripts.run("sh", "mqnamesrv", word, "-x");

        assertThat(end.exitCode()).isEqualTo(1);
        assertThat(end.out()).isEmpty();
        assertThat(end.err())
                .startsWith("unknown option " + (word.startsWith("-") ? word : "-x") + "\nusage: mqnamesrv ");
    }

    @Test
    void a_port_in_use_is_one_line_and_255() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            End end = scripts.with("NAMESRV_CONF_LISTEN_PORT", Integer.toString(port))
                    .run("sh", "mqnamesrv");

            assertThat(end)
                    .isEqualTo(new End(
                            255,
                            scripts.fileOfTheTree(),
                            "cannot listen on 127.0.0.1:" + port
                                    + ": address already in use (set listenPort, or stop the other process)\n"));
        }
    }

    @Test
    void a_value_that_does_not_parse_is_one_line_and_255() throws Exception {
        Path file = Files.writeString(home.resolve("settings"), "scanNotActiveBrokerInterval=soon\n");

        End end = scripts.run("sh", "mqnamesrv", "-c", file.toString());

        assertThat(end.exitCode()).isEqualTo(255);
        assertThat(end.out()).isEmpty();
        assertThat(end.err().lines())
                .singleElement()
                .asString()
                .startsWith("scanNotActiveBrokerInterval: soon (expected: ")
                .contains(file.toString());
    }
}
