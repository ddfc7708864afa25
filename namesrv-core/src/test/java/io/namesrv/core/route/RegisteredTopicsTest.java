package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.NEXT_VERSION;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.TBW102;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.VERSION;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static io.namesrv.core.route.Fixtures.topicWithPerm;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.route.Fixtures.Bench;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a registration writes to the topics, the mappings and the filter servers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RegisteredTopicsTest {
    private static final TopicConfig MORE_ORDERS = new TopicConfig("orders", 16, 16, 6, 0);

    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    // ---- who brings topics

    @Test
    void a_slave_beside_its_master_brings_no_topics() {
        bench.register(master());

        bench.register(slave().topics(topic("of the slave"), topic("another")).version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "orders");
    }

    @Test
    void a_slave_of_4_x_never_brings_topics() {
        bench.register(slave().old());

        assertThat(bench.topics()).isEmpty();
    }

    @Test
    void a_master_of_4_x_brings_topics() {
        bench.register(master().old());

        assertThat(bench.topics()).containsExactly("TBW102", "orders");
    }

    @Test
    void a_slave_of_5_x_that_is_alone_brings_topics_with_their_full_permission() {
        bench.register(slave());

        assertThat(bench.perm("orders")).contains(6);
        assertThat(bench.perm("TBW102")).contains(7);
    }

    @Test
    void of_two_slaves_the_one_with_the_smaller_id_brings_topics() {
        bench.register(slave());

        bench.register(slave().id(2)
                .addr(THIRD_ADDR)
                .topics(topic("of slave 2"), topic("more"))
                .version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "orders");
    }

    @Test
    void a_slave_that_becomes_the_smallest_id_brings_topics() {
        bench.register(slave().id(2).addr(THIRD_ADDR).topics(topic("of slave 2"), topic("more")));

        bench.register(slave());

        assertThat(bench.topics()).containsExactly("TBW102", "more", "of slave 2", "orders");
    }

    @Test
    void a_slave_that_may_act_as_master_declares_the_write_bit_and_is_shown_without_it() {
        bench.register(slave().acting());

        assertThat(bench.perm("orders")).contains(4);
        assertThat(bench.perm("TBW102")).contains(5);
    }

    @Test
    void the_write_bit_is_shown_again_once_a_master_is_there() {
        bench.register(slave().acting());

        bench.register(master().acting().topics());

        assertThat(bench.perm("orders")).contains(6);
        assertThat(bench.perm("TBW102")).contains(7);
    }

    // ---- which rows are written

    @Test
    void an_equal_version_leaves_rows_as_they_are() {
        bench.register(master());

        bench.register(master().topics(MORE_ORDERS, TBW102));

        assertThat(bench.route("orders").queueDatas()).containsExactly(ORDERS.queuesOn(BROKER));
    }

    @ParameterizedTest
    @CsvSource({"1, 1700000000000, 3", "0, 1700000000001, 3", "0, 1700000000000, 4", "0, 1700000000000, 2"})
    void a_version_that_differs_in_one_number_writes_the_rows(long stateVersion, long timestamp, long counter) {
        bench.register(master().version(VERSION));

        bench.register(master().topics(MORE_ORDERS, TBW102).version(new DataVersion(stateVersion, timestamp, counter)));

        assertThat(bench.route("orders").queueDatas()).containsExactly(MORE_ORDERS.queuesOn(BROKER));
    }

    @Test
    void an_equal_version_adds_a_topic_that_the_broker_lacks_here() {
        bench.register(master());
        bench.routes.deleteTopic("orders", OPERATOR);

        bench.register(master());

        assertThat(bench.route("orders").queueDatas()).containsExactly(ORDERS.queuesOn(BROKER));
    }

    @Test
    void an_equal_version_adds_a_topic_that_only_another_broker_has() {
        bench.register(otherMaster());
        bench.register(master().topics(TBW102, topic("else")));

        bench.register(master());

        assertThat(bench.route("orders").queueDatas())
                .containsExactly(ORDERS.queuesOn(BROKER), ORDERS.queuesOn(OTHER_BROKER));
    }

    @Test
    void a_new_address_for_an_id_writes_the_rows_at_an_equal_version_too() {
        bench.register(master());

        bench.register(master().addr(THIRD_ADDR).topics(MORE_ORDERS, TBW102));

        assertThat(bench.route("orders").queueDatas()).containsExactly(MORE_ORDERS.queuesOn(BROKER));
    }

    @Test
    void a_free_id_writes_the_rows_at_an_equal_version_too() {
        bench.register(slave());

        bench.register(slave().id(0).topics(MORE_ORDERS, TBW102));

        assertThat(bench.route("orders").queueDatas()).containsExactly(MORE_ORDERS.queuesOn(BROKER));
    }

    @Test
    void a_single_topic_of_a_known_broker_is_written_and_the_others_stay() {
        bench.register(master());

        bench.register(master().topics(topic("new")).version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "new", "orders");
    }

    @Test
    void a_topic_named_twice_is_one_topic() {
        bench.register(master().topics(ORDERS, MORE_ORDERS));

        assertThat(bench.route("orders").queueDatas()).containsExactly(MORE_ORDERS.queuesOn(BROKER));
    }

    // ---- a wiped permission

    @Test
    void a_wiped_permission_survives_repeated_registrations_and_heartbeats() {
        bench.register(master());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.register(master());
        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown();
        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion();

        assertThat(bench.perm("orders")).contains(4);
    }

    @Test
    void a_wiped_permission_ends_with_a_changed_registration() {
        bench.register(master());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.register(master().version(NEXT_VERSION));

        assertThat(bench.perm("orders")).contains(6);
    }

    @Test
    void a_wiped_permission_of_a_topic_that_a_changed_registration_does_not_carry_stays() {
        bench.register(master());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.register(master().topics(topic("new")).version(NEXT_VERSION));

        assertThat(bench.perm("orders")).contains(4);
    }

    @Test
    void a_wiped_permission_ends_when_the_broker_leaves_and_comes_back() {
        bench.register(master());
        bench.register(slave());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        bench.register(master());

        assertThat(bench.perm("orders")).contains(6);
    }

    // ---- topics that the body does not carry

    @Test
    void a_registration_removes_no_topic_by_default() {
        bench.register(master());

        bench.register(master().topics(TBW102, topic("new")).version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "new", "orders");
    }

    @Test
    void with_deletion_on_a_topic_that_is_not_carried_is_removed_on_this_broker_only() {
        bench.register(otherMaster());
        bench.register(master());

        bench.registerDeletingMissing(master().topics(TBW102, topic("new")));

        assertThat(bench.route("orders").queueDatas()).containsExactly(ORDERS.queuesOn(OTHER_BROKER));
        assertThat(bench.topics()).containsExactly("TBW102", "new", "orders");
    }

    @Test
    void with_deletion_on_an_empty_registration_removes_all_topics_of_the_broker() {
        bench.register(master());

        bench.registerDeletingMissing(master().topics().version(NEXT_VERSION));

        assertThat(bench.topics()).isEmpty();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    @Test
    void with_deletion_on_a_topic_that_is_carried_but_breaks_a_rule_stays() {
        bench.register(master());

        bench.registerDeletingMissing(master().topics(TBW102).skipped("orders").version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "orders");
    }

    @Test
    void with_deletion_on_a_registration_of_static_topics_removes_nothing() {
        bench.register(master());

        bench.registerDeletingMissing(master().topics(TBW102, topic("static"))
                .mappings(mapping("static", BROKER, 1))
                .version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "orders", "static");
    }

    @Test
    void with_deletion_on_the_mapping_goes_with_its_topic() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));

        bench.registerDeletingMissing(master().topics(TBW102, topic("new")).version(NEXT_VERSION));

        bench.register(otherMaster());
        assertThat(bench.route("orders").topicQueueMappingByBroker()).isEmpty();
    }

    @Test
    void with_deletion_on_a_slave_beside_its_master_removes_nothing() {
        bench.register(master());

        bench.registerDeletingMissing(slave().topics());

        assertThat(bench.topics()).containsExactly("TBW102", "orders");
    }

    // ---- static topics

    @Test
    void a_mapping_is_kept_under_its_own_broker() {
        bench.register(master().mappings(mapping("orders", BROKER, 5)));
        bench.register(otherMaster().mappings(mapping("orders", OTHER_BROKER, 6)));

        assertThat(bench.route("orders").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(
                        BROKER, mapping("orders", BROKER, 5), OTHER_BROKER, mapping("orders", OTHER_BROKER, 6))));
    }

    @Test
    void a_mapping_of_another_broker_is_dropped_and_said() {
        Registered result = bench.register(master().mappings(mapping("orders", OTHER_BROKER, 5)));

        assertThat(bench.route("orders").topicQueueMappingByBroker()).isEmpty();
        assertThat(result.notices())
                .containsExactly(new RegistrationNotice(Kind.MAPPING_OF_OTHER_BROKER, "orders", OTHER_BROKER, BROKER));
    }

    @Test
    void a_mapping_with_a_smaller_epoch_is_dropped_and_said() {
        bench.register(master().mappings(mapping("orders", BROKER, 5)));

        Registered result =
                bench.register(master().mappings(mapping("orders", BROKER, 4)).version(NEXT_VERSION));

        assertThat(bench.route("orders").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(BROKER, mapping("orders", BROKER, 5))));
        assertThat(result.notices()).containsExactly(new RegistrationNotice(Kind.MAPPING_OUTDATED, "orders", "5", "4"));
    }

    @Test
    void a_mapping_with_an_equal_or_greater_epoch_replaces_the_one_held() {
        bench.register(master().mappings(mapping("orders", BROKER, 5), mapping("TBW102", BROKER, 5)));

        Registered result = bench.register(master().mappings(mapping("orders", BROKER, 6), dirty("TBW102", 5))
                .version(NEXT_VERSION));

        assertThat(bench.route("orders").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(BROKER, mapping("orders", BROKER, 6))));
        assertThat(bench.route("TBW102").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(BROKER, dirty("TBW102", 5))));
        assertThat(result.notices()).isEmpty();
    }

    private static TopicQueueMappingInfo dirty(String topic, long epoch) {
        return new TopicQueueMappingInfo(topic, "__global__", 2, BROKER, epoch, true, new TreeMap<>(Map.of(0, 0)));
    }

    @Test
    void at_an_equal_version_a_mapping_is_not_written() {
        bench.register(master().mappings(mapping("orders", BROKER, 5)));

        bench.register(master().mappings(mapping("orders", BROKER, 6)));

        assertThat(bench.route("orders").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(BROKER, mapping("orders", BROKER, 5))));
    }

    @Test
    void a_static_topic_that_was_deleted_comes_back_as_one_at_an_equal_version() {
        bench.register(master().topics(ORDERS, TBW102).mappings(mapping("orders", BROKER, 5)));
        bench.routes.deleteTopic("orders", OPERATOR);

        bench.register(master().topics(ORDERS, TBW102).mappings(mapping("orders", BROKER, 5)));

        assertThat(bench.route("orders").topicQueueMappingByBroker())
                .isEqualTo(new TreeMap<>(Map.of(BROKER, mapping("orders", BROKER, 5))));
    }

    @Test
    void a_mapping_goes_with_its_group() {
        bench.register(otherMaster());
        bench.register(master().mappings(mapping("orders", BROKER, 5)));

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.route("orders").topicQueueMappingByBroker()).isEmpty();
    }

    // ---- filter servers

    @Test
    void filter_servers_are_shown_by_the_address_of_their_broker() {
        bench.register(master().old().filterServers("10.0.0.1:1", "10.0.0.1:2"));
        bench.register(slave().old().filterServers("10.0.0.2:1"));

        assertThat(bench.route("orders").filterServerTable())
                .isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:1", "10.0.0.1:2"), SLAVE_ADDR, List.of("10.0.0.2:1")));
    }

    @Test
    void filter_servers_are_replaced_at_an_equal_version() {
        bench.register(master().filterServers("10.0.0.1:1"));

        bench.register(master().filterServers("10.0.0.1:2"));

        assertThat(bench.route("orders").filterServerTable()).isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:2")));
    }

    @Test
    void an_empty_list_of_filter_servers_takes_those_known_away() {
        bench.register(master().filterServers("10.0.0.1:1"));

        bench.register(master().filterServers(FilterServers.NONE));

        assertThat(bench.route("orders").filterServerTable()).isEmpty();
    }

    @Test
    void a_body_that_cannot_carry_filter_servers_leaves_those_known() {
        bench.register(master().filterServers("10.0.0.1:1"));

        bench.register(master().filterServers(FilterServers.UNSTATED).version(NEXT_VERSION));

        assertThat(bench.route("orders").filterServerTable()).isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:1")));
    }

    @Test
    void filter_servers_go_with_an_address_that_is_replaced() {
        bench.register(master().filterServers("10.0.0.1:1"));

        bench.register(master().addr(THIRD_ADDR).filterServers(FilterServers.UNSTATED));
        bench.register(slave().addr(MASTER_ADDR).filterServers(FilterServers.UNSTATED));

        assertThat(bench.route("orders").filterServerTable()).isEmpty();
    }

    @Test
    void filter_servers_stay_with_an_address_that_changes_its_role() {
        bench.register(slave().filterServers("10.0.0.2:1"));

        bench.register(slave().id(0).filterServers(FilterServers.UNSTATED));

        assertThat(bench.route("orders").filterServerTable()).isEqualTo(Map.of(SLAVE_ADDR, List.of("10.0.0.2:1")));
    }

    @Test
    void filter_servers_do_not_follow_an_address_to_another_name() {
        bench.register(master().filterServers("10.0.0.1:1"));

        bench.register(otherMaster().addr(MASTER_ADDR).filterServers(FilterServers.UNSTATED));

        assertThat(bench.route("orders").filterServerTable()).isEmpty();
    }

    @Test
    void a_wipe_of_a_forbidden_topic_and_a_changed_registration_leave_it_forbidden() {
        bench.register(master().topics(topicWithPerm("closed", 0), TBW102));
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.register(master().topics(topicWithPerm("closed", 0), TBW102).version(NEXT_VERSION));

        assertThat(bench.perm("closed")).contains(0);
    }

    // ---- what is compared before the step

    @Test
    void of_a_topic_that_comes_twice_the_last_one_counts_though_it_says_what_is_known() {
        bench.register(master());

        bench.register(master().version(NEXT_VERSION).topics(topicWithPerm("orders", 4), TBW102, ORDERS));
        assertThat(bench.perm("orders")).contains(6);
        bench.register(master().topics(ORDERS, TBW102, topicWithPerm("orders", 4)));

        assertThat(bench.perm("orders")).contains(4);
    }

    @Test
    void what_changes_between_comparing_and_writing_is_written_over() {
        RouteTables tables = new RouteTables();
        write(tables, new OfferedTopics(master().build()));
        OfferedTopics offered = new OfferedTopics(master().version(NEXT_VERSION).build()).compare(tables);
        write(
                tables,
                new OfferedTopics(master().version(new DataVersion(0, 9, 9))
                        .topics(MORE_ORDERS, TBW102)
                        .build()));

        write(tables, offered);

        assertThat(tables.topicQueueTable.rows())
                .allSatisfy(row -> assertThat(row.queues())
                        .extracting(queue -> queue.declared().readQueueNums())
                        .containsExactly(row.topic().equals("orders") ? 4 : 8));
        assertThat(RouteInvariants.violations(tables)).isEmpty();
    }

    private static void write(RouteTables tables, OfferedTopics offered) {
        BrokerRegistration.apply(tables, TableLimits.NONE, offered, CONNECTION, 0, false, Optional.empty());
    }
}
