package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the settings and the rarer kinds of topics do to brokers and clients of 5.5.0: the same as with Apache's. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class SpecialTopicsFieldTest {
    private static final int DELETE_TOPIC_IN_BROKER = 215;
    private static final int TOPIC_NOT_EXIST = 17;
    private static final int SYSTEM_ERROR = 1;
    private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void static_topics_keep_their_queues_when_they_move(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        BrokerSetup b = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, namesrv.address())
                    .with("-Djava.io.tmpdir=" + directory);
            processes.add(peers.startBroker(a));
            processes.add(peers.startBroker(b));
            Clusters.await(namesrv, a, b);

            peers.mqadmin("updateStaticTopic", "-t", Clusters.TOPIC, "-qn", "4", "-c", Clusters.CLUSTER);
            namesrv.until("the mapping", CHANGE_LIMIT, () -> mappedTo(namesrv).equals(Set.of("field-a", "field-b")));
            assertThat(peers.sendAndReceive(Clusters.TOPIC, 100))
                    .contains("sent 100 of 100 to [field-a, field-b]", "received 100 of 100");

            peers.mqadmin("remappingStaticTopic", "-t", Clusters.TOPIC, "-b", "field-a");
            namesrv.until(
                    "the new mapping", CHANGE_LIMIT, () -> mappedTo(namesrv).equals(Set.of("field-a")));
            assertThat(peers.sendAndReceive(Clusters.TOPIC, 100))
                    .contains("sent 100 of 100 to [field-a]", "received 100 of 100");
            server.stop(namesrv);
        }
    }

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void clients_of_a_zone_stay_in_it(TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        BrokerSetup b = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, namesrv.address());
            processes.add(peers.with("-Drocketmq.zone=z1").startBroker(a));
            processes.add(peers.with("-Drocketmq.zone=z2").startBroker(b));
            Clusters.await(namesrv, a, b);
            Clusters.createTopic(peers, a, b);

            assertThat(peers.sendAndReceive(Clusters.TOPIC, 100)).contains("sent 100 of 100 to [field-a, field-b]");
            assertThat(peers.with("-Drocketmq.zone=z2", "-Drocketmq.zone.mode=true")
                            .sendAndReceive(Clusters.TOPIC, 100))
                    .contains("sent 100 of 100 to [field-b]");
            server.stop(namesrv);
        }
    }

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void the_queues_of_an_ordered_topic_are_those_of_its_configuration(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        BrokerSetup b = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of("orderMessageEnable", "true")));
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, namesrv.address());
            processes.add(peers.startBroker(a));
            processes.add(peers.startBroker(b));
            Clusters.await(namesrv, a, b);
            Clusters.createTopic(peers, a, b);

            assertThat(peers.mqadmin("updateOrderConf", "-t", Clusters.TOPIC, "-v", "field-b:2", "-m", "put"))
                    .contains("update orderConf success");
            assertThat(namesrv.ask(RawQuery.route(Clusters.TOPIC)).body())
                    .containsPattern("\"orderTopicConf\":\"field-b:2;?\"");
            assertThat(peers.sendAndReceive(Clusters.TOPIC, 100))
                    .contains("sent 100 of 100 to [field-b]", "received 100 of 100");
            server.stop(namesrv);
        }
    }

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void routes_are_told_only_after_the_time_that_brokers_need_to_register(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(
                    server.start(directory, Map.of("needWaitForService", "true", "waitSecondsForService", "25")));
            // Not 17, no route, which a client would believe.
            assertThat(namesrv.ask(RawQuery.route("TBW102")).code()).isEqualTo(SYSTEM_ERROR);
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, namesrv.address());
            processes.add(peers.startBroker(a));
            Clusters.await(namesrv, a);
            namesrv.until(
                    "routes",
                    CHANGE_LIMIT,
                    () -> namesrv.ask(RawQuery.route("TBW102")).code() == 0);
            assertThat(peers.sendAndReceive(Clusters.TOPIC, 100)).contains("received 100 of 100");
            server.stop(namesrv);
        }
    }

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void a_topic_that_a_broker_does_not_name_any_more_is_deleted_where_that_is_asked_for(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        BrokerSetup a = Clusters.master("field-a")
                .with("enableSingleTopicRegister", "true")
                .with("registerNameServerPeriod", "10000");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv =
                    processes.add(server.start(directory, Map.of("deleteTopicWithBrokerRegistration", "true")));
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, namesrv.address());
            processes.add(peers.startBroker(a));
            Clusters.await(namesrv, a);
            for (String topic : Set.of("Goes", "Stays")) {
                assertThat(peers.mqadmin("updateTopic", "-b", a.address(), "-t", topic))
                        .contains("success");
                namesrv.until(
                        "its route",
                        CHANGE_LIMIT,
                        () -> namesrv.ask(RawQuery.route(topic)).code() == 0);
            }
            RawQuery deletion = RawQuery.of(DELETE_TOPIC_IN_BROKER, Map.of("topic", "Goes"));
            assertThat(deletion.ask(new Dial(a.port(), false)).header()).contains("\"code\":0");
            namesrv.until(
                    "the end of the topic that its broker has no more",
                    CHANGE_LIMIT,
                    () -> namesrv.ask(RawQuery.route("Goes")).code() == TOPIC_NOT_EXIST);
            assertThat(namesrv.ask(RawQuery.route("Stays")).code()).isZero();
            server.stop(namesrv);
        }
    }

    /** The brokers to which queues of the static topic are mapped now. */
    private static Set<String> mappedTo(NamesrvProcess namesrv) {
        return Route.of(namesrv.ask(RawQuery.route(Clusters.TOPIC))).mapped();
    }
}
