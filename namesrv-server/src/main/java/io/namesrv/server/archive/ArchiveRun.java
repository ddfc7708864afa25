package io.namesrv.server.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the class data archive of the built tree, {@code lib/namesrv.jsa}: starts the daemon from the tree on a free port
 * of the loopback address, has it answer what brokers, clients and tools ask ({@link Requests}), and stops it. Of all
 * classes that this took the JVM then writes the parsed form into a file, which later starts map into their memory.
 *
 * <p>Without an archive a start only takes longer: whatever goes wrong here is said in a line, and fails no build.
 */
public final class ArchiveRun {
    private static final Pattern STARTED = Pattern.compile("boot success\\..*, address (\\S+:\\d+)\\R");
    private static final long LIMIT_SECONDS = 60;

    private final Path tree;
    private final Path home;

    private ArchiveRun(Path tree, Path home) {
        this.tree = tree;
        this.home = home;
    }

    /** Takes the tree, and a folder for what the daemon writes, which stays only where the run fails. */
    public static void main(String[] args) throws InterruptedException {
        Path tree = Path.of(args[0]).toAbsolutePath();
        Path home = Path.of(args[1]).toAbsolutePath();
        try {
            new ArchiveRun(tree, home).make();
        } catch (IOException | RuntimeException failed) {
            System.out.println("no class data archive, so starts take longer: " + failed + "; see " + home);
        }
    }

    private void make() throws IOException, InterruptedException {
        deleteAll(home);
        Files.createDirectories(home);
        Path written = home.resolve("namesrv.jsa");
        Process daemon = start(written);
        Thread atEnd = new Thread(daemon::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atEnd);
        try {
            Requests.askAll(awaitStarted(daemon));
            daemon.destroy();
            if (!daemon.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the daemon does not stop");
            }
        } finally {
            daemon.destroyForcibly();
        }
        Path archive = tree.resolve("lib").resolve(written.getFileName());
        Files.writeString(Path.of(archive + ".length"), Files.size(written) + "\n"); // what bin/runserver.sh looks for
        Files.move(written, archive);
        deleteAll(home);
    }

    /** As an operator starts it, with nothing of this environment but the JVM. */
    private Process start(Path archive) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", tree.resolve("bin/mqnamesrv").toString())
                .directory(home.toFile())
                .redirectOutput(out().toFile())
                .redirectError(home.resolve("err").toFile());
        builder.environment().keySet().retainAll(List.of("PATH", "JAVA_HOME"));
        builder.environment().put("NAMESRV_LOG_DIR", home.resolve("logs").toString());
        builder.environment().put("NAMESRV_CONF_BIND_ADDRESS", "127.0.0.1");
        builder.environment().put("NAMESRV_CONF_LISTEN_PORT", "0");
        // Named from its working directory: the script splits this at blanks, and a path may hold some.
        builder.environment()
                .put("JAVA_OPT", "-XX:ArchiveClassesAtExit=" + home.relativize(archive) + " -Duser.home=.");
        return builder.start();
    }

    private Path out() {
        return home.resolve("out");
    }

    /** The address that the daemon listens on, once it does. */
    private String awaitStarted(Process daemon) throws IOException, InterruptedException {
        for (long passed = 0; passed < LIMIT_SECONDS * 100; passed++) {
            Matcher started = STARTED.matcher(Files.readString(out()));
            if (started.find()) {
                return started.group(1);
            }
            if (daemon.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IOException("the daemon ended with " + daemon.exitValue());
            }
        }
        throw new IOException("the daemon does not start");
    }

    private static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
