package io.namesrv.server.daemon;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.namesrv.server.daemon.Launched.End;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The scripts of the built tree as their users call them: from the directory {@code bin}, with an environment of their
 * own and nothing of ours. The daemon keeps its files in a home of its own, and listens on a free port of the loopback
 * address.
 */
final class Scripts {
    private final Path home;
    private Path tree;
    private Path directory;
    private final Map<String, String> environment = new HashMap<>();

    Scripts(Path home) throws IOException {
        this.home = home;
        this.tree = builtTree();
        this.directory = bin();
        environment.put("PATH", jdk().resolve("bin") + File.pathSeparator + System.getenv("PATH"));
        environment.put("JAVA_HOME", jdk().toString());
        environment.put("HOME", home.toString());
        // A quick start matters more than peak speed.
        environment.put("JAVA_OPT", "-XX:TieredStopAtLevel=1 -Duser.home=" + home);
        environment.put("NAMESRV_CONF_BIND_ADDRESS", "127.0.0.1");
        environment.put("NAMESRV_CONF_LISTEN_PORT", "0");
    }

    private static Path builtTree() throws IOException {
        String checkout = System.getProperty("namesrv.home");
        if (checkout == null) {
            throw new IllegalStateException("no system property namesrv.home; run this test with mvn verify");
        }
        return Path.of(checkout, "namesrv-server/target/namesrv").toRealPath();
    }

    static Path jdk() {
        return Path.of(System.getProperty("java.home"));
    }

    /** From here on it is a copy of the built tree, at this place, that is called. */
    Scripts copiedTo(Path copy) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copied = copy.resolve(tree.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copied);
                } else {
                    Files.copy(file, copied);
                    Files.setPosixFilePermissions(copied, Files.getPosixFilePermissions(file));
                }
            }
        }
        tree = copy.toRealPath();
        return from(bin());
    }

    /** Calls come from this directory. */
    Scripts from(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    Scripts with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** The same with words behind those that the variable already has. */
    Scripts withMore(String variable, String words) {
        environment.merge(variable, words, (present, more) -> present + " " + more);
        return this;
    }

    Scripts without(String variable) {
        environment.remove(variable);
        return this;
    }

    /** Without the settings that come from the environment; a file has to give them. */
    Scripts withoutSettings() {
        return without("NAMESRV_CONF_BIND_ADDRESS").without("NAMESRV_CONF_LISTEN_PORT");
    }

    Path tree() {
        return tree;
    }

    Path bin() {
        return tree.resolve("bin");
    }

    /** What {@code mqnamesrv} says first without {@code -c}: the tree has a file of settings. */
    String fileOfTheTree() {
        return "load config properties file OK, " + tree.resolve("conf/namesrv.properties") + "\n";
    }

    static String success(int port) {
        return "The Name Server boot success. serializeType=JSON, address 127.0.0.1:" + port + "\n";
    }

    /** Starts a command that runs on. */
    Launched start(String... command) throws IOException {
        return new Launched(home, directory, environment, List.of(command));
    }

    /** Skips the test where this command does not do, as where there are no namespaces. */
    void assumePossible(String... command) throws InterruptedException {
        try {
            assumeTrue(run(command).exitCode() == 0, "not possible here: " + String.join(" ", command));
        } catch (IOException none) {
            assumeTrue(false, "not here: " + command[0]);
        }
    }

    /** Runs a command to its end. */
    End run(String... command) throws IOException, InterruptedException {
        try (Launched launched = start(command)) {
            return launched.end();
        }
    }
}
