package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes nothing any more, under a daemon that runs: changes are refused, all else goes on, and it recovers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class DiskChaosIT {
    private static final List<String> WITH_A_DISK_OF_1_MIB =
            List.of("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs \"$0\" && exec sh mqnamesrv");
    private static final List<String> WITHOUT_PRIVILEGES =
            List.of("unshare", "--user", "--map-user=12345", "--map-group=12345");
    private static final Request GET = Request.of(101).with("namespace", "ns").with("key", "k");

    @TempDir
    private Path home;

    private Path data = Path.of("");
    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        data = Files.createDirectory(home.resolve("data"));
        scripts = new Scripts(home)
                .with(
                        "NAMESRV_CONF_KV_CONFIG_PATH",
                        data.resolve("kvConfig.json").toString())
                .with(
                        "NAMESRV_CONF_CONFIG_STORE_PATH",
                        data.resolve("namesrv.properties").toString());
    }

    private static Request put(String value) {
        return Request.of(100).with("namespace", "ns").with("key", "k").with("value", value);
    }

    private static Request change(boolean value) {
        return Request.of(318).body("orderMessageEnable=" + value);
    }

    @Test
    void a_full_disk_takes_nothing_and_loses_nothing() throws Exception {
        List<String> command = new ArrayList<>(WITH_A_DISK_OF_1_MIB);
        command.add(data.toString());
        scripts.assumePossible("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", data.toString());
        try (Launched daemon = scripts.start(command.toArray(String[]::new));
                Peer peer = new Peer(daemon.awaitStarted())) {
            Path disk = Path.of("/proc/" + daemon.pid() + "/root" + data);
            Path filler = disk.resolve("filler");

            assertKept(
                    peer,
                    disk,
                    "no space left on device",
                    () -> {
                        try (OutputStream out = Files.newOutputStream(filler)) {
                            while (true) {
                                out.write(new byte[1024]);
                            }
                        } catch (IOException full) {
                            assertThat(full).hasMessageContaining("No space left");
                        }
                    },
                    () -> Files.delete(filler));
        }
    }

    @Test
    void a_directory_that_may_not_be_written_takes_nothing_and_loses_nothing() throws Exception {
        List<String> command = new ArrayList<>(WITHOUT_PRIVILEGES);
        command.addAll(List.of("sh", "mqnamesrv"));
        scripts.assumePossible("unshare", "--user", "--map-user=12345", "--map-group=12345", "true");
        try (Launched daemon = scripts.start(command.toArray(String[]::new));
                Peer peer = new Peer(daemon.awaitStarted())) {
            assertKept(
                    peer,
                    data,
                    "permission denied",
                    () -> Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-xr-xr-x")),
                    () -> Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x")));
        }
    }

    @FunctionalInterface
    private interface Act {
        void run() throws IOException;
    }

    private static void assertKept(Peer peer, Path disk, String reason, Act break_, Act mend) throws Exception {
        TestDaemon.register(peer, TestBroker.numbered(1));
        assertThat(peer.ask(put("before"))).isEqualTo(Reply.SUCCESS);
        assertThat(peer.ask(change(true))).isEqualTo(Reply.SUCCESS);
        byte[] kvConfig = Files.readAllBytes(disk.resolve("kvConfig.json"));
        byte[] settings = Files.readAllBytes(disk.resolve("namesrv.properties"));

        break_.run();

        for (Request refused : List.of(put("x".repeat(20_000)), put("meanwhile"))) {
            assertThat(peer.ask(refused))
                    .isEqualTo(Reply.error(1, "the key/value settings cannot be written, nothing was changed"));
        }
        Reply unchanged = peer.ask(change(false));
        assertThat(unchanged.code()).isOne();
        assertThat(unchanged.remark()).containsIgnoringCase(reason);
        assertThat(peer.ask(GET)).isEqualTo(Reply.SUCCESS.with("value", "before"));
        assertThat(peer.ask(Request.of(319)).body()).contains("\norderMessageEnable=true\n");
        assertThat(peer.ask(Request.of(105).with("topic", "t1a")).code()).isZero();
        TestDaemon.register(peer, TestBroker.numbered(2));
        assertThat(disk.resolve("kvConfig.json")).hasBinaryContent(kvConfig);
        assertThat(disk.resolve("namesrv.properties")).hasBinaryContent(settings);

        mend.run();

        assertThat(peer.ask(put("after"))).isEqualTo(Reply.SUCCESS);
        assertThat(peer.ask(change(false))).isEqualTo(Reply.SUCCESS);
        assertThat(peer.ask(GET)).isEqualTo(Reply.SUCCESS.with("value", "after"));
        assertThat(Files.readString(disk.resolve("kvConfig.json"))).contains("after");
        assertThat(Files.readString(disk.resolve("namesrv.properties"))).contains("orderMessageEnable=false");
    }
}
