package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What the situations of the field suite have in common. */
final class Clusters {
    static final String CLUSTER = "FieldCluster";
    static final String TOPIC = "FieldTopic";
    static final String NEWEST = "5.5.0";

    /** A 5.x broker takes some ten seconds from its start to its first registration; others register every 30. */
    static final Duration REGISTRATION_LIMIT = Duration.ofSeconds(60);

    private Clusters() {}

    /** Every generation, each with our daemon and with Apache's name server of the same release. */
    static Stream<Arguments> generations() {
        return eachBesideApaches("4.9.7", "5.3.3", NEWEST);
    }

    /** The same for what exists from 5.0 on. */
    static Stream<Arguments> generationsFrom5() {
        return eachBesideApaches("5.3.3", NEWEST);
    }

    /** Our daemon, and Apache's name server of the newest release. */
    static Stream<TestedNamesrv> newestGeneration() {
        return TestedNamesrv.besideApaches(NEWEST);
    }

    private static Stream<Arguments> eachBesideApaches(String... versions) {
        return Arrays.stream(versions)
                .flatMap(version -> TestedNamesrv.besideApaches(version).map(server -> Arguments.of(version, server)));
    }

    /** A master of the cluster, on a free port. */
    static BrokerSetup master(String name) {
        return BrokerSetup.master(CLUSTER, name, FreePorts.forBroker());
    }

    /** Waits until all of these brokers have registered. */
    static void await(NamesrvProcess namesrv, BrokerSetup... brokers) throws InterruptedException {
        namesrv.until("registrations of " + Arrays.toString(brokers), REGISTRATION_LIMIT, () -> {
            String body = namesrv.ask(RawQuery.clusters()).body();
            return Arrays.stream(brokers).allMatch(broker -> body.contains('"' + broker.address() + '"'));
        });
    }

    /** Creates the topic on these masters, the only ones of the cluster, with four queues each. */
    static void createTopic(ApachePeers peers, BrokerSetup... masters) throws IOException, InterruptedException {
        String output = peers.mqadmin("updateTopic", "-c", CLUSTER, "-t", TOPIC, "-r", "4", "-w", "4");
        for (BrokerSetup master : masters) {
            assertThat(output).contains("create topic to " + master.address() + " success");
        }
    }
}
