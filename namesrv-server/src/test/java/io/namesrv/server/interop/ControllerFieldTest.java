package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Apache's own controller as a process of its own, which makes a slave the master when the master dies (5.5.0). */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class ControllerFieldTest {
    private static final Pattern CONTROLLER_SUCCESS = Pattern.compile("The Controller Server boot success");
    private static final Duration FAILOVER_LIMIT = Duration.ofSeconds(30);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void a_slave_becomes_the_master_of_a_killed_one(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        int controllerPort = FreePorts.forServer();
        BrokerSetup one = controlled(FreePorts.forBroker(), controllerPort);
        BrokerSetup other = controlled(FreePorts.forBroker(), controllerPort);
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.whole(Clusters.NEWEST, directory, namesrv.address());
            startController(processes, peers, controllerPort);
            // They have one name and find their ids themselves, so each needs a directory of its own.
            ApachePeers ofOne = ApachePeers.of(Clusters.NEWEST, directory.resolve("one"), namesrv.address());
            ApachePeers ofOther = ApachePeers.of(Clusters.NEWEST, directory.resolve("other"), namesrv.address());
            ChildProcess first = processes.add(ofOne.startBroker(one));
            Clusters.await(namesrv, one);
            processes.add(ofOther.startBroker(other));
            Clusters.await(namesrv, one, other);
            Clusters.createTopic(peers, one);
            awaitBothInSync(peers, controllerPort);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "traffic")) {
                first.kill();
                Duration taken = watch.until(
                        "the other one is the master",
                        FAILOVER_LIMIT,
                        route -> route.isWritable()
                                && route.addresses().equals(Map.of("field-a", Map.of(0L, other.address()))));
                traffic.awaitFlow();
                processes.add(ofOne.startBroker(one));
                watch.until(
                        "the first one is back, as a slave",
                        Clusters.REGISTRATION_LIMIT,
                        route -> route.isMaster(other.address()) && route.lists(one.address()));
                traffic.awaitFlow();
                FieldReport.add(
                        "controller: the master is killed, its slave takes over, it comes back as a slave",
                        Clusters.NEWEST,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "new master in the route after " + taken.toMillis() + " ms");
            }
            server.stop(namesrv);
        }
    }

    private static void startController(Processes processes, ApachePeers peers, int port) throws Exception {
        Path home = peers.home("controller");
        Properties settings = new Properties();
        settings.setProperty("controllerDLegerGroup", "group1");
        settings.setProperty("controllerDLegerPeers", "n0-127.0.0.1:" + port);
        settings.setProperty("controllerDLegerSelfId", "n0");
        settings.setProperty("controllerStorePath", home.resolve("store").toString());
        settings.setProperty("mappedFileSize", "4194304");
        settings.setProperty("scanNotActiveBrokerInterval", "1000");
        settings.setProperty("notifyBrokerRoleChanged", "true");
        Path file = ApachePeers.write(home.resolve("controller.properties"), settings);
        processes.add(peers.startServer(
                "controller",
                "org.apache.rocketmq.controller.ControllerStartup",
                CONTROLLER_SUCCESS,
                "-c",
                file.toString()));
    }

    /** What is acknowledged is on both, as long as there are two. */
    private static BrokerSetup controlled(int port, int controllerPort) {
        return new BrokerSetup(
                Clusters.CLUSTER,
                "field-a",
                -1,
                port,
                Map.ofEntries(
                        Map.entry("enableControllerMode", "true"),
                        Map.entry("controllerAddr", "127.0.0.1:" + controllerPort),
                        Map.entry("brokerRole", "SYNC_MASTER"),
                        Map.entry("allAckInSyncStateSet", "true"),
                        Map.entry("minInSyncReplicas", "1"),
                        Map.entry("brokerHeartbeatInterval", "500"),
                        Map.entry("sendHeartbeatTimeoutMillis", "500"),
                        Map.entry("controllerHeartBeatTimeoutMills", "3000"),
                        Map.entry("syncBrokerMetadataPeriod", "1000"),
                        Map.entry("checkSyncStateSetPeriod", "1000"),
                        Map.entry("haMaxTimeSlaveNotCatchup", "3000"),
                        Map.entry("haSendHeartbeatInterval", "1000")));
    }

    private static void awaitBothInSync(ApachePeers peers, int controllerPort) throws Exception {
        for (int attempt = 0; attempt < 10; attempt++) {
            if (peers.mqadmin("getSyncStateSet", "-a", "127.0.0.1:" + controllerPort, "-b", "field-a")
                    .contains("#SyncStateSetNums\t2")) {
                return;
            }
        }
        assertThat(peers.mqadmin("getSyncStateSet", "-a", "127.0.0.1:" + controllerPort, "-b", "field-a"))
                .contains("#SyncStateSetNums\t2");
    }
}
