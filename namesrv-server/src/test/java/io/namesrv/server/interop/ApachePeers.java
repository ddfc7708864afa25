package io.namesrv.server.interop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/** The programs of one release of Apache RocketMQ, each run as a process on the loopback address. */
final class ApachePeers {
    /** Files of a few megabytes instead of gigabytes, and no refusal of messages because of a full disk. */
    private static final Map<String, String> SMALL_STORE = Map.of(
            "mappedFileSizeCommitLog", "4194304",
            "mappedFileSizeConsumeQueue", "60000",
            "mappedFileSizeTimerLog", "4194304",
            "maxIndexNum", "4000",
            "maxHashSlotNum", "1000",
            "diskMaxUsedSpaceRatio", "98");

    private static final Pattern BROKER_SUCCESS = Pattern.compile("The broker\\[.*boot success");
    private static final Duration BROKER_LIMIT = Duration.ofSeconds(90);
    private static final Duration TOOL_LIMIT = Duration.ofSeconds(60);
    private static final int TOOL_ATTEMPTS = 3;
    private static final Duration CLIENT_LIMIT = Duration.ofSeconds(90);

    private final String classPath;
    private final Path directory;
    private final String namesrv;
    private int toolCalls;

    private ApachePeers(String classPath, Path directory, String namesrv) {
        this.classPath = classPath;
        this.directory = directory;
        this.namesrv = namesrv;
    }

    /** The programs of a release; all of them are told this address of a name server and no other. */
    static ApachePeers of(String version, Path directory, String namesrv) throws IOException, InterruptedException {
        return new ApachePeers(PeerJars.classPath(version), directory, namesrv);
    }

    /** Starts a master; it serves when this returns, and may need some seconds more until its first registration. */
    ChildProcess startBroker(String cluster, String name, int port) throws IOException, InterruptedException {
        Path home = home("broker");
        Properties settings = new Properties();
        settings.putAll(SMALL_STORE);
        settings.setProperty("brokerClusterName", cluster);
        settings.setProperty("brokerName", name);
        settings.setProperty("brokerId", "0");
        settings.setProperty("brokerIP1", "127.0.0.1");
        settings.setProperty("brokerIP2", "127.0.0.1");
        settings.setProperty("bindAddress", "127.0.0.1");
        settings.setProperty("listenPort", Integer.toString(port));
        settings.setProperty("haListenPort", Integer.toString(port + 1));
        settings.setProperty("namesrvAddr", namesrv);
        settings.setProperty("storePathRootDir", home.resolve("store").toString());
        settings.setProperty(
                "storePathCommitLog", home.resolve("store/commitlog").toString());
        Path file = home.resolve("broker.properties");
        try (var out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
            settings.store(out, null);
        }
        ChildProcess broker =
                start("broker", home, "-Xmx384m", "org.apache.rocketmq.broker.BrokerStartup", "-c", file.toString());
        try {
            broker.awaitOutput(BROKER_SUCCESS, BROKER_LIMIT);
            return broker;
        } catch (AssertionError | InterruptedException failed) {
            broker.close();
            throw failed;
        }
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
        return runToEnd("client", "PeerClient", CLIENT_LIMIT, List.of(namesrv, topic, Integer.toString(count)));
    }

    private String runToEnd(String name, String mainClass, Duration limit, List<String> arguments)
            throws IOException, InterruptedException {
        try (ChildProcess tool = start(name, home(name), "-Xmx192m", mainClass, arguments.toArray(String[]::new))) {
            if (tool.exitCode(limit) != 0) {
                throw tool.failure("failed: " + arguments);
            }
            return tool.output();
        }
    }

    /** A directory of its own for a program, with the logging files that each generation looks for. */
    private Path home(String name) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Path conf = Files.createDirectories(home.resolve("conf"));
        for (String file : List.of("rmq.logback.xml", "logback_broker.xml", "logback_tools.xml")) {
            Files.copy(Places.peerSources().resolve("logback.xml"), conf.resolve(file));
        }
        return home;
    }

    private ChildProcess start(String name, Path home, String heap, String mainClass, String... arguments) {
        Path logging = home.resolve("conf/rmq.logback.xml");
        List<String> command = new ArrayList<>(List.of(
                Places.java().toString(),
                heap,
                // A quick start matters more than peak speed.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:MaxDirectMemorySize=256m",
                "-Djava.net.preferIPv4Stack=true",
                "-Duser.home=" + home,
                "-Drocketmq.home.dir=" + home,
                "-Drocketmq.broker.diskSpaceWarningLevelRatio=0.99",
                "-Drocketmq.broker.diskSpaceCleanForciblyRatio=0.99",
                "-Drmq.logback.configurationFile=" + logging,
                "-Dlogback.configurationFile=" + logging,
                "-Drocketmq.client.logUseSlf4j=true",
                "-cp",
                classPath,
                mainClass));
        command.addAll(Arrays.asList(arguments));
        return ChildProcess.start(name, home, Map.of("PATH", System.getenv("PATH")), command);
    }
}
