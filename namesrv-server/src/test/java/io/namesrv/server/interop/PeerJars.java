package io.namesrv.server.interop;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The jars of one release of Apache RocketMQ, as a class path into the user's Maven repository, and our clients. */
final class PeerJars {
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(8);

    private PeerJars() {}

    /** The class path of a release's brokers, clients and tools, and of our clients compiled against them. */
    static String classPath(String version) throws IOException, InterruptedException {
        return classPath(version, "brokers", "pom.xml", List.of(), List.of("PeerClient.java", "TrafficClient.java"));
    }

    /** The same, and the programs that only the field suite starts: name server, container, controller, proxy. */
    static String wholeClassPath(String version) throws IOException, InterruptedException {
        String profiles = version.startsWith("4.") ? "-Pfield" : "-Pfield,field-5";
        return classPath(
                version, "all", "pom.xml", List.of(profiles), List.of("PeerClient.java", "TrafficClient.java"));
    }

    /** The class path of the client that speaks gRPC with a proxy. */
    static String grpcClassPath() throws IOException, InterruptedException {
        return classPath("grpc", "client", "grpc.xml", List.of(), List.of("GrpcClient.java"));
    }

    /**
     * Maven fetches what is missing. One release at a time, for two downloads of the same file would disturb each
     * other.
     */
    private static synchronized String classPath(
            String version, String name, String pomName, List<String> profiles, List<String> clients)
            throws IOException, InterruptedException {
        Path pom = Places.peerSources().resolve(pomName);
        Path directory = Files.createDirectories(Places.peerCache().resolve(version));
        Path file = directory.resolve(name + ".classpath");
        if (!isComplete(file, pom)) {
            fetch(version, pom, profiles, directory, file);
        }
        String jars = Files.readString(file, StandardCharsets.UTF_8).strip();
        return jars + File.pathSeparator + compiledClients(clients, jars, directory.resolve(name + "-classes"));
    }

    /** It is as new as what it was made from, and all that it names is still there. */
    private static boolean isComplete(Path file, Path pom) throws IOException {
        return Files.exists(file)
                && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(pom)) >= 0
                && Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(
                                Files.readString(file, StandardCharsets.UTF_8).strip())
                        .allMatch(jar -> Files.exists(Path.of(jar)));
    }

    private static void fetch(String version, Path pom, List<String> profiles, Path directory, Path file)
            throws IOException, InterruptedException {
        Files.deleteIfExists(file);
        List<String> command = new ArrayList<>(List.of(
                Places.maven().toString(),
                "-B",
                "-ntp",
                "-Dstyle.color=never",
                "-f",
                pom.toString(),
                "-Drocketmq.version=" + version,
                "-Dmaven.repo.local=" + Places.mavenRepository(),
                "dependency:build-classpath",
                "-DincludeScope=runtime",
                "-Dmdep.outputFile=" + file));
        command.addAll(profiles);
        // Proxies and the like may stand in the environment.
        try (ChildProcess maven = ChildProcess.start("maven", directory, System.getenv(), command)) {
            if (maven.exitCode(FETCH_LIMIT) != 0 || !isComplete(file, pom)) {
                throw maven.failure("could not fetch the jars of " + version);
            }
        }
    }

    private static Path compiledClients(List<String> clients, String jars, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("no compiler in " + Places.jdk() + "; a JDK is needed");
        }
        Files.createDirectories(classes);
        List<String> options = new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp", jars, "-d", classes.toString()));
        for (String source : clients) {
            options.add(Places.peerSources().resolve(source).toString());
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        if (compiler.run(null, messages, messages, options.toArray(String[]::new)) != 0) {
            throw new AssertionError("the clients do not compile\n" + messages.toString(StandardCharsets.UTF_8));
        }
        return classes;
    }
}
