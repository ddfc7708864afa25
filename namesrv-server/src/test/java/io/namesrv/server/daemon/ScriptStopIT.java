package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.Scripts.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends the daemon and what does not: mqshutdown, signals, probes. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptStopIT {
    private static final Request CLUSTERS = Request.of(106);

    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        scripts = new Scripts(home);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "broker", "namesrv -f"})
    void mqshutdown_says_what_it_takes(String arguments) throws Exception {
        assertThat(scripts.run("sh", "-c", "./mqshutdown " + arguments))
                .isEqualTo(new End(1, "", "Usage: mqshutdown namesrv\n"));
    }

    @Test
    void mqshutdown_without_a_daemon_says_so() throws Exception {
        assertThat(scripts.run("sh", "mqshutdown", "namesrv")).isEqualTo(new End(1, "No mqnamesrv running.\n", ""));
    }

    @Test
    void mqshutdown_spares_a_foreign_process_that_a_stale_file_names() throws Exception {
        try (Launched foreign = scripts.start("sleep", "60")) {
            Files.writeString(
                    Files.createDirectory(home.resolve("namesrv")).resolve("namesrv.pid"), foreign.pid() + "\n");

            End end = scripts.run("sh", "mqshutdown", "namesrv");

            assertThat(end).isEqualTo(new End(1, "No mqnamesrv running.\n", ""));
            assertThat(foreign.isAlive()).isTrue();
        }
    }

    @Test
    void of_two_daemons_under_one_home_both_run_and_mqshutdown_ends_the_later() throws Exception {
        try (Launched first = scripts.start("sh", "mqnamesrv");
                Launched second = secondAfter(first)) {
            assertServes(first.awaitStarted());
            assertServes(second.awaitStarted());

            assertThat(scripts.run("sh", "mqshutdown", "namesrv").exitCode()).isZero();
            assertThat(second.end().exitCode()).isZero();
            assertThat(scripts.run("sh", "mqshutdown", "namesrv").out()).isEqualTo("No mqnamesrv running.\n");
            assertServes(first.awaitStarted());
            first.terminate();
            assertThat(first.end().exitCode()).isZero();
        }
    }

    private Launched secondAfter(Launched first) throws IOException {
        first.awaitStarted();
        return scripts.start("sh", "mqnamesrv");
    }

    /** A liveness probe of a container opens a connection and closes it; a terminal that ends sends a hang-up. */
    @Test
    void neither_probes_nor_a_hang_up_end_it_or_fill_its_log() throws Exception {
        scripts.with("NAMESRV_CONF_SLOW_REQUEST_MILLIS", "0");
        try (Launched launched = scripts.start("sh", "mqnamesrv")) {
            int port = launched.awaitStarted();
            for (int i = 0; i < 20; i++) {
                probe(port, i % 2 == 0);
            }
            assertIgnoresHangUps(launched.pid());
            launched.signal("HUP");
            assertServes(port);
            launched.terminate();

            assertThat(launched.end()).isEqualTo(new End(0, scripts.fileOfTheTree() + success(port), ""));
            List<String> log = Files.readAllLines(home.resolve("logs/rocketmqlogs/namesrv.log"));
            assertThat(log.get(lineWith(log, " started in ") + 1)).endsWith(" stopping");
            assertThat(log).filteredOn(line -> line.endsWith(" stopping")).hasSize(1);
        }
    }

    private static int lineWith(List<String> log, String words) {
        for (int i = 0; i < log.size(); i++) {
            if (log.get(i).contains(words)) {
                return i;
            }
        }
        throw new AssertionError("no line with " + words + " in " + log);
    }

    /** Signal 1 is the lowest bit; whether it ends a process could otherwise only be waited for. */
    private static void assertIgnoresHangUps(long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        if (Files.exists(status)) {
            assertThat(Files.readString(status)).containsPattern("\nSigIgn:\\s*[0-9a-f]*[13579bdf]\n");
        }
    }

    /** Connects and leaves without a byte, politely or not. */
    private static void probe(int port, boolean politely) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            if (politely) {
                socket.shutdownOutput();
                assertThat(socket.getInputStream().read()).isNegative();
            } else {
                socket.setSoLinger(true, 0);
            }
        }
    }

    private static void assertServes(int port) throws IOException {
        try (Peer peer = new Peer(port)) {
            assertThat(peer.ask(CLUSTERS)).isEqualTo(Reply.json("{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}"));
        }
    }
}
