package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.Scripts.success;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways in which users of Apache's scripts, images and charts start a NameServer and end it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptStartIT {
    /** How Apache's mqshutdown finds the processes to which it sends TERM, word for word. */
    private static final String APACHES_LOOK_UP = "ps ax | grep -i 'org.apache.rocketmq.namesrv.NamesrvStartup' "
            + "|grep java | grep -v grep | awk '{print $1}'";

    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        scripts = new Scripts(home);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh mqnamesrv -c FILE",
                "./mqnamesrv -c FILE",
                "/bin/bash mqnamesrv -c FILE",
                "/bin/sh -c './mqnamesrv -c FILE'",
                "sh runserver.sh org.apache.rocketmq.namesrv.NamesrvStartup -c FILE"
            })
    void it_starts_and_apaches_mqshutdown_finds_it_and_ends_it(String form) throws Exception {
        Path file = Files.writeString(home.resolve("namesrv.p"), "listenPort=0\nbindAddress=127.0.0.1\n");
        String[] command = words(form.replace("FILE", file.toString()));
        assumeTrue(Files.exists(scripts.bin().resolve(command[0])) || onPath(command[0]), "no " + command[0]);

        try (Launched launched = scripts.withoutSettings().start(command)) {
            int port = launched.awaitStarted();
            assertThat(foundByApaches()).singleElement().matches(ProcessHandle::destroy, "takes a TERM");

            assertThat(launched.end())
                    .isEqualTo(new End(0, "load config properties file OK, " + file + "\n" + success(port), ""));
        }
    }

    /** Splits at blanks; a part in single quotes is one word. */
    private static String[] words(String command) {
        int quote = command.indexOf('\'');
        List<String> words = new ArrayList<>(Arrays.asList(
                (quote < 0 ? command : command.substring(0, quote)).strip().split(" ")));
        if (quote >= 0) {
            words.add(command.substring(quote + 1, command.length() - 1));
        }
        return words.toArray(String[]::new);
    }

    /** Of this test's processes: others on this machine are others' business. */
    private List<ProcessHandle> foundByApaches() throws IOException, InterruptedException {
        assumeTrue(onPath("ps") && onPath("awk"), "no ps or awk");
        Set<Long> found = new Scripts(home)
                .run("sh", "-c", APACHES_LOOK_UP)
                .out()
                .lines()
                .map(Long::valueOf)
                .collect(Collectors.toSet());
        return ProcessHandle.current()
                .descendants()
                .filter(process -> found.contains(process.pid()))
                .toList();
    }

    @Test
    void it_starts_through_links_from_a_path_with_blanks_with_any_name_of_a_file() throws Exception {
        scripts.copiedTo(home.resolve("a tree/of its own"));
        Path script =
                Files.createSymbolicLink(home.resolve("start it"), scripts.bin().resolve("mqnamesrv"));
        Path settings = Files.createSymbolicLink(
                home.resolve("my settings"),
                Files.writeString(home.resolve("..data"), "listenPort=0\nbindAddress=127.0.0.1\n"));

        try (Launched launched =
                scripts.withoutSettings().from(home).start(script.toString(), "-c", settings.toString())) {
            int port = launched.awaitStarted();
            launched.terminate();

            assertThat(launched.end())
                    .isEqualTo(new End(0, "load config properties file OK, " + settings + "\n" + success(port), ""));
            assertThat(home.resolve("logs/rocketmqlogs/namesrv.log"))
                    .content()
                    .contains(" home=" + scripts.tree() + "\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "busybox"})
    void any_posix_shell_will_do_and_mqshutdown_ends_it(String shell) throws Exception {
        assumeTrue(onPath(shell), "no " + shell);
        scripts.with("PATH", shell.equals("busybox") ? nothingButBusybox() : shellAhead(shell));

        try (Launched launched = scripts.start("sh", "mqnamesrv")) {
            int port = launched.awaitStarted();
            End shutdown = scripts.run("sh", "mqshutdown", "namesrv");

            assertThat(launched.end()).isEqualTo(new End(0, scripts.fileOfTheTree() + success(port), ""));
            assertThat(shutdown.out().replaceFirst("\n\\.+\n$", "\n")).isEqualTo("""
                            The mqnamesrv(%1$d) is running...
                            Send shutdown request to mqnamesrv(%1$d) OK
                            """.formatted(launched.pid()));
            assertThat(shutdown.err()).isEmpty();
            assertThat(shutdown.exitCode()).isZero();
        }
    }

    private String shellAhead(String shell) throws IOException {
        Path directory = Files.createDirectory(home.resolve("path"));
        Files.copy(whereOnPath(shell), directory.resolve("sh"));
        return directory + ":" + System.getenv("PATH");
    }

    /** As in a container of Alpine. */
    private String nothingButBusybox() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(home.resolve("path"));
        Path busybox = Files.copy(whereOnPath("busybox"), directory.resolve("busybox"));
        List<String> applets =
                scripts.run(busybox.toString(), "--list").out().lines().toList();
        for (String applet : applets) {
            if (!applet.equals("busybox")) {
                Files.createSymbolicLink(directory.resolve(applet), busybox);
            }
        }
        return directory.toString();
    }

    private static boolean onPath(String program) {
        return directoriesOfPath().anyMatch(directory -> Files.isExecutable(directory.resolve(program)));
    }

    private static Path whereOnPath(String program) {
        return directoriesOfPath()
                .map(directory -> directory.resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private static Stream<Path> directoriesOfPath() {
        return Arrays.stream(System.getenv("PATH").split(":")).map(Path::of);
    }
}
