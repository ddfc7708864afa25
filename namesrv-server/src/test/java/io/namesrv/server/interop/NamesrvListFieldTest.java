package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A list of three name servers, of which Apache's of 4.9.7 and 5.5.0 are two, and any may be away. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class NamesrvListFieldTest {
    private static final TestedNamesrv OLD = new TestedNamesrv("4.9.7");
    private static final TestedNamesrv CURRENT = new TestedNamesrv("5.5.0");

    /** Brokers register every ten seconds here. */
    private static final Duration REGISTRATION_LIMIT = Duration.ofSeconds(40);

    @ParameterizedTest
    @MethodSource("lists")
    void name_servers_of_a_mixed_list_stand_in_for_each_other(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        int port = FreePorts.forServer();
        int oldPort = FreePorts.forServer();
        int currentPort = FreePorts.forServer();
        Path oldHome = directory.resolve("old");
        Path currentHome = directory.resolve("current");
        BrokerSetup a = Clusters.master("field-a").with("registerNameServerPeriod", "10000");
        try (Processes processes = new Processes()) {
            NamesrvProcess first = processes.add(server.start(directory, port, Map.of()));
            NamesrvProcess old = processes.add(OLD.start(oldHome, oldPort, Map.of()));
            NamesrvProcess current = processes.add(CURRENT.start(currentHome, currentPort, Map.of()));
            ApachePeers peers = ApachePeers.of(
                    version, directory, String.join(";", first.address(), old.address(), current.address()));
            processes.add(peers.startBroker(a));
            Clusters.await(first, a);
            Clusters.await(old, a);
            Clusters.await(current, a);
            Clusters.createTopic(peers, a);

            try (RouteWatch watch = RouteWatch.start(first);
                    Traffic traffic = Traffic.start(peers, "traffic")) {
                first.kill();
                traffic.awaitFlow();
                NamesrvProcess second = processes.add(server.start(directory, port, Map.of()));
                Duration taken = watch.until("the route after a restart", REGISTRATION_LIMIT, Route::isWritable);

                old.kill();
                current.kill();
                traffic.awaitFlow();
                try (Traffic fresh = Traffic.start(peers, "fresh")) {
                    assertThat(fresh.finish().lost()).isZero();
                }
                NamesrvProcess oldAgain = processes.add(OLD.start(oldHome, oldPort, Map.of()));
                NamesrvProcess currentAgain = processes.add(CURRENT.start(currentHome, currentPort, Map.of()));
                Clusters.await(oldAgain, a);
                Clusters.await(currentAgain, a);
                traffic.awaitFlow();
                FieldReport.add(
                        "a list with Apache 4.9.7 and 5.5.0: each is killed and started again",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "knows the route again " + taken.toMillis() + " ms after its restart");
                server.stop(second);
            }
        }
    }

    static Stream<Arguments> lists() {
        return Stream.concat(
                Stream.of("4.9.7", "5.5.0").map(version -> Arguments.of(version, TestedNamesrv.OURS)),
                TestedNamesrv.besideApaches("5.3.3").map(server -> Arguments.of("5.3.3", server)));
    }
}
