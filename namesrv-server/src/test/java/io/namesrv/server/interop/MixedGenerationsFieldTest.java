package io.namesrv.server.interop;

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

/** A broker of 4.9.7 and one of 5.5.0 in one cluster, with clients of both. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class MixedGenerationsFieldTest {
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(15);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void brokers_and_clients_of_two_generations_form_one_cluster(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        BrokerSetup old = Clusters.master("field-a");
        BrokerSetup current = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers oldPeers = ApachePeers.of("4.9.7", directory.resolve("old"), namesrv.address());
            ApachePeers currentPeers = ApachePeers.of(Clusters.NEWEST, directory.resolve("current"), namesrv.address());
            ChildProcess oldBroker = processes.add(oldPeers.startBroker(old));
            ChildProcess currentBroker = processes.add(currentPeers.startBroker(current));
            Clusters.await(namesrv, old, current);
            Clusters.createTopic(oldPeers, old, current);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic oldTraffic = Traffic.start(oldPeers, "old");
                    Traffic currentTraffic = Traffic.start(currentPeers, "current")) {
                oldBroker.kill();
                watch.until("the broker of 4.9.7 is gone", DEPARTURE_LIMIT, route -> !route.lists(old.address()));
                oldTraffic.awaitFlow();
                currentTraffic.awaitFlow();
                processes.add(oldPeers.startBroker(old));
                watch.until("it is back", Clusters.REGISTRATION_LIMIT, route -> route.lists(old.address()));

                currentBroker.kill();
                watch.until("the broker of 5.5.0 is gone", DEPARTURE_LIMIT, route -> !route.lists(current.address()));
                oldTraffic.awaitFlow();
                currentTraffic.awaitFlow();
                processes.add(currentPeers.startBroker(current));
                watch.until("it is back", Clusters.REGISTRATION_LIMIT, route -> route.lists(current.address()));
                oldTraffic.awaitFlow();
                currentTraffic.awaitFlow();

                String situation = "brokers of 4.9.7 and 5.5.0 in one cluster, each killed in turn";
                Traffic.Result ofOld = oldTraffic.finish();
                Traffic.Result ofCurrent = currentTraffic.finish();
                FieldReport.add(situation, "clients 4.9.7", server, ofOld, watch.longestWithoutRoute(), "");
                FieldReport.add(situation, "clients 5.5.0", server, ofCurrent, watch.longestWithoutRoute(), "");
            }
            server.stop(namesrv);
        }
    }
}
