package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.route;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.Fixtures.Bench;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a client is told of a topic. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicRouteQueryTest {
    private final Bench bench = new Bench();

    @Test
    void a_topic_that_no_broker_has_has_no_route() {
        bench.register(master());

        assertThat(bench.routes.pickupTopicRouteData("unknown", false)).isEmpty();
        assertThat(bench.routes.pickupTopicRouteData("unknown", true)).isEmpty();
    }

    @Test
    void a_route_joins_queues_groups_filter_servers_and_mappings_in_order_of_broker_names() {
        bench.register(otherMaster().cluster(OTHER_CLUSTER).zone("z1").mappings(mapping("orders", OTHER_BROKER, 2)));
        bench.register(master().filterServers("10.0.0.1:1").mappings(mapping("orders", BROKER, 1)));
        bench.register(slave());

        TopicRouteData route = bench.route("orders");

        assertThat(route)
                .isEqualTo(new TopicRouteData(
                        List.of(ORDERS.queuesOn(BROKER), ORDERS.queuesOn(OTHER_BROKER)),
                        List.of(
                                group(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR)),
                                new BrokerData(OTHER_CLUSTER, OTHER_BROKER, addrs(0, THIRD_ADDR), false, "z1")),
                        Map.of(MASTER_ADDR, List.of("10.0.0.1:1")),
                        new TreeMap<>(Map.of(
                                BROKER, mapping("orders", BROKER, 1),
                                OTHER_BROKER, mapping("orders", OTHER_BROKER, 2)))));
    }

    @Test
    void filter_servers_of_brokers_without_the_topic_are_not_shown() {
        bench.register(master().filterServers("10.0.0.1:1"));
        bench.register(otherMaster().topics(topic("else"), topic("more")).filterServers("10.0.0.3:1"));

        assertThat(bench.route("orders").filterServerTable()).isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:1")));
    }

    @Test
    void filter_servers_of_the_same_address_in_another_cluster_are_not_shown() {
        bench.register(master());
        bench.register(otherMaster()
                .cluster(OTHER_CLUSTER)
                .addr(MASTER_ADDR)
                .filterServers("10.0.0.3:1")
                .topics());

        assertThat(bench.route("orders").filterServerTable()).isEmpty();
    }

    @Test
    void a_group_without_a_master_is_listed_as_it_is() {
        bench.register(slave());

        assertThat(bench.route("orders")).isEqualTo(route(ORDERS.queuesOn(BROKER), group(addrs(1, SLAVE_ADDR))));
        assertThat(bench.actingRoute("orders")).isEqualTo(bench.route("orders"));
    }

    // ---- acting master

    @Test
    void the_smallest_id_stands_in_for_a_master_that_is_away() {
        bench.register(slave().acting());
        bench.register(slave().acting().id(2).addr(THIRD_ADDR));

        TopicRouteData route = bench.actingRoute("orders");

        assertThat(route)
                .isEqualTo(route(
                        new QueueData(BROKER, 4, 4, 4, 0),
                        new BrokerData(CLUSTER, BROKER, addrs(0, SLAVE_ADDR, 2, THIRD_ADDR), true, "")));
    }

    @Test
    void the_tables_keep_the_real_id_of_a_stand_in() {
        bench.register(slave().acting());

        bench.actingRoute("orders");

        assertThat(bench.members(BROKER)).isEqualTo(addrs(1, SLAVE_ADDR));
        assertThat(bench.routes.clusterInfo().brokerAddrTable())
                .isEqualTo(
                        new TreeMap<>(Map.of(BROKER, new BrokerData(CLUSTER, BROKER, addrs(1, SLAVE_ADDR), true, ""))));
    }

    @Test
    void without_support_on_this_side_the_write_bit_is_withheld_and_real_ids_are_shown() {
        bench.register(slave().acting());

        TopicRouteData route = bench.route("orders");

        assertThat(route)
                .isEqualTo(route(
                        new QueueData(BROKER, 4, 4, 4, 0),
                        new BrokerData(CLUSTER, BROKER, addrs(1, SLAVE_ADDR), true, "")));
    }

    @Test
    void a_group_with_a_master_is_shown_as_it_is() {
        bench.register(master().acting());
        bench.register(slave().acting());

        TopicRouteData route = bench.actingRoute("orders");

        assertThat(route)
                .isEqualTo(route(
                        ORDERS.queuesOn(BROKER),
                        new BrokerData(CLUSTER, BROKER, addrs(0, MASTER_ADDR, 1, SLAVE_ADDR), true, "")));
    }

    @Test
    void only_the_group_whose_master_is_away_has_a_stand_in() {
        bench.register(slave().acting());
        bench.register(otherMaster());
        bench.register(otherMaster().id(1).addr("10.0.0.4:10911"));

        TopicRouteData route = bench.actingRoute("orders");

        assertThat(route.queueDatas())
                .containsExactly(new QueueData(BROKER, 4, 4, 4, 0), ORDERS.queuesOn(OTHER_BROKER));
        assertThat(route.brokerDatas())
                .containsExactly(
                        new BrokerData(CLUSTER, BROKER, addrs(0, SLAVE_ADDR), true, ""),
                        new BrokerData(CLUSTER, OTHER_BROKER, addrs(0, THIRD_ADDR, 1, "10.0.0.4:10911"), false, ""));
    }

    @Test
    void brokers_that_ask_for_the_members_of_their_group_see_real_ids() {
        String topic = "rmq_sys_SYNC_BROKER_MEMBER_" + BROKER;
        bench.register(slave().acting().topics(topic(topic), ORDERS));

        TopicRouteData route = bench.actingRoute(topic);

        assertThat(route.brokerDatas())
                .containsExactly(new BrokerData(CLUSTER, BROKER, addrs(1, SLAVE_ADDR), true, ""));
    }

    @Test
    void an_operator_cannot_open_a_group_whose_master_is_away() {
        bench.register(slave().acting());

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("orders")).contains(4);
    }

    /** As before the master's first absence: nothing of it is left in the permissions. */
    @Test
    void a_master_that_comes_back_finds_the_permissions_it_declared() {
        bench.register(master().acting());
        bench.register(slave().acting());
        TopicRouteData before = bench.actingRoute("TBW102");
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, OPERATOR);

        bench.register(master().acting());

        assertThat(bench.actingRoute("TBW102")).isEqualTo(before);
    }

    // ---- what leaves the lock

    @Test
    void an_answer_cannot_be_changed_and_does_not_change() {
        bench.register(master().filterServers("10.0.0.1:1").mappings(mapping("orders", BROKER, 1)));
        TopicRouteData answer = bench.route("orders");
        TopicRouteData copy = new TopicRouteData(
                List.copyOf(answer.queueDatas()),
                List.copyOf(answer.brokerDatas()),
                Map.copyOf(answer.filterServerTable()),
                new TreeMap<>(answer.topicQueueMappingByBroker()));

        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, OPERATOR);

        assertThat(answer).isEqualTo(copy);
        assertThatThrownBy(() -> answer.queueDatas().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> answer.brokerDatas().get(0).brokerAddrs().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> answer.topicQueueMappingByBroker().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
