package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.NEXT_VERSION;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static io.namesrv.core.route.Fixtures.topicWithPerm;
import static io.namesrv.core.route.Fixtures.topicWithSysFlag;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.data.RegisterBrokerResult.LimitReached;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.Picture;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TableLimitsTest {
    private static final int ANY = Integer.MAX_VALUE;

    private static void assertRefused(
            Bench bench, RegistrationBuilder broker, ConnectionId from, boolean deleteMissing, ReachedLimit limit) {
        Picture before = bench.picture();

        assertThat(bench.routes.registerBroker(broker.build(), from, deleteMissing))
                .isEqualTo(new LimitReached(limit));
        assertThat(bench.picture()).isEqualTo(before);
    }

    private static void assertRefused(Bench bench, RegistrationBuilder broker, String key, long max) {
        assertRefused(bench, broker, OTHER_CONNECTION, false, new ReachedLimit(key, max));
    }

    // ---- topics

    @Test
    void a_topic_beyond_the_limit_refuses_its_registration_and_what_is_there_can_be_renewed() {
        Bench bench = new Bench(new TableLimits(3, ANY, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());

        assertRefused(bench, otherMaster().topics(topic("a"), topic("b"), topic("orders")), "topicsMax", 3);
        bench.register(otherMaster().topics(topic("a"), topic("a"), topic("orders")));
        assertRefused(bench, master().version(NEXT_VERSION).topics(topic("orders"), topic("b")), "topicsMax", 3);
        bench.register(master().version(NEXT_VERSION));
        assertThat(bench.topics()).containsExactly("TBW102", "a", "orders");
    }

    @Test
    void topics_of_a_slave_that_are_not_taken_do_not_count() {
        Bench bench = new Bench(new TableLimits(2, 2, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());

        bench.register(slave().topics(topic("a"), topic("b"), topic("c")));

        assertThat(bench.members(BROKER)).hasSize(2);
    }

    @Test
    void a_single_topic_beyond_the_limits_is_not_registered() {
        Bench bench = new Bench(new TableLimits(3, 3, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());
        QueueData queue = new QueueData(BROKER, 1, 1, 6, 0);
        bench.registerTopic("third", List.of(queue));
        Picture before = bench.picture();

        assertThat(bench.routes.registerTopic("fourth", List.of(queue), OPERATOR))
                .isEqualTo(new RegisterTopicResult.LimitReached(new ReachedLimit("topicsMax", 3)));
        assertThat(bench.picture()).isEqualTo(before);
        bench.registerTopic("third", List.of(new QueueData(BROKER, 2, 2, 6, 0)));
    }

    @Test
    void topics_that_a_broker_brings_bit_by_bit_are_limited_too() {
        Bench bench = new Bench(new TableLimits(ANY, 3, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());

        assertRefused(bench, master().version(NEXT_VERSION).topics(topic("a"), topic("b")), "topicsPerBrokerMax", 3);
        bench.register(master().version(NEXT_VERSION).topics(topic("a"), topic("orders")));
        bench.register(otherMaster().topics(topic("b"), topic("c"), topic("d")));
        assertThat(bench.routes.registerTopic("b", List.of(new QueueData(BROKER, 1, 1, 6, 0)), OPERATOR))
                .isEqualTo(new RegisterTopicResult.LimitReached(new ReachedLimit("topicsPerBrokerMax", 3)));
    }

    @Test
    void a_registration_that_replaces_its_topics_counts_those_that_it_carries() {
        Bench bench = new Bench(new TableLimits(ANY, 3, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());

        bench.registerDeletingMissing(master().version(NEXT_VERSION).topics(topic("a"), topic("b"), topic("orders")));

        assertThat(bench.topics()).containsExactly("a", "b", "orders");
        assertRefused(
                bench,
                master().topics(topic("a"), topic("b"), topic("c"), topic("d")),
                CONNECTION,
                true,
                new ReachedLimit("topicsPerBrokerMax", 3));
    }

    @Test
    void static_topics_are_limited_as_topics_are() {
        Bench bench = new Bench(new TableLimits(2, ANY, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());

        assertRefused(
                bench,
                master().version(NEXT_VERSION)
                        .mappings(mapping("a", BROKER, 1), mapping("b", BROKER, 1), mapping("c", BROKER, 1)),
                "topicsMax",
                2);
        bench.register(master().version(NEXT_VERSION).mappings(mapping("a", BROKER, 1), mapping("b", BROKER, 1)));
        bench.register(master().mappings(mapping("a", BROKER, 2)));
    }

    // ---- bytes

    @Test
    void topics_that_are_given_queues_no_two_alike_take_room() {
        List<TopicConfig> alike = new ArrayList<>();
        List<TopicConfig> different = new ArrayList<>();
        for (int number = 0; number < 50; number++) {
            alike.add(topic("topic-" + number));
            different.add(topicWithSysFlag("topic-" + number, number + 1));
        }
        Bench measured = new Bench(new TableLimits(ANY, ANY, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        measured.register(master().topics(alike.toArray(TopicConfig[]::new)));
        long room = measured.routes.bytes() + 40 * RowBytes.DIFFERENT_QUEUE;
        Bench bench = new Bench(new TableLimits(ANY, ANY, ANY, ANY, ANY, ANY, room));

        assertRefused(bench, master().topics(different.toArray(TopicConfig[]::new)), "routeTablesMax", room);
        bench.register(master().topics(alike.toArray(TopicConfig[]::new)));
        assertRefused(
                bench,
                master().version(NEXT_VERSION).topics(different.toArray(TopicConfig[]::new)),
                "routeTablesMax",
                room);
        List<TopicConfig> someDifferent = new ArrayList<>(different.subList(0, 40));
        someDifferent.addAll(alike.subList(40, 50));
        bench.register(master().version(NEXT_VERSION).topics(someDifferent.toArray(TopicConfig[]::new)));

        assertThat(bench.routes.bytes()).isEqualTo(room);
    }

    @Test
    void what_adds_bytes_beyond_the_limit_is_refused_whatever_it_adds() {
        Bench measured = new Bench(new TableLimits(ANY, ANY, ANY, ANY, ANY, ANY, Long.MAX_VALUE));
        measured.register(master());
        measured.register(otherMaster());
        long room = measured.routes.bytes();
        Bench bench = new Bench(new TableLimits(ANY, ANY, ANY, ANY, ANY, ANY, room));
        bench.register(master());
        assertRefused(
                bench, otherMaster().topics(topic("a"), topic("b"), topic("c"), topic("d")), "routeTablesMax", room);
        bench.register(otherMaster());

        assertRefused(bench, master().version(NEXT_VERSION).topics(topic("x"), topic("y")), "routeTablesMax", room);
        bench.register(master().version(NEXT_VERSION).topics(topicWithPerm("orders", 4)));
        bench.register(master().version(NEXT_VERSION));
        assertRefused(bench, master().mappings(mapping("a", BROKER, 1)), "routeTablesMax", room);
        assertRefused(bench, master().filterServers("10.0.0.1:1"), "routeTablesMax", room);
        assertRefused(bench, slave(), "routeTablesMax", room);
        assertThat(bench.routes.registerTopic("third", List.of(new QueueData(BROKER, 1, 1, 6, 0)), OPERATOR))
                .isEqualTo(new RegisterTopicResult.LimitReached(new ReachedLimit("routeTablesMax", room)));

        bench.register(master().version(NEXT_VERSION));
        bench.register(master().addr("10.0.0.9:10911").version(NEXT_VERSION));
        bench.routes.unregisterBroker(Fixtures.CLUSTER, OTHER_BROKER, Fixtures.THIRD_ADDR, CONNECTION);
        bench.register(slave());
    }

    // ---- brokers

    @Test
    void a_broker_beyond_the_limit_is_refused_and_those_that_are_there_can_come_again() {
        Bench bench = new Bench(new TableLimits(ANY, ANY, 2, ANY, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());
        bench.register(slave());

        assertRefused(bench, otherMaster(), "brokersMax", 2);
        bench.register(master(), OTHER_CONNECTION);
        bench.register(slave().addr("10.0.0.9:10911"));
        bench.register(slave().id(2).addr("10.0.0.9:10911"));
        bench.register(otherMaster().addr(MASTER_ADDR));
        assertThat(bench.routes.sizes().brokers()).isEqualTo(2);
        bench.routes.connectionClosed(CONNECTION);
        bench.register(otherMaster().addr("10.0.0.8:10911"));
    }

    @Test
    void a_group_has_so_many_brokers_and_they_may_move_within_it() {
        Bench bench = new Bench(new TableLimits(ANY, ANY, ANY, 2, ANY, ANY, Long.MAX_VALUE));
        bench.register(master());
        bench.register(slave());

        assertRefused(bench, slave().id(2).addr("10.0.0.9:10911"), "brokersPerGroupMax", 2);
        bench.register(slave().addr("10.0.0.9:10911"));
        bench.register(slave().id(2).addr("10.0.0.9:10911"));
        bench.register(otherMaster());
        assertThat(bench.members(BROKER)).hasSize(2);
    }

    @Test
    void a_connection_carries_so_many_brokers_and_another_one_more() {
        Bench bench = new Bench(new TableLimits(ANY, ANY, ANY, ANY, 2, ANY, Long.MAX_VALUE));
        bench.register(master());
        bench.register(slave());

        assertRefused(bench, otherMaster(), CONNECTION, false, new ReachedLimit("brokersPerChannelMax", 2));
        bench.register(master());
        bench.register(slave().addr("10.0.0.9:10911"));
        bench.register(otherMaster(), OTHER_CONNECTION);
        assertRefused(bench, otherMaster(), CONNECTION, false, new ReachedLimit("brokersPerChannelMax", 2));
    }

    @Test
    void a_cluster_beyond_the_limit_is_refused_and_a_group_may_take_its_own_along() {
        Bench bench = new Bench(new TableLimits(ANY, ANY, ANY, ANY, ANY, 1, Long.MAX_VALUE));
        bench.register(master());
        bench.register(otherMaster());

        assertRefused(bench, master().cluster(OTHER_CLUSTER), "clustersMax", 1);
        bench.routes.unregisterBroker(Fixtures.CLUSTER, OTHER_BROKER, Fixtures.THIRD_ADDR, CONNECTION);
        bench.register(master().cluster(OTHER_CLUSTER));
        assertThat(bench.routes.clusterInfo().clusterAddrTable()).containsOnlyKeys(OTHER_CLUSTER);
        assertThat(bench.members(BROKER)).doesNotContainValue(SLAVE_ADDR);
    }
}
