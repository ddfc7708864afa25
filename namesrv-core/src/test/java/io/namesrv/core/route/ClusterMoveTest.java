package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.NEXT_VERSION;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.VERSION;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.route.Fixtures.Bench;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A broker name lies in one cluster: that of its latest registration. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterMoveTest {
    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    @Test
    void a_group_moves_as_a_whole_to_the_cluster_of_its_latest_registration() {
        bench.register(master());
        bench.register(slave());

        Registered result = bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.routes.clusterInfo()).isEqualTo(oneGroup(OTHER_CLUSTER, addrs(0, MASTER_ADDR, 1, SLAVE_ADDR)));
        assertThat(bench.routes.signOfLife(CLUSTER, SLAVE_ADDR).isKnown()).isFalse();
        assertThat(bench.routes.signOfLife(OTHER_CLUSTER, SLAVE_ADDR).dataVersion())
                .contains(VERSION);
        assertThat(result.first()).isFalse();
        assertThat(result.notices())
                .containsExactly(new RegistrationNotice(Kind.GROUP_MOVED, BROKER, CLUSTER, OTHER_CLUSTER));
    }

    @Test
    void a_cluster_that_a_group_leaves_keeps_its_other_groups() {
        bench.register(master());
        bench.register(otherMaster());

        bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.routes.clusterInfo().clusterAddrTable())
                .isEqualTo(new TreeMap<>(Map.of(
                        CLUSTER, new TreeSet<>(List.of(OTHER_BROKER)), OTHER_CLUSTER, new TreeSet<>(List.of(BROKER)))));
    }

    @Test
    void topics_and_a_wiped_permission_move_along() {
        bench.register(master());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.routes.topicsByCluster(OTHER_CLUSTER)).containsExactlyInAnyOrder("orders", "TBW102");
        assertThat(bench.routes.topicsByCluster(CLUSTER)).isEmpty();
        assertThat(bench.perm("orders")).contains(4);
    }

    @Test
    void filter_servers_move_along() {
        bench.register(master().filterServers("10.0.0.1:1"));
        bench.register(slave().filterServers("10.0.0.2:1"));

        bench.register(master().cluster(OTHER_CLUSTER).filterServers(FilterServers.UNSTATED));

        assertThat(bench.route("orders").filterServerTable())
                .isEqualTo(Map.of(MASTER_ADDR, List.of("10.0.0.1:1"), SLAVE_ADDR, List.of("10.0.0.2:1")));
    }

    @Test
    void a_move_to_a_new_address_takes_the_id_over_in_the_former_cluster() {
        bench.register(master());

        Registered result = bench.register(master().cluster(OTHER_CLUSTER).addr(THIRD_ADDR));

        assertThat(bench.routes.clusterInfo()).isEqualTo(oneGroup(OTHER_CLUSTER, addrs(0, THIRD_ADDR)));
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown()).isFalse();
        assertThat(result.notices())
                .containsExactly(
                        new RegistrationNotice(Kind.ID_TAKEN_OVER, BROKER + "/0", MASTER_ADDR, THIRD_ADDR),
                        new RegistrationNotice(Kind.GROUP_MOVED, BROKER, CLUSTER, OTHER_CLUSTER));
    }

    @Test
    void a_moved_member_that_unregisters_under_the_former_cluster_is_left_alone() {
        bench.register(master());
        bench.register(slave());
        bench.register(master().cluster(OTHER_CLUSTER));

        DepartureReport report = bench.routes.unregisterBroker(CLUSTER, BROKER, SLAVE_ADDR, CONNECTION);

        assertThat(report.brokers()).isEmpty();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR));
    }

    @Test
    void a_moved_member_leaves_when_its_own_connection_ends() {
        bench.register(master(), CONNECTION);
        bench.register(slave(), OTHER_CONNECTION);
        bench.register(master().cluster(OTHER_CLUSTER), CONNECTION);

        bench.routes.connectionClosed(OTHER_CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    @Test
    void a_moved_member_expires_by_its_own_silence() {
        bench.register(slave().timeoutMillis(10_000));
        bench.ticker.advance(9_000);
        bench.register(master().cluster(OTHER_CLUSTER).timeoutMillis(10_000));
        bench.ticker.advance(2_000);

        bench.routes.scanNotActiveBroker(1).departed();

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    // ---- addresses that are taken in the new cluster

    @Test
    void the_address_that_registers_is_taken_from_another_name_in_the_new_cluster() {
        bench.register(master());
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        Registered result = bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.routes.clusterInfo()).isEqualTo(oneGroup(OTHER_CLUSTER, addrs(0, MASTER_ADDR)));
        assertThat(bench.perm("orders")).contains(4);
        assertThat(result.first()).isFalse();
        assertThat(result.notices())
                .containsExactly(
                        new RegistrationNotice(
                                Kind.ADDRESS_TAKEN_OVER, MASTER_ADDR, OTHER_BROKER + "/0", BROKER + "/0"),
                        new RegistrationNotice(Kind.GROUP_MOVED, BROKER, CLUSTER, OTHER_CLUSTER));
    }

    /** The decision that a single topic may come must hold while the group moves: its other topics stay. */
    @Test
    void a_single_topic_that_comes_with_a_move_does_not_stand_for_all_topics() {
        bench.register(master());
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        bench.register(master().cluster(OTHER_CLUSTER).topics(topic("new")).version(NEXT_VERSION));

        assertThat(bench.topics()).containsExactly("TBW102", "new", "orders");
    }

    @Test
    void a_group_whose_replaced_address_is_taken_in_the_new_cluster_keeps_its_topics() {
        bench.register(master());
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        Registered result = bench.register(master().cluster(OTHER_CLUSTER)
                .addr(SLAVE_ADDR)
                .topics(topic("new"))
                .version(NEXT_VERSION));

        assertThat(result.first()).isFalse();
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, SLAVE_ADDR));
        assertThat(bench.members(OTHER_BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.perm("orders")).contains(6);
    }

    @Test
    void a_member_that_comes_along_loses_to_a_later_registration_of_its_address() {
        bench.register(master());
        bench.register(slave());
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(SLAVE_ADDR));

        Registered result = bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
        assertThat(bench.members(OTHER_BROKER)).isEqualTo(addrs(0, SLAVE_ADDR));
        assertThat(result.notices())
                .containsExactly(
                        new RegistrationNotice(Kind.ADDRESS_TAKEN_OVER, SLAVE_ADDR, BROKER + "/1", OTHER_BROKER + "/0"),
                        new RegistrationNotice(Kind.GROUP_MOVED, BROKER, CLUSTER, OTHER_CLUSTER));
    }

    @Test
    void a_member_that_comes_along_wins_against_an_earlier_registration_of_its_address() {
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(SLAVE_ADDR));
        bench.register(master());
        bench.register(slave());

        bench.register(master().cluster(OTHER_CLUSTER));

        assertThat(bench.routes.clusterInfo()).isEqualTo(oneGroup(OTHER_CLUSTER, addrs(0, MASTER_ADDR, 1, SLAVE_ADDR)));
    }

    // ---- whom to tell

    @Test
    void a_smallest_id_that_is_replaced_while_its_group_moves_is_no_change() {
        bench.register(master().acting());
        bench.register(slave().acting());
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        Registered result =
                bench.register(master().acting().cluster(OTHER_CLUSTER).addr(THIRD_ADDR));

        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_smallest_id_that_does_not_come_along_is_a_departure() {
        bench.register(master().acting());
        bench.register(slave().acting());
        bench.register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));

        Registered result = bench.register(slave().acting().cluster(OTHER_CLUSTER));

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 1, SLAVE_ADDR, Optional.empty(), Optional.of(MASTER_ADDR), List.of(SLAVE_ADDR)));
    }

    /** Both members of broker-a lose their address in one step: to the registration, and to a member that it moves. */
    @Test
    void a_group_that_is_gone_at_the_end_of_the_step_is_not_told() {
        bench.register(master().acting());
        bench.register(slave().acting());
        bench.register(otherMaster().id(1).cluster(OTHER_CLUSTER).addr(SLAVE_ADDR));

        Registered result = bench.register(otherMaster().addr(MASTER_ADDR));

        assertThat(bench.members(BROKER)).isEmpty();
        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    private static ClusterInfo oneGroup(String cluster, SortedMap<Long, String> members) {
        return new ClusterInfo(
                new TreeMap<>(Map.of(BROKER, new BrokerData(cluster, BROKER, members, false, ""))),
                new TreeMap<>(Map.of(cluster, new TreeSet<>(List.of(BROKER)))));
    }
}
