package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** A name server as a process, with a home of its own: our daemon, started by its script, or Apache's. */
final class NamesrvProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final Pattern OUR_SUCCESS = Pattern.compile(
            "^The Name Server boot success\\. serializeType=JSON, address 127\\.0\\.0\\.1:(\\d+)$", Pattern.MULTILINE);
    private static final Pattern APACHES_SUCCESS = Pattern.compile("The Name Server boot success");

    private final ChildProcess process;
    private final Dial dial;

    private NamesrvProcess(ChildProcess process, Dial dial) {
        this.process = process;
        this.dial = dial;
    }

    /** Starts our daemon on a free port; it answers when this returns. */
    static NamesrvProcess start(Path directory) throws IOException, InterruptedException {
        return start(directory, 0, Map.of());
    }

    /** Starts our daemon with these settings, on any free port if the port is 0. */
    static NamesrvProcess start(Path directory, int port, Map<String, String> settings)
            throws IOException, InterruptedException {
        return start(directory, port, settings, "", false);
    }

    /** Starts our daemon with options for its JVM that make it speak TLS, and speaks TLS with it. */
    static NamesrvProcess startTls(Path directory, String jvmOptions) throws IOException, InterruptedException {
        return start(directory, 0, Map.of(), jvmOptions, true);
    }

    private static NamesrvProcess start(
            Path directory, int port, Map<String, String> settings, String jvmOptions, boolean tls)
            throws IOException, InterruptedException {
        Path home = Files.createDirectories(directory.resolve("namesrv"));
        Path file = ApachePeers.write(home.resolve("given.properties"), properties(port, settings));
        Map<String, String> environment = Map.of(
                "PATH", System.getenv("PATH"),
                "JAVA_HOME", Places.jdk().toString(),
                "JAVA_OPT_EXT", "-Xms64m -Xmx256m -Duser.home=" + home + " " + jvmOptions,
                "NAMESRV_LOG_DIR", home.resolve("logs").toString(),
                "NAMESRV_LOG_FORMAT", "stdout");
        String script = Places.home().resolve("bin/mqnamesrv").toString();
        ChildProcess process =
                ChildProcess.start("mqnamesrv", home, environment, List.of(script, "-c", file.toString()));
        try {
            String given = process.awaitOutput(OUR_SUCCESS, START_LIMIT).group(1);
            return new NamesrvProcess(process, new Dial(Integer.parseInt(given), tls));
        } catch (AssertionError | InterruptedException failed) {
            process.close();
            throw failed;
        }
    }

    /** Starts the name server of a release of Apache RocketMQ. */
    static NamesrvProcess startApaches(
            String version, Path directory, int port, Map<String, String> settings, String... jvmOptions)
            throws IOException, InterruptedException {
        ApachePeers apaches = ApachePeers.whole(version, directory, "").with(jvmOptions);
        Path home = apaches.home("apache-namesrv");
        Properties all = properties(port, settings);
        all.setProperty("kvConfigPath", home.resolve("kvConfig.json").toString());
        Path file = ApachePeers.write(home.resolve("namesrv.properties"), all);
        return new NamesrvProcess(
                apaches.startServer(
                        "apache-namesrv",
                        "org.apache.rocketmq.namesrv.NamesrvStartup",
                        APACHES_SUCCESS,
                        "-c",
                        file.toString()),
                new Dial(port, false));
    }

    private static Properties properties(int port, Map<String, String> settings) {
        Properties all = new Properties();
        all.setProperty("listenPort", Integer.toString(port));
        all.setProperty("bindAddress", "127.0.0.1");
        all.putAll(settings);
        return all;
    }

    String address() {
        return "127.0.0.1:" + dial.port();
    }

    /** How it is reached. */
    Dial dial() {
        return dial;
    }

    RawQuery.Answer ask(RawQuery query) {
        try {
            return query.ask(dial);
        } catch (IOException e) {
            throw process.failure("no answer to " + query + ": " + e);
        }
    }

    /** Waits until this is true; fails at the deadline. */
    void until(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        process.until(what, limit, condition);
    }

    /** Ends it without a word to it (SIGKILL). */
    void kill() throws InterruptedException {
        process.kill();
    }

    /** Stops it as a supervisor does (SIGTERM) and returns its exit code. */
    int stop() throws InterruptedException {
        process.terminate();
        return process.exitCode(STOP_LIMIT);
    }

    /** Our daemon ends with 0, was asked for nothing that it does not serve, and failed at nothing. */
    void stopWell() throws InterruptedException {
        assertThat(stop()).isZero();
        assertThat(output()).contains(" unsupportedCodes={}").doesNotContain(" ERROR ");
    }

    /** Everything it has said and logged. */
    String output() {
        return process.output();
    }

    @Override
    public void close() {
        process.close();
    }
}
