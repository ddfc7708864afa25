package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.route;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topicWithPerm;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.Picture;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Permissions wiped and added, topics deleted and registered one by one. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicEditsTest {
    private static final QueueData TWO_QUEUES = new QueueData(BROKER, 2, 2, 6, 0);

    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    static IntStream every_permission() {
        return IntStream.rangeClosed(0, 15);
    }

    // ---- write permission

    @ParameterizedTest
    @MethodSource("every_permission")
    void a_wipe_withholds_the_write_bit_alone(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));

        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains(perm & ~2);
    }

    @ParameterizedTest
    @MethodSource("every_permission")
    void an_add_after_a_wipe_restores_what_the_broker_declared(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains(perm);
    }

    @ParameterizedTest
    @MethodSource("every_permission")
    void an_add_without_a_wipe_sets_read_and_write_and_keeps_the_other_bits(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains(perm | 6);
    }

    @ParameterizedTest
    @MethodSource("every_permission")
    void a_wipe_after_an_add_withholds_the_write_bit_of_what_was_shown(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));
        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains((perm | 6) & ~2);
    }

    @ParameterizedTest
    @MethodSource("every_permission")
    void an_add_after_an_add_and_a_wipe_restores_what_the_broker_declared(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));
        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains(perm);
    }

    @Test
    void a_wipe_and_an_add_count_the_topics_of_the_broker_changed_or_not() {
        bench.register(master().topics(topicWithPerm("open", 6), topicWithPerm("closed", 4)));
        bench.register(otherMaster());

        PermReport wiped = bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        PermReport wipedAgain = bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        PermReport added = bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(List.of(wiped.topics(), wipedAgain.topics(), added.topics())).containsExactly(2, 2, 2);
        assertThat(wiped.change().cause()).isEqualTo(Cause.PERM_WIPED);
        assertThat(wipedAgain.change().isEmpty()).isTrue();
        assertThat(added.change().cause()).isEqualTo(Cause.PERM_ADDED);
        assertThat(added.change().peer()).contains(OPERATOR);
    }

    @Test
    void an_unknown_broker_has_no_topics_to_wipe_or_add() {
        assertThat(bench.routes.wipeWritePermOfBroker("nobody", OPERATOR))
                .isEqualTo(new PermReport(0, new RouteChange(0, Cause.PERM_WIPED, Optional.of(OPERATOR), List.of())));
        assertThat(bench.routes.addWritePermOfBroker("nobody", OPERATOR))
                .isEqualTo(new PermReport(0, new RouteChange(0, Cause.PERM_ADDED, Optional.of(OPERATOR), List.of())));
    }

    @Test
    void a_wipe_concerns_the_named_broker_alone() {
        bench.register(master());
        bench.register(otherMaster());

        bench.routes.wipeWritePermOfBroker(OTHER_BROKER, OPERATOR);

        assertThat(bench.route("orders").queueDatas())
                .containsExactly(ORDERS.queuesOn(BROKER), new QueueData(OTHER_BROKER, 4, 4, 4, 0));
    }

    @Test
    void a_wiped_topic_that_cannot_be_written_is_restored_by_an_add_and_not_opened() {
        bench.register(master().topics(topicWithPerm("closed", 4), topicWithPerm("else", 6)));
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("closed")).contains(4);
    }

    // ---- delete a topic

    @Test
    void a_deleted_topic_goes_from_all_brokers_with_its_mappings() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));
        bench.register(otherMaster());

        RouteChange change = bench.routes.deleteTopic("orders", OPERATOR);
        bench.registerTopic("orders", List.of(TWO_QUEUES));

        assertThat(change.cause()).isEqualTo(Cause.TOPIC_DELETED);
        assertThat(change.peer()).contains(OPERATOR);
        assertThat(bench.route("orders")).isEqualTo(route(TWO_QUEUES, group(addrs(0, MASTER_ADDR))));
    }

    @Test
    void a_topic_deleted_in_a_cluster_stays_in_the_others() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));
        bench.register(otherMaster().cluster(OTHER_CLUSTER));

        bench.routes.deleteTopic("orders", CLUSTER, OPERATOR);

        assertThat(bench.route("orders").queueDatas()).containsExactly(ORDERS.queuesOn(OTHER_BROKER));
        assertThat(bench.route("orders").topicQueueMappingByBroker()).isEmpty();
    }

    @Test
    void a_topic_deleted_in_its_only_cluster_is_gone() {
        bench.register(master());

        bench.routes.deleteTopic("orders", CLUSTER, OPERATOR);

        assertThat(bench.topics()).containsExactly("TBW102");
    }

    @Test
    void a_mapping_without_queues_is_deleted_with_its_topic_too() {
        bench.register(master().mappings(mapping("static", BROKER, 1)));

        RouteChange change = bench.routes.deleteTopic("static", OPERATOR);

        assertThat(change.edits())
                .containsExactly(new RouteChange.MappingEdit(
                        "static", Optional.of(mapping("static", BROKER, 1)), Optional.empty()));
    }

    @Test
    void deleting_what_is_not_there_changes_nothing() {
        bench.register(master());
        Picture before = bench.picture();

        RouteChange unknownTopic = bench.routes.deleteTopic("unknown", OPERATOR);
        RouteChange unknownCluster = bench.routes.deleteTopic("orders", "nowhere", OPERATOR);

        assertThat(unknownTopic.isEmpty()).isTrue();
        assertThat(unknownCluster.isEmpty()).isTrue();
        assertThat(bench.picture()).isEqualTo(before);
    }

    // ---- register a topic

    @Test
    void a_topic_is_registered_on_known_brokers() {
        bench.register(master());

        RouteChange change = bench.registerTopic("new", List.of(TWO_QUEUES));

        assertThat(change)
                .isEqualTo(new RouteChange(
                        2,
                        Cause.TOPIC_REGISTERED,
                        Optional.of(OPERATOR),
                        List.of(new QueueEdit(
                                "new", Optional.empty(), Optional.of(new TopicQueue(TWO_QUEUES, Mark.NONE))))));
        assertThat(bench.route("new")).isEqualTo(route(TWO_QUEUES, group(addrs(0, MASTER_ADDR))));
    }

    @Test
    void a_registered_topic_is_merged_into_what_is_there() {
        bench.register(master());
        bench.register(otherMaster());

        bench.registerTopic("orders", List.of(TWO_QUEUES));

        assertThat(bench.route("orders").queueDatas()).containsExactly(TWO_QUEUES, ORDERS.queuesOn(OTHER_BROKER));
    }

    @Test
    void a_topic_with_one_unknown_broker_is_not_registered_at_all() {
        bench.register(master());
        Picture before = bench.picture();

        RouteChange change = bench.registerTopic("orders", List.of(TWO_QUEUES, new QueueData("nobody", 2, 2, 6, 0)));

        assertThat(change.isEmpty()).isTrue();
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void a_topic_without_queues_is_not_registered() {
        bench.register(master());
        Picture before = bench.picture();

        RouteChange change = bench.registerTopic("new", List.of());

        assertThat(change.isEmpty()).isTrue();
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void a_registered_topic_survives_the_registrations_of_its_broker() {
        bench.register(master());
        bench.register(slave());
        bench.registerTopic("new", List.of(TWO_QUEUES));

        bench.register(master().version(Fixtures.NEXT_VERSION));

        assertThat(bench.route("new").queueDatas()).containsExactly(TWO_QUEUES);
    }
}
