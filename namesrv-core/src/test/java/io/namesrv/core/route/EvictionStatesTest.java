package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.ScanReport;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a broker that falls silent, scan by scan, and what is seen of it meanwhile. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EvictionStatesTest {
    private static final long TIMEOUT = 120_000;
    private static final long INTERVAL = 5_000;

    private final Bench bench = new Bench();

    // ---- the table

    @ParameterizedTest
    @CsvSource({
        "1, REMOVED",
        "2, NOT_AVAILABLE REMOVED",
        "3, SUSPECT NOT_AVAILABLE REMOVED",
    })
    void each_miss_takes_a_silent_broker_one_step_further(int evictionMisses, String states) {
        bench.register(master());
        bench.ticker.advance(TIMEOUT);
        assertThat(scan(evictionMisses)).isEqualTo("-");
        bench.ticker.advance(1);

        for (String expected : List.of(states.split(" ", -1))) {
            assertThat(scan(evictionMisses)).isEqualTo(expected);
            assertThat(bench.routes.invariantViolations()).isEmpty();
            bench.ticker.advance(INTERVAL);
        }

        assertThat(bench.routes.clusterInfo().brokerAddrTable()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "3, 2"})
    void a_sign_of_life_at_any_stage_makes_it_alive_and_the_misses_count_anew(int evictionMisses, int stage) {
        bench.register(master());
        Optional<?> route = bench.routes.pickupTopicRouteData("orders", false);
        missTimes(stage, evictionMisses);

        SignOfLife sign = bench.routes.signOfLife(CLUSTER, MASTER_ADDR);

        assertThat(sign.change().cause()).isEqualTo(Cause.RECOVERED);
        assertThat(sign.change().edits())
                .singleElement()
                .satisfies(edit -> assertThat(
                                ((MemberEdit) edit).after().orElseThrow().state())
                        .isEqualTo(BrokerStatus.ALIVE));
        assertThat(bench.routes.pickupTopicRouteData("orders", false)).isEqualTo(route);
        bench.ticker.advance(TIMEOUT + 1);
        assertThat(scan(evictionMisses)).isEqualTo(evictionMisses == 2 ? "NOT_AVAILABLE" : "SUSPECT");
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "3, 2"})
    void so_does_a_registration(int evictionMisses, int stage) {
        bench.register(master());
        Optional<?> route = bench.routes.pickupTopicRouteData("orders", false);
        missTimes(stage, evictionMisses);

        bench.register(master());

        assertThat(bench.routes.pickupTopicRouteData("orders", false)).isEqualTo(route);
        assertThat(scan(evictionMisses)).isEqualTo("-");
    }

    @Test
    void fewer_misses_set_at_run_time_take_effect_at_the_next_scan() {
        bench.register(master());
        missTimes(1, 3);

        assertThat(scan(1)).isEqualTo("REMOVED");
    }

    @Test
    void more_misses_set_at_run_time_bring_a_hidden_broker_no_further_than_its_misses() {
        bench.register(master());
        missTimes(1, 2);

        assertThat(scan(3)).isEqualTo("NOT_AVAILABLE");
        assertThat(scan(3)).isEqualTo("REMOVED");
    }

    @Test
    void a_connection_that_ends_removes_its_brokers_at_every_stage() {
        bench.register(master());
        missTimes(1, 3);

        assertThat(bench.routes.connectionClosed(CONNECTION).brokers()).hasSize(1);
    }

    @Test
    void a_broker_is_judged_by_its_own_timeout() {
        bench.register(master().timeoutMillis(10_000));
        bench.register(otherMaster());
        bench.ticker.advance(10_001);

        assertThat(scan(2)).isEqualTo("NOT_AVAILABLE");
        assertThat(scan(2)).isEqualTo("REMOVED");
        assertThat(bench.routes.clusterInfo().brokerAddrTable()).containsOnlyKeys(OTHER_BROKER);
    }

    // ---- what is seen of a broker that is not available

    @Test
    void a_suspect_is_seen_as_ever() {
        bench.register(master());
        Optional<?> route = bench.routes.pickupTopicRouteData("orders", false);
        long version = bench.routes.version();

        missTimes(1, 3);

        assertThat(bench.routes.pickupTopicRouteData("orders", false)).isEqualTo(route);
        assertThat(members()).containsExactly(MASTER_ADDR);
        assertThat(bench.routes.version()).isEqualTo(version + 1);
    }

    @Test
    void a_group_without_an_available_member_is_left_out_of_routes_with_its_queues() {
        bench.register(master().topics(ORDERS, topic("alone")).timeoutMillis(10_000));
        bench.register(otherMaster());
        bench.ticker.advance(10_001);
        scan(2);

        assertThat(bench.routes.pickupTopicRouteData("alone", true)).isEmpty();
        assertThat(bench.routes.pickupTopicRouteData("orders", true)).hasValueSatisfying(route -> {
            assertThat(route.brokerDatas()).extracting(BrokerData::brokerName).containsExactly(OTHER_BROKER);
            assertThat(route.queueDatas())
                    .extracting(queue -> queue.brokerName())
                    .containsExactly(OTHER_BROKER);
        });
    }

    @Test
    void lists_show_it_and_write_permissions_are_set_on_it() {
        bench.register(master());
        missTimes(1, 2);

        assertThat(bench.routes.clusterInfo().brokerAddrTable()).containsOnlyKeys(BROKER);
        assertThat(bench.routes.allTopicList()).contains("orders");
        assertThat(bench.routes.topicsByCluster(CLUSTER)).contains("orders");
        assertThat(bench.routes.wipeWritePermOfBroker(BROKER, CONNECTION).topics())
                .isEqualTo(2);
        assertThat(bench.routes.addWritePermOfBroker(BROKER, CONNECTION).topics())
                .isEqualTo(2);
    }

    @Test
    void a_slave_stands_in_for_a_master_that_is_not_available_as_if_it_had_left() {
        bench.register(actingMaster().timeoutMillis(10_000));
        bench.register(slaveOne());
        bench.ticker.advance(10_001);
        scan(2);

        assertThat(bench.routes.pickupTopicRouteData("orders", true)).hasValueSatisfying(route -> {
            assertThat(route.brokerDatas().get(0).brokerAddrs()).isEqualTo(new TreeMap<>(Map.of(0L, SLAVE_ADDR)));
            assertThat(route.queueDatas().get(0).perm() & 2).isZero();
        });
        assertThat(members()).containsExactly(SLAVE_ADDR);

        bench.routes.signOfLife(CLUSTER, MASTER_ADDR);

        assertThat(bench.routes.pickupTopicRouteData("orders", true)).hasValueSatisfying(route -> {
            assertThat(route.brokerDatas().get(0).brokerAddrs()).containsOnlyKeys(0L, 1L);
            assertThat(route.queueDatas().get(0).perm() & 2).isEqualTo(2);
        });
    }

    @Test
    void a_slave_is_not_told_of_a_master_that_is_not_available() {
        bench.register(master().timeoutMillis(10_000));
        assertThat(bench.register(slave()).master()).isPresent();
        bench.ticker.advance(10_001);
        scan(2);

        assertThat(bench.register(slave()).master()).isEmpty();
    }

    @Test
    void a_smallest_id_that_is_not_available_is_told_once_and_once_more_when_it_is_back() {
        bench.register(actingMaster().timeoutMillis(10_000));
        bench.register(slaveOne());
        bench.ticker.advance(10_001);

        ScanReport hidden = bench.routes.scanNotActiveBroker(3);
        ScanReport told = bench.routes.scanNotActiveBroker(3);
        SignOfLife back = bench.routes.signOfLife(CLUSTER, MASTER_ADDR);

        assertThat(hidden.departed().minBrokerIdChanges()).isEmpty();
        assertThat(told.departed().minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 1, SLAVE_ADDR, Optional.empty(), Optional.of(MASTER_ADDR), List.of(SLAVE_ADDR)));
        assertThat(back.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 0, MASTER_ADDR, Optional.of("10.0.0.1:10912"), Optional.empty(), List.of(SLAVE_ADDR)));
    }

    @Test
    void its_removal_is_not_told_again() {
        bench.register(actingMaster().timeoutMillis(10_000));
        bench.register(slaveOne());
        bench.ticker.advance(10_001);
        bench.routes.scanNotActiveBroker(2);

        ScanReport removed = bench.routes.scanNotActiveBroker(2);

        assertThat(removed.departed().brokers()).hasSize(1);
        assertThat(removed.departed().minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_registration_that_brings_it_back_is_told_like_an_arrival() {
        bench.register(actingMaster().timeoutMillis(10_000));
        bench.register(slaveOne());
        bench.ticker.advance(10_001);
        bench.routes.scanNotActiveBroker(2);

        Registered result = bench.register(actingMaster());

        assertThat(result.minBrokerIdChanges())
                .extracting(MinBrokerIdChange::minBrokerId)
                .containsExactly(0L);
    }

    private static RegistrationBuilder slaveOne() {
        return slave().acting();
    }

    private static RegistrationBuilder actingMaster() {
        return master().acting().haServerAddr("10.0.0.1:10912");
    }

    private List<String> members() {
        return List.copyOf(
                bench.routes.brokerMemberGroup(CLUSTER, BROKER).brokerAddrs().values());
    }

    private void missTimes(int times, int evictionMisses) {
        bench.ticker.advance(TIMEOUT + 1);
        for (int i = 0; i < times; i++) {
            scan(evictionMisses);
        }
    }

    /** What a scan did to the one broker that is silent. */
    private String scan(int evictionMisses) {
        ScanReport report = bench.routes.scanNotActiveBroker(evictionMisses);
        if (!report.departed().brokers().isEmpty()) {
            return "REMOVED";
        }
        return report.silent().stream()
                .map(BrokerLiveInfo::state)
                .map(BrokerStatus::name)
                .findFirst()
                .orElse("-");
    }
}
