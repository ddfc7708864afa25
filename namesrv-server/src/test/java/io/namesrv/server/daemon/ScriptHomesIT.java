package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Homes as containers have them: another's, read-only, or none. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptHomesIT {
    /** Runs a command under a uid that no table of users knows, without root's privileges. */
    private static final List<String> AS_NOBODY_KNOWN =
            List.of("unshare", "--user", "--map-user=12345", "--map-group=12345");

    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        scripts = new Scripts(home);
    }

    @Test
    void a_home_that_is_a_tree_of_apaches_gives_nothing_but_its_name() throws Exception {
        Path apaches = home.resolve("rocketmq-5.3.3");
        for (String file : List.of(
                "lib/rocketmq-namesrv-5.3.3.jar", "lib/netty-all-4.1.65.Final.jar", "conf/rmq.namesrv.logback.xml")) {
            Files.createDirectories(apaches.resolve(file).getParent());
            Files.writeString(apaches.resolve(file), "not for us");
        }

        try (Launched launched =
                scripts.with("ROCKETMQ_HOME", apaches.toString()).start("sh", "mqnamesrv")) {
            int port = launched.awaitStarted();
            try (Peer peer = new Peer(port)) {
                assertThat(peer.ask(Request.of(319)).body()).contains("\nrocketmqHome=" + apaches + "\n");
            }
            launched.terminate();

            assertThat(launched.end()).isEqualTo(new End(0, Scripts.success(port), ""));
        }
    }

    @Test
    void a_uid_that_nobody_knows_has_its_files_under_home() throws Exception {
        scripts.assumePossible(asNobodyKnown("true"));
        scripts.with("JAVA_OPT", "-XX:TieredStopAtLevel=1");

        try (Launched launched = scripts.start(asNobodyKnown("sh", "mqnamesrv"))) {
            int port = launched.awaitStarted();

            assertThat(home.resolve("namesrv/namesrv.pid")).hasContent(Long.toString(launched.pid()));
            assertThat(scripts.run(asNobodyKnown("sh", "mqshutdown", "namesrv")).exitCode())
                    .isZero();
            assertThat(launched.end())
                    .isEqualTo(new End(
                            0,
                            scripts.fileOfTheTree() + Scripts.success(port),
                            "runserver.sh: uid 12345 has no home; using " + home + " as user.home\n"));
            assertThat(home.resolve("logs/rocketmqlogs/namesrv.log")).isNotEmptyFile();
        }
    }

    @Test
    void without_home_and_on_a_disk_that_takes_no_write_it_runs_and_says_what_is_missing() throws Exception {
        scripts.assumePossible(asNobodyKnown("true"));
        Path tree = scripts.copiedTo(home.resolve("tree")).tree();
        Path settings = Files.writeString(tree.resolve("conf/namesrv.p"), "orderMessageEnable=false\n");
        for (Path directory : List.of(tree, settings.getParent())) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
        }
        scripts.with("JAVA_OPT", "-XX:TieredStopAtLevel=1").with("HOME", "/");

        try (Launched launched = scripts.start(asNobodyKnown("sh", "mqnamesrv", "-c", "../conf/namesrv.p"))) {
            int port = launched.awaitStarted();
            try (Peer peer = new Peer(port)) {
                assertThat(peer.ask(Request.of(318).body("orderMessageEnable=true")))
                        .isEqualTo(Reply.error(
                                1,
                                "settings are not saved and not changed: cannot write ../conf/namesrv.p:"
                                        + " permission denied"));
                assertThat(peer.ask(Request.of(319)).body()).contains("\norderMessageEnable=false\n");
            }
            launched.terminate();

            assertThat(launched.end())
                    .isEqualTo(new End(
                            0,
                            "load config properties file OK, ../conf/namesrv.p\n" + Scripts.success(port),
                            """
                            runserver.sh: uid 12345 has no home; using %1$s/data as user.home
                            runserver.sh: cannot write to %1$s/data/logs/rocketmqlogs: no log files \
                            (set NAMESRV_LOG_DIR, or NAMESRV_LOG_FORMAT=stdout)
                            """.formatted(tree)));
            assertThat(tree.resolve("data")).doesNotExist();
        } finally {
            Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setPosixFilePermissions(settings.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static String[] asNobodyKnown(String... command) {
        List<String> words = new ArrayList<>(AS_NOBODY_KNOWN);
        words.addAll(Arrays.asList(command));
        return words.toArray(String[]::new);
    }
}
