package io.namesrv.server.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that a test has started. All it prints goes to a file; every wait has a deadline and fails with the end of
 * that file; it ends with the test or, at the latest, with this JVM.
 */
final class ChildProcess implements AutoCloseable {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 40;

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "end-of-children"));
    }

    private final String name;
    private final Process process;
    private final Path output;

    private ChildProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** Starts a program that sees this environment and nothing of ours. */
    static ChildProcess start(String name, Path directory, Map<String, String> environment, List<String> command) {
        Path output = directory.resolve(name + ".out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            RUNNING.add(process);
            process.getOutputStream().close();
            return new ChildProcess(name, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a line like this has been printed. */
    MatchResult awaitOutput(Pattern line, Duration limit) throws InterruptedException {
        until("output like " + line, limit, () -> line.matcher(output()).find());
        Matcher matcher = line.matcher(output());
        if (!matcher.find()) {
            throw failure("no output like " + line + " any more");
        }
        return matcher.toMatchResult();
    }

    /** Waits until this is true; fails at the deadline, and at once if the process ends before. */
    void until(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() && !condition.getAsBoolean()) {
                throw failure("ended with " + process.exitValue() + " before " + what);
            }
            if (System.nanoTime() > deadline) {
                throw failure("not within " + limit + ": " + what);
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Waits for the end that the process comes to by itself. */
    int exitCode(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failure("still running after " + limit);
        }
        RUNNING.remove(process);
        return process.exitValue();
    }

    /** Asks the process to end (SIGTERM). */
    void terminate() {
        process.destroy();
    }

    /** Holds the process where it is, as a machine does that is starved or suspended (SIGSTOP). */
    void pause() throws InterruptedException {
        signal("-STOP");
    }

    /** Lets a held process go on (SIGCONT). */
    void goOn() throws InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (!kill.waitFor(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
                throw failure("could not be sent " + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process without a word to it (SIGKILL); it is gone when this returns. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        exitCode(KILL_LIMIT);
    }

    /** Kills the process if it is still there. */
    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything it has printed so far. */
    String output() {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    AssertionError failure(String what) {
        List<String> lines = output().lines().toList();
        List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        return new AssertionError(name + ": " + what + "\n--- the end of " + output + "\n" + String.join("\n", tail));
    }
}
