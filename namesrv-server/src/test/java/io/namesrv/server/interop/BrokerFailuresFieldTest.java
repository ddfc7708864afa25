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

/** Two masters, one of which is killed, held up and moved to another address. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class BrokerFailuresFieldTest {
    private static final Duration APACHES_DEPARTURE_LIMIT = Duration.ofSeconds(150);
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(1);
    private static final Duration HOLD = Duration.ofSeconds(10);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#generations")
    void a_broker_is_killed_held_up_and_moved(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        BrokerSetup b = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.of(version, directory, namesrv.address());
            ChildProcess firstA = processes.add(peers.startBroker(a));
            processes.add(peers.startBroker(b));
            Clusters.await(namesrv, a, b);
            Clusters.createTopic(peers, a, b);

            ChildProcess secondA;
            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "killed")) {
                firstA.kill();
                Duration gone = watch.until(
                        "the killed broker is gone",
                        server.isOurs() ? DEPARTURE_LIMIT : APACHES_DEPARTURE_LIMIT,
                        route -> !route.lists(a.address()));
                traffic.awaitFlow();
                secondA = processes.add(peers.startBroker(a));
                watch.until("the broker is back", Clusters.REGISTRATION_LIMIT, route -> route.lists(a.address()));
                traffic.awaitFlow();
                FieldReport.add(
                        "one of two masters is killed and comes back",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "gone from the route after " + gone.toMillis() + " ms");
            }

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "held")) {
                secondA.pause();
                // Time has to pass: the situation is a broker that says nothing for a while.
                Thread.sleep(HOLD.toMillis());
                assertThat(watch.route().lists(a.address())).isTrue();
                secondA.goOn();
                traffic.awaitFlow();
                FieldReport.add(
                        "one of two masters is held up for 10 s",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "stays in the route");
            }

            BrokerSetup moved = a.onPort(FreePorts.forBroker());
            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "moved")) {
                secondA.terminate();
                secondA.exitCode(Clusters.REGISTRATION_LIMIT);
                processes.add(peers.startBroker(moved));
                Duration back = watch.until(
                        "the broker is there, under its new address only",
                        Clusters.REGISTRATION_LIMIT,
                        route -> route.lists(moved.address()) && !route.lists(a.address()));
                traffic.awaitFlow();
                FieldReport.add(
                        "one of two masters moves to another address",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "in the route " + back.toMillis() + " ms after it said to be up");
            }
            server.stop(namesrv);
        }
    }
}
