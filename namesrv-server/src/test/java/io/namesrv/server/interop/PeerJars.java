package io.namesrv.server.interop;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The jars of one release of Apache RocketMQ, as a class path into the user's Maven repository, and our client. */
final class PeerJars {
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(8);

    private PeerJars() {}

    /**
     * The class path of a release: its jars, then the client compiled against them. Maven fetches what is missing.
     * One release at a time, for two downloads of the same file would disturb each other.
     */
    static synchronized String classPath(String version) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Places.peerCache().resolve(version));
        Path file = directory.resolve("classpath");
        if (!isComplete(file)) {
            fetch(version, directory, file);
        }
        String jars = Files.readString(file, StandardCharsets.UTF_8).strip();
        return jars + File.pathSeparator + compiledClient(jars, directory.resolve("classes"));
    }

    /** It is as new as what it was made from, and all that it names is still there. */
    private static boolean isComplete(Path file) throws IOException {
        return Files.exists(file)
                && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(pom())) >= 0
                && Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(
                                Files.readString(file, StandardCharsets.UTF_8).strip())
                        .allMatch(jar -> Files.exists(Path.of(jar)));
    }

    private static Path pom() {
        return Places.peerSources().resolve("pom.xml");
    }

    private static void fetch(String version, Path directory, Path file) throws IOException, InterruptedException {
        Files.deleteIfExists(file);
        List<String> command = List.of(
                Places.maven().toString(),
                "-B",
                "-ntp",
                "-Dstyle.color=never",
                "-f",
                pom().toString(),
                "-Drocketmq.version=" + version,
                "-Dmaven.repo.local=" + Places.mavenRepository(),
                "dependency:build-classpath",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + file);
        // Proxies and the like may stand in the environment.
        try (ChildProcess maven = ChildProcess.start("maven", directory, System.getenv(), command)) {
            if (maven.exitCode(FETCH_LIMIT) != 0 || !isComplete(file)) {
                throw maven.failure("could not fetch the jars of " + version);
            }
        }
    }

    private static Path compiledClient(String jars, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("no compiler in " + Places.jdk() + "; a JDK is needed");
        }
        Files.createDirectories(classes);
        Path source = Places.peerSources().resolve("PeerClient.java");
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        List<String> options =
                List.of("-nowarn", "-proc:none", "-cp", jars, "-d", classes.toString(), source.toString());
        if (compiler.run(null, messages, messages, options.toArray(String[]::new)) != 0) {
            throw new AssertionError("PeerClient does not compile\n" + messages.toString(StandardCharsets.UTF_8));
        }
        return classes;
    }
}
