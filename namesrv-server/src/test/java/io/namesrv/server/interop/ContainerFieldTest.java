package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** Two brokers in one process, which share a connection to the name server. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class ContainerFieldTest {
    private static final Pattern SECOND_SUCCESS = Pattern.compile("Broker \\[field-c2-0\\] boot success");
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(10);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#generationsFrom5")
    void brokers_of_a_container_come_and_go_alone_and_together(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup alone = Clusters.master("field-a");
        BrokerSetup first = Clusters.master("field-c1");
        BrokerSetup second = Clusters.master("field-c2");
        int containerPort = FreePorts.forBroker();
        String container = "127.0.0.1:" + containerPort;
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.whole(version, directory, namesrv.address());
            Path secondFile = peers.settingsFile(second);
            List<Path> files = List.of(peers.settingsFile(first), secondFile);
            processes.add(peers.startBroker(alone));
            ChildProcess both = processes.add(startContainer(peers, containerPort, files));
            Clusters.await(namesrv, alone, first, second);
            Clusters.createTopic(peers, alone, first, second);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "traffic")) {
                assertThat(peers.mqadmin("removeBroker", "-c", container, "-b", Clusters.CLUSTER + ":field-c2:0"))
                        .contains("remove broker from " + container + " success");
                watch.until(
                        "the second one is gone, the first one stays",
                        DEPARTURE_LIMIT,
                        route -> !route.lists(second.address()) && route.lists(first.address()));
                assertThat(peers.mqadmin("addBroker", "-c", container, "-b", secondFile.toString()))
                        .contains("add broker to " + container + " success");
                watch.until("both", Clusters.REGISTRATION_LIMIT, route -> route.lists(second.address()));
                traffic.awaitFlow();

                both.kill();
                String seen = watch.within(
                                DEPARTURE_LIMIT,
                                route -> !route.lists(first.address()) && !route.lists(second.address()))
                        .map(taken -> "both gone from the route after " + taken.toMillis() + " ms")
                        .orElse("one of the two is still listed after " + DEPARTURE_LIMIT.toSeconds() + " s");
                if (server.isOurs()) {
                    assertThat(seen).startsWith("both gone");
                }
                processes.add(startContainer(peers, containerPort, files));
                watch.until(
                        "both are back",
                        Clusters.REGISTRATION_LIMIT,
                        route -> route.lists(first.address()) && route.lists(second.address()));
                traffic.awaitFlow();
                FieldReport.add(
                        "a container of two brokers beside a single one: one is removed and added, the container killed",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        seen);
            }
            server.stop(namesrv);
        }
    }

    private static ChildProcess startContainer(ApachePeers peers, int port, List<Path> brokers) throws Exception {
        Path home = peers.home("container");
        Properties settings = new Properties();
        settings.setProperty("listenPort", Integer.toString(port));
        settings.setProperty("bindAddress", "127.0.0.1");
        settings.setProperty("brokerContainerIP", "127.0.0.1");
        settings.setProperty("namesrvAddr", peers.namesrv());
        settings.setProperty("brokerConfigPaths", brokers.get(0) + ":" + brokers.get(1));
        Path file = ApachePeers.write(home.resolve("container.properties"), settings);
        return peers.startServer(
                "container",
                "org.apache.rocketmq.container.BrokerContainerStartup",
                SECOND_SUCCESS,
                "-c",
                file.toString());
    }
}
