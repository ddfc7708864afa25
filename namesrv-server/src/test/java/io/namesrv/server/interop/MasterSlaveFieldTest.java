package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A master and its slave, of which the master is away for a while. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class MasterSlaveFieldTest {
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(15);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#generations")
    void consumers_find_the_slave_while_the_master_is_away(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup master = Clusters.master("field-a");
        BrokerSetup slave = master.slave(1, FreePorts.forBroker());
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.of(version, directory, namesrv.address());
            ChildProcess firstMaster = processes.add(peers.startBroker(master));
            processes.add(peers.startBroker(slave));
            Clusters.await(namesrv, master, slave);
            Clusters.createTopic(peers, master);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "traffic")) {
                firstMaster.kill();
                watch.until(
                        "the slave alone, as a slave",
                        DEPARTURE_LIMIT,
                        route -> route.addresses().equals(Map.of("field-a", Map.of(1L, slave.address()))));
                assertThat(watch.route().perms()).isEqualTo(Map.of("field-a", 6));
                processes.add(peers.startBroker(master));
                watch.until(
                        "both",
                        Clusters.REGISTRATION_LIMIT,
                        route -> route.addresses()
                                .equals(Map.of("field-a", Map.of(0L, master.address(), 1L, slave.address()))));
                traffic.awaitFlow();
                FieldReport.add(
                        "the only master is killed and comes back, its slave stays",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "the slave is listed all the time");
            }
            server.stop(namesrv);
        }
    }
}
