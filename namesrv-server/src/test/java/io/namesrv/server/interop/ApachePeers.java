package io.namesrv.server.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/** The programs of one release of Apache RocketMQ, each run as a process on the loopback address. */
final class ApachePeers {
    private static final Pattern BROKER_SUCCESS = Pattern.compile("The broker\\[.*boot success");
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration TOOL_LIMIT = Duration.ofSeconds(60);
    private static final int TOOL_ATTEMPTS = 3;
    private static final Duration CLIENT_LIMIT = Duration.ofSeconds(90);

    /** A quick start matters more than peak speed; making a key pair for TLS takes seconds. */
    private static final List<String> QUICK_START = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:MaxDirectMemorySize=256m",
            "-Dtls.server.mode=disabled");

    /** A consumer looks for new queues once a second instead of every 20. */
    static final String QUICK_REBALANCE = "-Drocketmq.client.rebalance.waitInterval=1000";

    /** Brokers of 4.x give back the memory of their files by reflection. */
    private static final List<String> OPENED_PACKAGES = List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");

    private final String classPath;
    private final Path directory;
    private final String namesrv;
    private final List<String> jvm;
    private int toolCalls;

    private ApachePeers(String classPath, Path directory, String namesrv, List<String> jvm) {
        this.classPath = classPath;
        this.directory = directory;
        this.namesrv = namesrv;
        this.jvm = List.copyOf(jvm);
    }

    /** Brokers, clients and tools of a release; all of them are told these addresses of name servers and no other. */
    static ApachePeers of(String version, Path directory, String namesrv) throws IOException, InterruptedException {
        return new ApachePeers(PeerJars.classPath(version), directory, namesrv, List.of());
    }

    /** All programs of a release. */
    static ApachePeers whole(String version, Path directory, String namesrv) throws IOException, InterruptedException {
        return new ApachePeers(PeerJars.wholeClassPath(version), directory, namesrv, List.of());
    }

    /** The client that speaks gRPC with a proxy. */
    static ApachePeers grpc(Path directory) throws IOException, InterruptedException {
        return new ApachePeers(PeerJars.grpcClassPath(), directory, "", List.of());
    }

    /** The same programs, each with these options for its JVM beside those of every one. */
    ApachePeers with(String... jvmOptions) {
        List<String> all = new ArrayList<>(jvm);
        all.addAll(Arrays.asList(jvmOptions));
        return new ApachePeers(classPath, directory, namesrv, all);
    }

    String namesrv() {
        return namesrv;
    }

    /** Starts a broker; it serves when this returns, and may need some seconds more until its first registration. */
    ChildProcess startBroker(BrokerSetup setup) throws IOException, InterruptedException {
        Path file = settingsFile(setup.with("namesrvAddr", namesrv));
        return startServer(
                setup.label(), "org.apache.rocketmq.broker.BrokerStartup", BROKER_SUCCESS, "-c", file.toString());
    }

    /** Writes what a broker is told into its directory, for whoever starts it. */
    Path settingsFile(BrokerSetup setup) throws IOException {
        Path home = home(setup.label());
        return write(home.resolve("broker.properties"), setup.properties(home.resolve("store")));
    }

    /** Starts any program of the release that runs on; it has said this when this returns. */
    ChildProcess startServer(String name, String mainClass, Pattern success, String... arguments)
            throws IOException, InterruptedException {
        ChildProcess started = start(name, "-Xmx384m", mainClass, arguments);
        try {
            started.awaitOutput(success, START_LIMIT);
            return started;
        } catch (AssertionError | InterruptedException failed) {
            started.close();
            throw failed;
        }
    }

    /** Starts a client, or whatever else ends by itself. */
    ChildProcess startClient(String name, String mainClass, String... arguments) throws IOException {
        return start(name, "-Xmx192m", mainClass, arguments);
    }

    /**
     * What mqadmin prints; its exit code is 0 whatever happens. It gives a name server five seconds, in which it also
     * loads its own classes: where a busy machine makes that too short, it is called again.
     */
    String mqadmin(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(1, List.of("-n", namesrv));
        for (int attempt = 1; ; attempt++) {
            String output = runToEnd(
                    "mqadmin-" + ++toolCalls, "org.apache.rocketmq.tools.command.MQAdminStartup", TOOL_LIMIT, all);
            if (attempt == TOOL_ATTEMPTS || !output.contains("RemotingTimeoutException")) {
                return output;
            }
        }
    }

    /** What the client prints that sends and receives so many messages. */
    String sendAndReceive(String topic, int count) throws IOException, InterruptedException {
        return with(QUICK_REBALANCE).run("client", "PeerClient", namesrv, topic, Integer.toString(count));
    }

    /** What any other program prints that ends by itself, with 0. */
    String run(String name, String mainClass, String... arguments) throws IOException, InterruptedException {
        return runToEnd(name, mainClass, CLIENT_LIMIT, List.of(arguments));
    }

    private String runToEnd(String name, String mainClass, Duration limit, List<String> arguments)
            throws IOException, InterruptedException {
        try (ChildProcess tool = startClient(name, mainClass, arguments.toArray(String[]::new))) {
            if (tool.exitCode(limit) != 0) {
                throw tool.failure("failed: " + arguments);
            }
            return tool.output();
        }
    }

    /** A directory of its own for a program, with the logging files that each generation looks for. */
    Path home(String name) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Path conf = Files.createDirectories(home.resolve("conf"));
        for (String file :
                List.of("rmq.logback.xml", "logback_broker.xml", "logback_namesrv.xml", "logback_tools.xml")) {
            Files.copy(
                    Places.peerSources().resolve("logback.xml"),
                    conf.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return home;
    }

    static Path write(Path file, Properties settings) throws IOException {
        try (var out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            settings.store(out, null);
        }
        return file;
    }

    private ChildProcess start(String name, String heap, String mainClass, String... arguments) throws IOException {
        Path home = home(name);
        Path logging = home.resolve("conf/rmq.logback.xml");
        List<String> command = new ArrayList<>(List.of(Places.java().toString(), heap));
        command.addAll(QUICK_START);
        command.addAll(OPENED_PACKAGES);
        command.addAll(List.of(
                "-Djava.net.preferIPv4Stack=true",
                "-Duser.home=" + home,
                "-Drocketmq.home.dir=" + home,
                "-Drocketmq.broker.diskSpaceWarningLevelRatio=0.99",
                "-Drocketmq.broker.diskSpaceCleanForciblyRatio=0.99",
                "-Drmq.logback.configurationFile=" + logging,
                "-Dlogback.configurationFile=" + logging,
                "-Drocketmq.client.logUseSlf4j=true"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(Arrays.asList(arguments));
        return ChildProcess.start(name, home, Map.of("PATH", System.getenv("PATH")), command);
    }
}
