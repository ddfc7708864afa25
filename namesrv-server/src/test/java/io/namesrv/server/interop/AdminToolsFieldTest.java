package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole of {@code mqadmin}, each generation's own, as far as a name server has a part in it. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class AdminToolsFieldTest {
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(strings = {"4.9.7", "5.3.3", "5.5.0"})
    void every_command_finds_what_it_needs(String version, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(NamesrvProcess.start(directory));
            ApachePeers tools = ApachePeers.of(version, directory, namesrv.address());
            ChildProcess broker = processes.add(tools.startBroker(a));
            Clusters.await(namesrv, a);

            topicsAndClusters(tools, a);
            messages(tools);
            permissions(tools, namesrv);
            settings(tools);
            brokersAndGroups(tools, a);
            deletion(tools);

            broker.terminate();
            broker.exitCode(Clusters.REGISTRATION_LIMIT);
            namesrv.until(
                    "the end of the stopped broker",
                    DEPARTURE_LIMIT,
                    () -> !namesrv.ask(RawQuery.clusters()).body().contains(a.name()));
            assertThat(tools.mqadmin("clusterList")).contains("#Cluster Name").doesNotContain(a.name());
            namesrv.stopWell();
        }
    }

    private static void topicsAndClusters(ApachePeers tools, BrokerSetup a) throws Exception {
        expect(tools, Clusters.CLUSTER + " +field-a +0 +" + a.address(), "clusterList");
        expect(tools, "field-a", "clusterList", "-m");
        Clusters.createTopic(tools, a);
        expect(tools, "create topic to .* success", "updateTopic", "-b", a.address(), "-t", "OneBroker");
        expect(tools, "(?m)^FieldTopic *$", "topicList");
        expect(tools, Clusters.CLUSTER + " +FieldTopic", "topicList", "-c");
        expect(tools, "\"perm\": ?6", "topicRoute", "-t", Clusters.TOPIC);
        expect(tools, "\"brokerName\": ?\"field-a\"", "topicRoute", "-t", "OneBroker");
        expect(tools, Clusters.CLUSTER, "topicClusterList", "-t", Clusters.TOPIC);
        expect(tools, "No topic route info in name server for the topic: Nowhere", "topicRoute", "-t", "Nowhere");
    }

    private static void messages(ApachePeers tools) throws Exception {
        assertThat(tools.sendAndReceive(Clusters.TOPIC, 10)).contains("received 10 of 10");
        assertThat(tools.sendAndReceive("AutoTopic", 3)).contains("received 3 of 3");
        expect(tools, "SEND_OK", "sendMessage", "-t", Clusters.TOPIC, "-p", "hello");
        expect(tools, "field-a +0 ", "topicStatus", "-t", Clusters.TOPIC);
        expect(tools, "SendResult|true|RT", "checkMsgSendRT", "-t", Clusters.TOPIC, "-a", "3", "-s", "16");
        expect(tools, "\"10\\.0\\.0\\.1\"", "allocateMQ", "-t", Clusters.TOPIC, "-i", "10.0.0.1,10.0.0.2");
        expect(tools, "#Topic", "statsAll", "-a", "-t", Clusters.TOPIC);
        expect(tools, "FieldTopic +field-a", "consumerProgress", "-g", "interop_consumer");
    }

    private static void permissions(ApachePeers tools, NamesrvProcess namesrv) throws Exception {
        expect(tools, "wipe write perm of broker\\[field-a\\].* OK, [1-9]", "wipeWritePerm", "-b", "field-a");
        expect(tools, "add write perm of broker\\[field-a\\].* OK, [1-9]", "addWritePerm", "-b", "field-a");
        expect(tools, "\"perm\": ?6", "topicRoute", "-t", Clusters.TOPIC);
        expect(tools, "update topic perm", "updateTopicPerm", "-c", Clusters.CLUSTER, "-t", "OneBroker", "-p", "4");
        namesrv.until(
                "the permission that the broker was told",
                DEPARTURE_LIMIT,
                () -> namesrv.ask(RawQuery.route("OneBroker")).body().contains("\"perm\":4"));
    }

    private static void settings(ApachePeers tools) throws Exception {
        expect(
                tools,
                "create or update kv config to namespace success",
                "updateKvConfig",
                "-s",
                "NS",
                "-k",
                "k",
                "-v",
                "v");
        expect(tools, "delete kv config from namespace success", "deleteKvConfig", "-s", "NS", "-k", "k");
        expect(
                tools,
                "update orderConf success",
                "updateOrderConf",
                "-t",
                Clusters.TOPIC,
                "-v",
                "field-a:4",
                "-m",
                "put");
        expect(tools, "field-a:4", "updateOrderConf", "-t", Clusters.TOPIC, "-m", "get");
        expect(tools, "success", "updateOrderConf", "-t", Clusters.TOPIC, "-m", "delete");
        expect(tools, "kvConfigPath", "getNamesrvConfig");
        expect(
                tools,
                "update name server config success",
                "updateNamesrvConfig",
                "-k",
                "orderMessageEnable",
                "-v",
                "true");
        expect(tools, "orderMessageEnable *= *true", "getNamesrvConfig");
        expect(
                tools,
                "update name server config success",
                "updateNamesrvConfig",
                "-k",
                "orderMessageEnable",
                "-v",
                "false");
    }

    private static void brokersAndGroups(ApachePeers tools, BrokerSetup a) throws Exception {
        expect(tools, "bootTimestamp", "brokerStatus", "-b", a.address());
        expect(tools, "bootTimestamp", "brokerStatus", "-c", Clusters.CLUSTER);
        expect(tools, "Master: *" + a.address(), "getBrokerConfig", "-c", Clusters.CLUSTER);
        expect(tools, "create subscription group to .* success", "updateSubGroup", "-c", Clusters.CLUSTER, "-g", "G1");
        expect(tools, "success", "cleanExpiredCQ", "-c", Clusters.CLUSTER);
        expect(tools, "success", "cleanUnusedTopic", "-c", Clusters.CLUSTER);
        expect(
                tools,
                "update broker config success",
                "updateBrokerConfig",
                "-c",
                Clusters.CLUSTER,
                "-k",
                "fetchNamesrvAddrByAddressServer",
                "-v",
                "false");
        expect(
                tools,
                "delete subscription group \\[G1\\].* success",
                "deleteSubGroup",
                "-c",
                Clusters.CLUSTER,
                "-g",
                "G1");
    }

    private static void deletion(ApachePeers tools) throws Exception {
        expect(
                tools,
                "delete topic .* from NameServer success",
                "deleteTopic",
                "-c",
                Clusters.CLUSTER,
                "-t",
                Clusters.TOPIC);
        expect(
                tools,
                "No topic route info in name server for the topic: FieldTopic",
                "topicRoute",
                "-t",
                Clusters.TOPIC);
    }

    private static void expect(ApachePeers tools, String pattern, String... arguments) throws Exception {
        assertThat(tools.mqadmin(arguments)).as(String.join(" ", arguments)).containsPattern(pattern);
    }
}
