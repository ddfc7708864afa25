package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker, its client and its {@code mqadmin} of each generation, unchanged, around our daemon. */
@Tag("interop")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class RealPeersTest {
    private static final String CLUSTER = "InteropCluster";
    private static final String BROKER = "interop-broker";
    private static final String TOPIC = "InteropTopic";

    private static final int TOPIC_NOT_EXIST = 17;
    private static final int QUERY_NOT_FOUND = 22;

    /** A 5.x broker takes some ten seconds from its start to its first registration. */
    private static final Duration REGISTRATION_LIMIT = Duration.ofSeconds(60);

    /** The end of its connection tells of a killed broker; its silence would not before two minutes. */
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(1);

    @ParameterizedTest
    @ValueSource(strings = {"4.9.7", "5.3.3", "5.5.0"})
    void messages_go_through_and_a_killed_broker_is_gone_at_once(
            String version, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        try (NamesrvProcess namesrv = NamesrvProcess.start(directory)) {
            ApachePeers peers = ApachePeers.of(version, directory, namesrv.address());
            int port = FreePorts.forBroker();
            String address = "127.0.0.1:" + port;

            try (ChildProcess broker = peers.startBroker(BrokerSetup.master(CLUSTER, BROKER, port))) {
                broker.until(
                        "its registration",
                        REGISTRATION_LIMIT,
                        () -> namesrv.ask(RawQuery.clusters()).body().contains(address));

                assertThat(peers.mqadmin("updateTopic", "-c", CLUSTER, "-t", TOPIC, "-r", "4", "-w", "4"))
                        .contains("create topic to " + address + " success");
                assertThat(peers.mqadmin("topicRoute", "-t", TOPIC))
                        .containsPattern("\"cluster\": ?\"" + CLUSTER + "\"")
                        .containsPattern("\"brokerName\": ?\"" + BROKER + "\"")
                        .contains("\"" + address + "\"")
                        .containsPattern("\"readQueueNums\": ?4")
                        .containsPattern("\"writeQueueNums\": ?4")
                        .containsPattern("\"perm\": ?6");

                assertThat(peers.sendAndReceive(TOPIC, 100)).contains("sent 100 of 100", "received 100 of 100");

                assertThat(peers.mqadmin("wipeWritePerm", "-b", BROKER))
                        .containsPattern("wipe write perm of broker\\[" + BROKER + "\\].* OK, [1-9]");
                assertThat(peers.mqadmin("addWritePerm", "-b", BROKER))
                        .containsPattern("add write perm of broker\\[" + BROKER + "\\].* OK, [1-9]");
                assertThat(namesrv.ask(RawQuery.route(TOPIC)).body()).contains("\"perm\":6");

                broker.kill();
            }
            namesrv.until(
                    "the end of the killed broker's route",
                    DEPARTURE_LIMIT,
                    () -> namesrv.ask(RawQuery.route(TOPIC)).code() == TOPIC_NOT_EXIST);
            assertThat(namesrv.ask(RawQuery.clusters()).body())
                    .isEqualTo("{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}");

            namesrv.stopWell();
        }
    }

    @Test
    void the_tools_of_5_3_3_read_and_change_settings(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        try (NamesrvProcess namesrv = NamesrvProcess.start(directory)) {
            ApachePeers peers = ApachePeers.of("5.3.3", directory, namesrv.address());

            assertThat(peers.mqadmin("getNamesrvConfig"))
                    .contains("============" + namesrv.address() + "============")
                    .containsPattern("bindAddress *= *127\\.0\\.0\\.1");

            assertThat(peers.mqadmin("updateKvConfig", "-s", "NS", "-k", "key", "-v", "value"))
                    .contains("create or update kv config to namespace success");
            assertThat(namesrv.ask(RawQuery.keyValue("NS", "key")).header()).contains("\"value\":\"value\"");
            assertThat(peers.mqadmin("deleteKvConfig", "-s", "NS", "-k", "key"))
                    .contains("delete kv config from namespace success");
            assertThat(namesrv.ask(RawQuery.keyValue("NS", "key")).code()).isEqualTo(QUERY_NOT_FOUND);

            namesrv.stopWell();
        }
    }
}
