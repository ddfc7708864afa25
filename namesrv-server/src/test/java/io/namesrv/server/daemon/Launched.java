package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The daemon's program as a process of its own, with a home and an environment of its own. */
final class Launched implements AutoCloseable {
    /** How it ended: its exit code and all that it said. */
    record End(int exitCode, String out, String err) {}

    private final Process process;
    private final Path out;
    private final Path err;

    /**
     * Starts it.
     *
     * @param directory for its output; also its {@code user.home}
     * @param environment all there is of one, beside the path
     */
    Launched(Path directory, Map<String, String> environment, List<String> arguments) throws IOException {
        // Its log stays silent: the words of a start are on its standard streams.
        Path logging = Files.writeString(directory.resolve("logback.xml"), "<configuration/>");
        out = directory.resolve("out");
        err = directory.resolve("err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                // As bin/runserver.sh has it: JDK 24 and later would have their say on standard error.
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "-Duser.home=" + directory,
                "-Dlogback.configurationFile=" + logging,
                "io.namesrv.server.NamesrvStartup"));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /** Waits for its end. */
    End end() throws IOException, InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it runs on; out: " + out() + " err: " + Files.readString(err));
        }
        return new End(process.exitValue(), out(), Files.readString(err));
    }

    /** What it has said so far. */
    String out() throws IOException {
        return Files.readString(out);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end: SIGTERM. */
    void terminate() {
        process.destroy();
    }

    long pid() {
        return process.pid();
    }

    /** Sends it a signal by its name. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .redirectErrorStream(true)
                .start();
        try (InputStream said = kill.getInputStream()) {
            String words = new String(said.readAllBytes(), UTF_8);
            if (kill.waitFor() != 0) {
                throw new AssertionError(words);
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
