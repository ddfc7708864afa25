package io.namesrv.server.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Our daemon, started by its script, with a home of its own, on a free port of the loopback address. */
final class NamesrvProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final Pattern SUCCESS = Pattern.compile(
            "^The Name Server boot success\\. serializeType=JSON, address 127\\.0\\.0\\.1:(\\d+)$", Pattern.MULTILINE);

    private final ChildProcess process;
    private final int port;

    private NamesrvProcess(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts the daemon; it answers when this returns. */
    static NamesrvProcess start(Path directory) throws IOException, InterruptedException {
        Path home = Files.createDirectories(directory.resolve("namesrv"));
        Path settings = Files.writeString(
                home.resolve("given.properties"), "listenPort=0\nbindAddress=127.0.0.1\n", StandardCharsets.UTF_8);
        Map<String, String> environment = Map.of(
                "PATH", System.getenv("PATH"),
                "JAVA_HOME", Places.jdk().toString(),
                "JAVA_OPT_EXT", "-Xms64m -Xmx256m -Duser.home=" + home,
                "NAMESRV_LOG_DIR", home.resolve("logs").toString(),
                "NAMESRV_LOG_FORMAT", "stdout");
        String script = Places.home().resolve("bin/mqnamesrv").toString();
        ChildProcess process =
                ChildProcess.start("mqnamesrv", home, environment, List.of(script, "-c", settings.toString()));
        try {
            return new NamesrvProcess(
                    process,
                    Integer.parseInt(process.awaitOutput(SUCCESS, START_LIMIT).group(1)));
        } catch (AssertionError | InterruptedException failed) {
            process.close();
            throw failed;
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    RawQuery.Answer ask(RawQuery query) {
        try {
            return query.ask(port);
        } catch (IOException e) {
            throw process.failure("no answer to " + query + ": " + e);
        }
    }

    /** Waits until this is true; fails at the deadline. */
    void until(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        process.until(what, limit, condition);
    }

    /** Stops it as a supervisor does (SIGTERM) and returns its exit code. */
    int stop() throws InterruptedException {
        process.terminate();
        return process.exitCode(STOP_LIMIT);
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
