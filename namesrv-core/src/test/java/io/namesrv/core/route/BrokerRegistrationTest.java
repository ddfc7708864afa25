package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.TBW102;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.VERSION;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.route;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.stateVersion;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.Master;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.SingleTopicOfUnknownBroker;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.Picture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Who is a member of which group after a registration, and what is refused; topics: {@link RegisteredTopicsTest}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class BrokerRegistrationTest {
    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    // ---- members

    @Test
    void the_first_registration_fills_every_table() {
        Registered result = bench.register(master());

        BrokerData group = group(addrs(0, MASTER_ADDR));
        assertThat(result.first()).isTrue();
        assertThat(result.master()).isEmpty();
        assertThat(result.notices()).isEmpty();
        assertThat(bench.routes.clusterInfo())
                .isEqualTo(new ClusterInfo(
                        new TreeMap<>(Map.of(BROKER, group)),
                        new TreeMap<>(Map.of(CLUSTER, new TreeSet<>(List.of(BROKER))))));
        assertThat(bench.route("orders")).isEqualTo(route(ORDERS.queuesOn(BROKER), group));
        assertThat(bench.route("TBW102")).isEqualTo(route(TBW102.queuesOn(BROKER), group));
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).contains(VERSION);
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
    }

    @Test
    void a_slave_joins_the_group_of_its_master() {
        bench.register(master());

        Registered result = bench.register(slave());

        assertThat(result.first()).isTrue();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR));
    }

    @Test
    void a_repeated_registration_is_not_the_first() {
        bench.register(master());

        Registered result = bench.register(master());

        assertThat(result.first()).isFalse();
    }

    @Test
    void a_registration_without_a_body_stands_for_no_topics_of_version_zero() {
        bench.register(master().topics().version(TopicTable.NONE.dataVersion()));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.topics()).isEmpty();
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).contains(TopicTable.NONE.dataVersion());
    }

    @Test
    void a_slave_promoted_under_its_own_address_leaves_its_former_id() {
        bench.register(slave());

        Registered result = bench.register(slave().id(0));

        assertThat(result.first()).isTrue();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, SLAVE_ADDR));
        assertThat(result.notices()).isEmpty();
    }

    @Test
    void a_slave_promoted_over_a_registered_master_takes_its_id() {
        bench.register(master());
        bench.register(slave());

        Registered result = bench.register(slave().id(0));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, SLAVE_ADDR));
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown()).isFalse();
        assertThat(result.notices())
                .containsExactly(new RegistrationNotice(Kind.ID_TAKEN_OVER, BROKER + "/0", MASTER_ADDR, SLAVE_ADDR));
    }

    @Test
    void of_two_addresses_that_claim_one_id_with_equal_state_versions_the_later_wins() {
        bench.register(master());

        Registered result = bench.register(master().addr(THIRD_ADDR));

        assertThat(result.first()).isFalse();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, THIRD_ADDR));
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown()).isFalse();
        assertThat(result.notices())
                .containsExactly(new RegistrationNotice(Kind.ID_TAKEN_OVER, BROKER + "/0", MASTER_ADDR, THIRD_ADDR));
    }

    @Test
    void a_larger_state_version_takes_an_id_over() {
        bench.register(master().version(stateVersion(1)));

        bench.register(master().addr(THIRD_ADDR).version(stateVersion(2)));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, THIRD_ADDR));
    }

    @Test
    void a_broker_may_lower_its_own_state_version() {
        bench.register(master().version(stateVersion(2)));

        bench.register(master().version(stateVersion(1)));

        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).contains(stateVersion(1));
    }

    @Test
    void an_address_under_another_name_of_the_cluster_leaves_that_name() {
        bench.register(master());

        Registered result = bench.register(otherMaster().addr(MASTER_ADDR));

        assertThat(bench.members(BROKER)).isEmpty();
        assertThat(bench.members(OTHER_BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.route("orders"))
                .isEqualTo(route(
                        ORDERS.queuesOn(OTHER_BROKER),
                        new BrokerData(CLUSTER, OTHER_BROKER, addrs(0, MASTER_ADDR), false, "")));
        assertThat(result.notices())
                .containsExactly(new RegistrationNotice(
                        Kind.ADDRESS_TAKEN_OVER, MASTER_ADDR, BROKER + "/0", OTHER_BROKER + "/0"));
    }

    @Test
    void an_address_under_another_name_leaves_the_other_members_of_that_name_alone() {
        bench.register(master());
        bench.register(slave());

        bench.register(otherMaster().addr(MASTER_ADDR));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(1, SLAVE_ADDR));
        assertThat(bench.perm("orders")).contains(6);
    }

    @Test
    void the_same_address_in_another_cluster_is_another_broker() {
        bench.register(master());

        Registered result = bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.members(OTHER_BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(result.notices()).isEmpty();
    }

    @Test
    void a_registration_over_a_new_connection_belongs_to_that_one() {
        bench.register(master(), CONNECTION);
        bench.register(master(), OTHER_CONNECTION);

        bench.routes.connectionClosed(CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    // ---- flag and zone of the group

    @Test
    void flag_and_zone_of_a_group_are_those_of_its_smallest_id() {
        bench.register(slave().acting().zone("z1"));
        bench.register(master().zone("z0"));

        bench.register(slave().acting().zone("z1"));

        assertThat(bench.route("orders").brokerDatas())
                .containsExactly(new BrokerData(CLUSTER, BROKER, addrs(0, MASTER_ADDR, 1, SLAVE_ADDR), false, "z0"));
    }

    @Test
    void a_group_that_loses_its_smallest_id_takes_flag_and_zone_of_the_next() {
        bench.register(master().zone("z0"));
        bench.register(slave().acting().zone("z1"));

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.route("orders").brokerDatas())
                .containsExactly(new BrokerData(CLUSTER, BROKER, addrs(1, SLAVE_ADDR), true, "z1"));
    }

    @Test
    void a_broker_of_4_x_has_acting_master_off() {
        bench.register(master().acting());

        bench.register(master().old());

        assertThat(bench.route("orders").brokerDatas()).containsExactly(group(addrs(0, MASTER_ADDR)));
    }

    // ---- refusals

    @Test
    void a_smaller_state_version_of_another_address_is_refused_and_leaves_no_trace() {
        bench.register(master().version(stateVersion(2)));
        Picture before = bench.picture();

        RegisterBrokerResult result =
                bench.offer(master().addr(THIRD_ADDR).acting().zone("z").version(stateVersion(1)));

        assertThat(result).isEqualTo(new StaleStateVersion(MASTER_ADDR, 2, 1));
        assertThat(bench.picture()).isEqualTo(before);
        assertThat(bench.routes.signOfLife(CLUSTER, THIRD_ADDR).isKnown()).isFalse();
    }

    @Test
    void a_refused_address_keeps_its_row_under_another_id() {
        bench.register(master().version(stateVersion(2)), CONNECTION);
        bench.register(slave().version(stateVersion(1)), CONNECTION);

        RegisterBrokerResult result = bench.offer(slave().id(0).version(stateVersion(1)));

        assertThat(result).isEqualTo(new StaleStateVersion(MASTER_ADDR, 2, 1));
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR));
        assertThat(bench.routes.signOfLife(CLUSTER, SLAVE_ADDR).isKnown()).isTrue();
    }

    @Test
    void the_end_of_a_refused_connection_takes_nobody_away() {
        bench.register(master().version(stateVersion(2)), CONNECTION);
        bench.register(slave().version(stateVersion(1)), CONNECTION);
        bench.offer(slave().id(0).version(stateVersion(1)));

        bench.routes.connectionClosed(OTHER_CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR));
    }

    @Test
    void a_single_topic_of_an_unknown_broker_is_refused_and_leaves_no_trace() {
        Picture before = bench.picture();

        RegisterBrokerResult result = bench.offer(master().topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void a_single_topic_of_an_unknown_id_is_refused_and_leaves_its_group_as_it_was() {
        bench.register(master().acting().zone("z0"));
        Picture before = bench.picture();

        RegisterBrokerResult result = bench.offer(slave().zone("z1").topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void a_single_topic_of_a_broker_of_4_x_is_refused_too() {
        RegisterBrokerResult result = bench.offer(master().old().topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
    }

    @Test
    void a_single_topic_that_breaks_a_rule_counts() {
        RegisterBrokerResult result = bench.offer(master().topics().skipped("bad topic"));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
    }

    @Test
    void a_topic_beside_one_that_breaks_a_rule_is_not_single() {
        bench.register(master().topics(ORDERS).skipped("bad topic"));

        assertThat(bench.topics()).containsExactly("orders");
    }

    @Test
    void a_refused_cluster_move_leaves_both_clusters_as_they_were() {
        bench.register(master());
        bench.register(otherMaster().cluster(OTHER_CLUSTER));
        Picture before = bench.picture();

        RegisterBrokerResult result = bench.offer(slave().cluster(OTHER_CLUSTER).topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void a_role_switch_with_a_single_topic_is_refused_and_keeps_the_former_id() {
        bench.register(slave());
        Picture before = bench.picture();

        RegisterBrokerResult result = bench.offer(slave().id(0).topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
        assertThat(bench.picture()).isEqualTo(before);
    }

    @Test
    void an_address_of_another_name_is_not_taken_by_a_refused_registration() {
        bench.register(master());
        Picture before = bench.picture();

        RegisterBrokerResult result =
                bench.offer(otherMaster().addr(MASTER_ADDR).topics(ORDERS));

        assertThat(result).isEqualTo(new SingleTopicOfUnknownBroker());
        assertThat(bench.picture()).isEqualTo(before);
    }

    // ---- what a slave is told

    @Test
    void a_slave_is_told_its_master_and_where_to_replicate_from() {
        bench.register(master().haServerAddr("10.0.0.1:10912"));

        Registered result = bench.register(slave());

        assertThat(result.master()).contains(new Master(MASTER_ADDR, "10.0.0.1:10912"));
    }

    @Test
    void a_master_that_announced_no_replication_address_has_none() {
        bench.register(master());

        Registered result = bench.register(slave());

        assertThat(result.master()).contains(new Master(MASTER_ADDR, ""));
    }

    @Test
    void a_master_is_told_of_no_master() {
        bench.register(slave());

        Registered result = bench.register(master().haServerAddr("10.0.0.1:10912"));

        assertThat(result.master()).isEmpty();
    }

    @Test
    void a_slave_whose_master_left_is_told_of_none() {
        bench.register(master());
        bench.register(slave());
        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        Registered result = bench.register(slave());

        assertThat(result.master()).isEmpty();
    }

    // ---- a group remembered from before a restart

    @Test
    void a_member_not_confirmed_since_a_restart_does_not_hold_its_id_against_another() {
        RouteTables tables = withProvisionalMaster();

        RegisterBrokerResult result = BrokerRegistration.apply(
                tables,
                TableLimits.NONE,
                new OfferedTopics(
                        master().addr(THIRD_ADDR).version(stateVersion(1)).build()),
                CONNECTION,
                0,
                false,
                Optional.empty());

        assertThat(result).isInstanceOf(Registered.class);
        assertThat(RouteInvariants.violations(tables)).isEmpty();
    }

    @Test
    void a_master_not_confirmed_since_a_restart_is_nobody_to_replicate_from() {
        RouteTables tables = withProvisionalMaster();

        RegisterBrokerResult result = BrokerRegistration.apply(
                tables, TableLimits.NONE, new OfferedTopics(slave().build()), CONNECTION, 0, false, Optional.empty());

        assertThat(result)
                .isInstanceOfSatisfying(
                        Registered.class,
                        registered -> assertThat(registered.master()).isEqualTo(Optional.empty()));
    }

    private static RouteTables withProvisionalMaster() {
        RouteTables tables = new RouteTables();
        BrokerRegistration.apply(
                tables,
                TableLimits.NONE,
                new OfferedTopics(master().version(stateVersion(2)).build()),
                CONNECTION,
                0,
                false,
                Optional.empty());
        tables.brokerLiveTable.replaceAll((key, row) -> provisional(row));
        return tables;
    }

    private static BrokerLiveInfo provisional(BrokerLiveInfo row) {
        return new BrokerLiveInfo(
                row.clusterName(),
                row.brokerName(),
                row.brokerId(),
                row.brokerAddr(),
                row.haServerAddr(),
                row.enableActingMaster(),
                row.zoneName(),
                row.dataVersion(),
                row.lastSeen(),
                row.timeoutMillis(),
                row.connection(),
                row.registration(),
                BrokerStatus.PROVISIONAL,
                0);
    }
}
