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
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.VERSION;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.liveRow;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.Picture;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Brokers that unregister, whose connection ends, or that fall silent. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class BrokerDepartureTest {
    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    // ---- unregister

    @Test
    void the_last_member_takes_group_cluster_topics_and_mappings_along() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)).filterServers("10.0.0.1:1"));

        DepartureReport report = bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(keys(report)).containsExactly(new BrokerAddrInfo(CLUSTER, MASTER_ADDR));
        assertThat(report.change().cause()).isEqualTo(Cause.UNREGISTER);
        assertThat(report.change().peer()).contains(CONNECTION);
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
        assertThat(bench.routes.pickupTopicRouteData("orders", false)).isEmpty();
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).isEmpty();
    }

    @Test
    void queues_of_other_brokers_stay_in_a_topic() {
        bench.register(master());
        bench.register(otherMaster());

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.route("orders").queueDatas()).containsExactly(ORDERS.queuesOn(OTHER_BROKER));
    }

    @Test
    void a_group_without_its_master_keeps_its_topics_and_their_permission() {
        bench.register(master());
        bench.register(slave());

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(1, SLAVE_ADDR));
        assertThat(bench.perm("orders")).contains(6);
    }

    @Test
    void a_group_that_may_have_an_acting_master_is_shown_without_the_write_bit_once_its_master_left() {
        bench.register(master().acting());
        bench.register(slave().acting());

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.perm("orders")).contains(4);
    }

    @ParameterizedTest
    @CsvSource({
        "cluster-2, broker-a, 10.0.0.1:10911",
        "cluster-1, broker-b, 10.0.0.1:10911",
        "cluster-1, broker-a, 10.0.0.9:10911",
        "cluster-1, broker-b, 10.0.0.3:10911",
        "nowhere, nobody, nothing"
    })
    void an_unregister_that_does_not_match_a_member_does_nothing(String cluster, String brokerName, String addr) {
        bench.register(master());
        bench.register(otherMaster().cluster(OTHER_CLUSTER));
        Picture before = bench.picture();

        DepartureReport report = bench.routes.unregisterBroker(cluster, brokerName, addr, CONNECTION);

        assertThat(report)
                .isEqualTo(new DepartureReport(
                        new RouteChange(before.version(), Cause.UNREGISTER, Optional.of(CONNECTION), List.of()),
                        List.of(),
                        List.of(),
                        List.of()));
        assertThat(bench.picture()).isEqualTo(before);
    }

    /** A late unregister of a node that was replaced under its id must not take its successor away. */
    @Test
    void a_late_unregister_of_a_replaced_address_leaves_its_successor() {
        bench.register(master());
        bench.register(master().addr(THIRD_ADDR));

        bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, THIRD_ADDR));
    }

    @Test
    void an_unregister_may_come_over_another_connection_than_the_registration() {
        bench.register(master(), CONNECTION);

        DepartureReport report = bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, OTHER_CONNECTION);

        assertThat(keys(report)).containsExactly(new BrokerAddrInfo(CLUSTER, MASTER_ADDR));
        assertThat(report.change().peer()).contains(OTHER_CONNECTION);
    }

    // ---- the end of a connection

    @Test
    void the_end_of_a_connection_takes_all_its_brokers_away() {
        bench.register(master(), CONNECTION);
        bench.register(otherMaster(), CONNECTION);
        bench.register(slave(), OTHER_CONNECTION);

        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(keys(report))
                .containsExactlyInAnyOrder(
                        new BrokerAddrInfo(CLUSTER, MASTER_ADDR), new BrokerAddrInfo(CLUSTER, THIRD_ADDR));
        assertThat(report.change().cause()).isEqualTo(Cause.CONNECTION_CLOSED);
        assertThat(report.change().peer()).contains(CONNECTION);
        assertThat(bench.members(BROKER)).isEqualTo(addrs(1, SLAVE_ADDR));
        assertThat(bench.members(OTHER_BROKER)).isEmpty();
    }

    @Test
    void a_broker_that_registered_again_elsewhere_outlives_its_former_connection() {
        bench.register(master(), CONNECTION);
        bench.register(otherMaster(), CONNECTION);
        bench.register(master(), OTHER_CONNECTION);

        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(keys(report)).containsExactly(new BrokerAddrInfo(CLUSTER, THIRD_ADDR));
        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    @Test
    void a_broker_leaves_with_the_connection_of_its_latest_registration() {
        bench.register(master(), CONNECTION);
        bench.register(master(), OTHER_CONNECTION);

        bench.routes.connectionClosed(OTHER_CONNECTION);

        assertThat(bench.members(BROKER)).isEmpty();
    }

    @Test
    void heartbeats_do_not_move_a_broker_to_another_connection() {
        bench.register(master(), CONNECTION);
        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown();
        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion();

        bench.routes.connectionClosed(CONNECTION);

        assertThat(bench.members(BROKER)).isEmpty();
    }

    @Test
    void the_end_of_a_clients_connection_does_nothing() {
        bench.register(master(), CONNECTION);
        Picture before = bench.picture();

        DepartureReport report = bench.routes.connectionClosed(OTHER_CONNECTION);

        assertThat(report.brokers()).isEmpty();
        assertThat(report.orphans()).isEmpty();
        assertThat(bench.picture()).isEqualTo(before);
    }

    // ---- silence

    @Test
    void a_broker_silent_for_its_timeout_stays_and_a_millisecond_later_leaves() {
        bench.register(master().timeoutMillis(8_000));

        bench.ticker.advance(8_000);
        DepartureReport atTimeout = bench.routes.scanNotActiveBroker(1).departed();
        bench.ticker.advance(1);
        DepartureReport after = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(atTimeout)
                .isEqualTo(new DepartureReport(
                        new RouteChange(1, Cause.EXPIRED, Optional.empty(), List.of()),
                        List.of(),
                        List.of(),
                        List.of()));
        assertThat(keys(after)).containsExactly(new BrokerAddrInfo(CLUSTER, MASTER_ADDR));
        assertThat(after.change().cause()).isEqualTo(Cause.EXPIRED);
        assertThat(after.change().peer()).isEmpty();
        assertThat(after.change().version()).isEqualTo(2);
    }

    @Test
    void each_broker_has_its_own_timeout() {
        bench.register(master().timeoutMillis(8_000));
        bench.register(slave().timeoutMillis(120_000));
        bench.ticker.advance(9_700);

        bench.routes.scanNotActiveBroker(1).departed();

        assertThat(bench.members(BROKER)).isEqualTo(addrs(1, SLAVE_ADDR));
    }

    @Test
    void the_timeout_is_that_of_the_latest_registration() {
        bench.register(master().timeoutMillis(8_000));
        bench.register(master().timeoutMillis(120_000));
        bench.ticker.advance(9_000);

        bench.routes.scanNotActiveBroker(1).departed();

        assertThat(bench.members(BROKER)).isEqualTo(addrs(0, MASTER_ADDR));
    }

    @ParameterizedTest
    @CsvSource({"register", "heartbeat", "query"})
    void each_sign_of_life_renews(String sign) {
        bench.register(master().timeoutMillis(8_000));
        bench.ticker.advance(8_000);
        switch (sign) {
            case "register" -> bench.register(master().timeoutMillis(8_000));
            case "heartbeat" ->
                assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown())
                        .isTrue();
            default ->
                assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion())
                        .contains(VERSION);
        }
        bench.ticker.advance(8_000);

        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(report.brokers()).isEmpty();
    }

    @Test
    void a_refused_registration_is_no_sign_of_life() {
        bench.register(slave().timeoutMillis(8_000));
        bench.ticker.advance(8_000);
        bench.offer(slave().id(0).topics(ORDERS));
        bench.ticker.advance(1);

        bench.routes.scanNotActiveBroker(1).departed();

        assertThat(bench.members(BROKER)).isEmpty();
    }

    @Test
    void silence_is_judged_by_the_difference_of_two_readings() {
        BrokerLiveInfo seenBeforeTheWrap = liveRow(master().timeoutMillis(8_000).build(), Long.MAX_VALUE - 1_000);
        BrokerLiveInfo neverExpires =
                liveRow(master().timeoutMillis(Long.MAX_VALUE).build(), 1_000);

        assertThat(EvictionPolicy.expired(seenBeforeTheWrap, at(Long.MIN_VALUE + 6_999)))
                .isFalse();
        assertThat(EvictionPolicy.expired(seenBeforeTheWrap, at(Long.MIN_VALUE + 7_000)))
                .isTrue();
        assertThat(EvictionPolicy.expired(neverExpires, at(1_000_000))).isFalse();
        PauseClock.Reading longAfterPause = new PauseClock.Reading(1_000_000, 1, 1_000, 6_000);
        assertThat(EvictionPolicy.expired(neverExpires, longAfterPause)).isFalse();
    }

    private static PauseClock.Reading at(long now) {
        return new PauseClock.Reading(now, 0, 0, 0);
    }

    // ---- connections to close

    @Test
    void a_connection_whose_brokers_all_expired_is_an_orphan() {
        bench.register(master().timeoutMillis(8_000), CONNECTION);
        bench.register(otherMaster().timeoutMillis(8_000), CONNECTION);
        bench.register(slave().timeoutMillis(8_000), OTHER_CONNECTION);
        bench.ticker.advance(8_001);

        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(report.orphans()).containsExactlyInAnyOrder(CONNECTION, OTHER_CONNECTION);
    }

    @Test
    void a_connection_that_carries_a_live_broker_is_no_orphan() {
        bench.register(master().timeoutMillis(8_000), CONNECTION);
        bench.register(otherMaster(), CONNECTION);
        bench.ticker.advance(8_001);

        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(keys(report)).containsExactly(new BrokerAddrInfo(CLUSTER, MASTER_ADDR));
        assertThat(report.orphans()).isEmpty();
    }

    @Test
    void the_connections_of_brokers_that_left_are_forgotten() {
        RouteTables tables = new RouteTables();
        for (long number = 1; number <= 3; number++) {
            BrokerRegistration.apply(
                    tables,
                    TableLimits.NONE,
                    new OfferedTopics(master().build()),
                    new ConnectionId(number),
                    0,
                    false,
                    Optional.empty());
        }

        BrokerRemoval.apply(tables, tables.liveOf(new ConnectionId(3)), Cause.CONNECTION_CLOSED, Optional.empty());

        assertThat(tables.brokersOfConnection).isEmpty();
        assertThat(tables.topicQueueTable.brokerNames()).isEmpty();
        assertThat(tables.mappedTopicsOfBroker).isEmpty();
    }

    // ---- questions

    @Test
    void a_heartbeat_of_an_unknown_broker_leaves_it_unknown() {
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown()).isFalse();
        assertThat(bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).isEmpty();
        assertThat(bench.routes.sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @Test
    void a_heartbeat_under_another_cluster_is_that_of_another_broker() {
        bench.register(master());

        assertThat(bench.routes.signOfLife(OTHER_CLUSTER, MASTER_ADDR).isKnown())
                .isFalse();
        assertThat(bench.routes.signOfLife(OTHER_CLUSTER, MASTER_ADDR).dataVersion())
                .isEmpty();
    }

    private static Set<BrokerAddrInfo> keys(DepartureReport report) {
        return report.brokers().stream().map(BrokerLiveInfo::key).collect(Collectors.toSet());
    }
}
