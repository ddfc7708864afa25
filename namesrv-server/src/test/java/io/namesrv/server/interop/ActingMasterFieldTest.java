package io.namesrv.server.interop;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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

/** A slave that acts as its master while that one is away (5.x, both sides set up for it). */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class ActingMasterFieldTest {
    private static final Pattern MIN_BROKER_CHANGED = Pattern.compile("min broker id changed, prev \\d+, new 1");

    /** The brokers here ask for three seconds of silence; Apache's looks every five. */
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#generationsFrom5")
    void the_slave_is_shown_as_the_master_while_the_master_is_away(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup master = Clusters.master("field-a")
                .with("enableSlaveActingMaster", "true")
                .with("slaveReadEnable", "true")
                .with("registerNameServerPeriod", "10000")
                .with("brokerHeartbeatInterval", "500")
                .with("sendHeartbeatTimeoutMillis", "1000")
                .with("brokerNotActiveTimeoutMillis", "3000");
        BrokerSetup slave = master.slave(1, FreePorts.forBroker());
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(
                    server.start(directory, Map.of("supportActingMaster", "true", "notifyMinBrokerIdChanged", "true")));
            ApachePeers peers = ApachePeers.of(version, directory, namesrv.address());
            ChildProcess firstMaster = processes.add(peers.startBroker(master));
            ChildProcess onlySlave = processes.add(peers.startBroker(slave));
            Clusters.await(namesrv, master, slave);
            Clusters.createTopic(peers, master);

            ChildProcess secondMaster;
            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "killed")) {
                firstMaster.kill();
                watch.until(
                        "the slave in the place of the master, to read from",
                        DEPARTURE_LIMIT,
                        route -> route.addresses().equals(Map.of("field-a", Map.of(0L, slave.address())))
                                && route.perms().equals(Map.of("field-a", 4)));
                onlySlave.awaitOutput(MIN_BROKER_CHANGED, DEPARTURE_LIMIT);
                secondMaster = processes.add(peers.startBroker(master));
                watch.until(
                        "both, to write to",
                        Clusters.REGISTRATION_LIMIT,
                        route -> route.isWritable()
                                && route.addresses()
                                        .equals(Map.of("field-a", Map.of(0L, master.address(), 1L, slave.address()))));
                traffic.awaitFlow();
                FieldReport.add(
                        "the only master is killed and comes back, its slave acts as master",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "readable all the time");
            }

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "held")) {
                secondMaster.pause();
                watch.until(
                        "the slave in the place of the master that says nothing",
                        DEPARTURE_LIMIT,
                        route -> route.addresses().equals(Map.of("field-a", Map.of(0L, slave.address()))));
                secondMaster.goOn();
                watch.until("both again", Clusters.REGISTRATION_LIMIT, Route::isWritable);
                traffic.awaitFlow();
                FieldReport.add(
                        "the only master is held up, its slave acts as master",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "readable all the time");
            }
            server.stop(namesrv);
        }
    }
}
