package io.namesrv.server.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The daemon as a process of its own, with a home and an environment of its own. */
final class Launched implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("boot success\\..*, address \\S+:(\\d+)\\R");

    /** How it ended: its exit code and all that it said. */
    record End(int exitCode, String out, String err) {}

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-of-launched"));
    }

    private final Process process;
    private final Path out;
    private final Path err;

    /**
     * Starts the program.
     *
     * @param directory for its output; also its {@code user.home}
     * @param environment all there is of one, beside the path
     */
    Launched(Path directory, Map<String, String> environment, List<String> arguments) throws IOException {
        this(directory, directory, environment, program(directory, arguments));
    }

    /**
     * Starts a command.
     *
     * @param directory for its output
     * @param environment all there is of one
     */
    Launched(Path directory, Path workingDirectory, Map<String, String> environment, List<String> command)
            throws IOException {
        out = Files.createTempFile(directory, "out", null);
        err = Files.createTempFile(directory, "err", null);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(workingDirectory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        process = builder.start();
        RUNNING.add(process);
    }

    private static List<String> program(Path directory, List<String> arguments) throws IOException {
        // Its log stays silent: the words of a start are on its standard streams.
        Path logging = Files.writeString(directory.resolve("logback.xml"), "<configuration/>");
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
        return command;
    }

    /** Waits until it says that it runs, and returns the port that it names. */
    int awaitStarted() throws IOException {
        Matcher started = PORT.matcher("");
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> started.reset(out()).find() || !process.isAlive());
        if (!started.reset(out()).find()) {
            throw new AssertionError("it ended with " + process.exitValue() + said());
        }
        return Integer.parseInt(started.group(1));
    }

    /** Waits for its end. */
    End end() throws IOException, InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it runs on" + said());
        }
        return new End(process.exitValue(), out(), err());
    }

    /** What it has said so far. */
    String out() throws IOException {
        return Files.readString(out);
    }

    /** What it has complained about so far. */
    String err() throws IOException {
        return Files.readString(err);
    }

    private String said() throws IOException {
        return "; out: " + out() + " err: " + err();
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

    /** The processor time that it has used so far. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** The resident memory that it has now, in bytes. */
    long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("no VmRSS of process " + pid());
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

    /** A shell starts what it puts into the background with SIGINT ignored, and so does what that starts in turn. */
    static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                        .anyMatch(ignored -> (ignored & 2) != 0);
    }

    /** Ends it at once if it is still there, and what it has started. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        RUNNING.remove(process);
    }
}
