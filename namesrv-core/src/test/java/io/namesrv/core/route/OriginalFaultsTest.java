package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.route;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.stateVersion;
import static io.namesrv.core.route.Fixtures.topic;
import static io.namesrv.core.route.Fixtures.topicWithPerm;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * Faults that were seen on NameServer 4.9.7 and 5.3.3, by their numbers in the project's list, as far as the tables can
 * show them. Each test is the sequence that showed the fault there.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OriginalFaultsTest {
    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    @Test
    void fault_01_an_address_change_leaves_no_live_entry() {
        bench.register(master().filterServers("10.0.0.1:1"), CONNECTION);
        bench.register(master().addr(THIRD_ADDR).filterServers(FilterServers.UNSTATED), OTHER_CONNECTION);

        DepartureReport closed = bench.routes.connectionClosed(CONNECTION);
        bench.ticker.advance(119_000);
        DepartureReport scanned = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(closed.brokers()).isEmpty();
        assertThat(scanned.brokers()).isEmpty();
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).isEmpty();
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
        assertThat(bench.route("orders")).isEqualTo(route(ORDERS.queuesOn(BROKER), group(addrs(0, THIRD_ADDR))));
    }

    @Test
    void fault_02_a_refused_registration_leaves_no_cluster_group_flag_or_zone() {
        RegistrationBuilder singleTopic = master().acting().zone("z1").topics(ORDERS);

        bench.offer(singleTopic);

        assertThat(bench.routes.clusterInfo()).isEqualTo(new ClusterInfo(new TreeMap<>(), new TreeMap<>()));
        assertThat(bench.routes.systemTopicList()).isEqualTo(new SystemTopics(List.of(), Optional.empty()));
    }

    @Test
    void fault_02_a_stale_state_version_leaves_flag_and_zone_of_the_group() {
        bench.register(master().version(stateVersion(2)));

        bench.offer(master().addr(THIRD_ADDR).acting().zone("z1").version(stateVersion(1)));

        assertThat(bench.route("orders").brokerDatas()).containsExactly(group(addrs(0, MASTER_ADDR)));
    }

    @Test
    void fault_03_a_renamed_cluster_does_not_keep_the_broker() {
        bench.register(master(), CONNECTION);

        bench.register(master().cluster(OTHER_CLUSTER), CONNECTION);

        assertThat(bench.routes.clusterInfo())
                .isEqualTo(new ClusterInfo(
                        new TreeMap<>(Map.of(
                                BROKER, new BrokerData(OTHER_CLUSTER, BROKER, addrs(0, MASTER_ADDR), false, ""))),
                        new TreeMap<>(Map.of(OTHER_CLUSTER, new TreeSet<>(List.of(BROKER))))));
    }

    @Test
    void fault_03_a_broker_of_a_renamed_cluster_leaves_when_its_connection_ends() {
        bench.register(master(), CONNECTION);
        bench.register(master().cluster(OTHER_CLUSTER), CONNECTION);

        bench.routes.connectionClosed(CONNECTION);

        assertThat(bench.routes.pickupTopicRouteData("orders", false)).isEmpty();
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @Test
    void fault_05_all_brokers_of_a_connection_leave_with_it() {
        for (int number = 1; number <= 16; number++) {
            bench.register(master().name("broker-" + number).addr("10.0.1." + number + ":10911"), CONNECTION);
        }

        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(report.brokers()).hasSize(16);
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @Test
    void fault_06_the_late_end_of_a_connection_leaves_a_fresh_registration() {
        bench.register(master(), CONNECTION);
        bench.register(master(), OTHER_CONNECTION);

        bench.routes.connectionClosed(CONNECTION);
        bench.routes.connectionClosed(CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.perm("orders")).contains(6);
    }

    @Test
    void fault_07_a_broker_that_was_just_told_unchanged_is_not_evicted() {
        bench.register(master().timeoutMillis(8_000));
        bench.ticker.advance(8_001);

        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion();
        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(report.brokers()).isEmpty();
    }

    @Test
    void fault_08_of_register_and_unregister_the_later_decides() {
        bench.register(master());
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);
        bench.register(master());
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.members(BROKER)).isEmpty();
    }

    @Test
    void fault_10_an_answer_is_not_changed_by_a_later_wipe() {
        bench.register(master());
        TopicRouteData answer = bench.route("orders");

        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        assertThat(answer).isEqualTo(route(ORDERS.queuesOn(BROKER), group(addrs(0, MASTER_ADDR))));
    }

    @Test
    void fault_11_an_unregister_of_an_unknown_name_does_not_hold_up_the_others() {
        bench.register(master(), CONNECTION);
        bench.register(otherMaster(), CONNECTION);

        bench.routes.unregisterBroker(CLUSTER, "nobody", MASTER_ADDR, CONNECTION);
        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(report.brokers()).hasSize(2);
        assertThat(bench.topics()).isEmpty();
    }

    @Test
    void fault_14_an_add_gives_back_what_a_wipe_took_and_no_more() {
        bench.register(master().topics(
                        topicWithPerm("TBW102", 7),
                        topicWithPerm("read only", 4),
                        topicWithPerm("forbidden", 0),
                        topicWithPerm("plain", 6)));

        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(List.of("TBW102", "read only", "forbidden", "plain"))
                .extracting(bench::perm)
                .containsExactly(Optional.of(7), Optional.of(4), Optional.of(0), Optional.of(6));
    }

    @Test
    void fault_14_an_add_without_a_wipe_keeps_the_inherit_bit() {
        bench.register(master());

        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);

        assertThat(bench.perm("TBW102")).contains(7);
    }

    @Test
    void fault_15_a_mapping_goes_with_its_broker() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        bench.register(master());

        assertThat(bench.route("orders")).isEqualTo(route(ORDERS.queuesOn(BROKER), group(addrs(0, MASTER_ADDR))));
    }

    @Test
    void fault_15_a_mapping_goes_with_its_deleted_topic() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));
        bench.routes.deleteTopic("orders", OPERATOR);

        bench.register(master());

        assertThat(bench.route("orders")).isEqualTo(route(ORDERS.queuesOn(BROKER), group(addrs(0, MASTER_ADDR))));
    }

    @Test
    void fault_16_the_flag_of_a_mixed_group_does_not_depend_on_who_came_last() {
        bench.register(master().acting());
        bench.register(slave());
        bench.register(slave().id(2).addr(THIRD_ADDR).acting());
        bench.register(master().acting());
        bench.register(slave());

        assertThat(bench.route("orders").brokerDatas())
                .extracting(BrokerData::enableActingMaster)
                .containsExactly(true);
    }

    @Test
    void fault_17_whom_to_tell_is_returned_and_not_told_under_the_lock() {
        bench.register(slave().acting());

        List<MinBrokerIdChange> changes = bench.register(master().acting()).minBrokerIdChanges();

        assertThat(changes)
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 0, MASTER_ADDR, Optional.of(""), Optional.empty(), List.of(SLAVE_ADDR)));
    }

    @Test
    void fault_17_a_master_that_becomes_a_slave_under_its_address_is_told() {
        bench.register(master().acting());
        bench.register(slave().acting());

        List<MinBrokerIdChange> changes =
                bench.register(master().id(2).acting()).minBrokerIdChanges();

        assertThat(changes)
                .containsExactly(new MinBrokerIdChange(
                        BROKER,
                        1,
                        SLAVE_ADDR,
                        Optional.empty(),
                        Optional.of(MASTER_ADDR),
                        List.of(SLAVE_ADDR, MASTER_ADDR)));
    }

    @Test
    void fault_18_any_number_of_connections_may_end_and_none_is_missed() {
        int count = 12_000;
        for (int number = 1; number <= count; number++) {
            RegistrationBuilder broker =
                    master().name("broker-" + number).addr("10.1.0.1:" + number).topics();
            bench.register(broker, new ConnectionId(number));
        }

        for (int number = 1; number <= count; number++) {
            bench.routes.connectionClosed(new ConnectionId(number));
        }

        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @Test
    void fault_19_a_connection_shared_with_a_live_broker_is_not_to_be_closed() {
        bench.register(master().timeoutMillis(8_000), CONNECTION);
        bench.register(otherMaster(), CONNECTION);
        bench.ticker.advance(8_001);

        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(report.brokers()).hasSize(1);
        assertThat(report.orphans()).isEmpty();
        assertThat(bench.members(OTHER_BROKER)).isEqualTo(addrs(0, THIRD_ADDR));
    }

    @Test
    void fault_21_brokers_without_filter_servers_do_not_stand_in_the_route() {
        bench.register(master().filterServers("10.0.0.1:1"));
        bench.register(slave());

        assertThat(bench.route("orders").filterServerTable()).isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:1")));
    }

    @Test
    void fault_23_an_emptied_namespace_goes() {
        KVConfigManager settings =
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE);
        settings.putKVConfig("NS", "key", "value");

        settings.deleteKVConfig("NS", "key");

        assertThat(settings.getKVListByNamespace("NS")).isEmpty();
    }

    @Test
    void fault_23_the_emptied_namespace_of_order_topics_stays_for_the_brokers() {
        KVConfigManager settings =
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE);
        settings.putKVConfig(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, "orders", "broker-a:4");

        settings.deleteKVConfig(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, "orders");

        assertThat(settings.getKVListByNamespace(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG))
                .contains(Map.of());
    }

    /** Not numbered: a topic whose mappings outlived it was answered as a static one after it was made anew. */
    @Test
    void a_topic_made_anew_on_one_broker_is_not_static_any_more() {
        bench.register(master().topics(topic("static"), ORDERS).mappings(mapping("static", BROKER, 1)));
        bench.routes.deleteTopic("static", CLUSTER, OPERATOR);

        bench.registerTopic("static", List.of(new QueueData(BROKER, 1, 1, 6, 0)));

        assertThat(bench.route("static").topicQueueMappingByBroker()).isEmpty();
    }
}
