package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.VERSION;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.TableLimits;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a pause of this process does to its brokers: nothing, if they live. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class PauseTest {
    private static final String MEMBERS_TOPIC = TopicRouteQuery.SYNC_BROKER_MEMBER_PREFIX + BROKER;

    private final FakeTicker ticker = new FakeTicker();
    private final PauseClock clock = new PauseClock(ticker);
    private final RouteInfoManager routes = new RouteInfoManager(clock, TableLimits.NONE);

    @BeforeEach
    void start() {
        clock.tick();
    }

    @Test
    void nobody_is_evicted_for_the_time_of_a_pause_and_the_dead_leave_a_grace_later() {
        routes.registerBroker(master().build(), CONNECTION, false);
        run(100_000);
        pause(150_000);

        run(30_000 + 20_000);
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        run(1);

        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).hasSize(1);
    }

    @Test
    void in_the_grace_nobody_is_evicted_however_short_its_timeout() {
        routes.registerBroker(master().timeoutMillis(1_000).build(), CONNECTION, false);
        pause(6_000);
        run(1_000);
        routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown();

        run(29_000);
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        run(1);

        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).hasSize(1);
    }

    @Test
    void a_connection_that_ends_before_the_next_tick_does_not_take_its_brokers_along() {
        routes.registerBroker(master().build(), CONNECTION, false);
        ticker.advance(6_000);

        DepartureReport report = routes.connectionClosed(CONNECTION);

        assertThat(report.brokers()).isEmpty();
        assertThat(report.orphans()).isEmpty();
        assertThat(report.minBrokerIdChanges()).isEmpty();
        assertThat(report.change().edits()).hasSize(1);
        assertThat(routes.pickupTopicRouteData("orders", false)).isPresent();
        assertThat(routes.clusterInfo().brokerAddrTable()).containsKey(BROKER);
    }

    @Test
    void a_provisional_broker_leaves_when_the_grace_ends() {
        routes.registerBroker(master().build(), CONNECTION, false);
        pause(6_000);
        run(20_000);
        routes.connectionClosed(CONNECTION);

        run(10_000);
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        run(1);

        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).hasSize(1);
        assertThat(routes.sizes().brokers()).isZero();
    }

    @Test
    void one_that_registers_again_is_alive_and_leaves_with_its_new_connection_alone() {
        routes.registerBroker(master().build(), CONNECTION, false);
        pause(6_000);
        routes.connectionClosed(CONNECTION);

        Registered back = (Registered) routes.registerBroker(master().build(), OTHER_CONNECTION, false);
        run(30_001);

        assertThat(back.first()).isFalse();
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        assertThat(routes.connectionClosed(CONNECTION).brokers()).isEmpty();
        assertThat(routes.connectionClosed(OTHER_CONNECTION).brokers()).hasSize(1);
    }

    @Test
    void its_heartbeats_keep_it_until_it_registers_and_not_for_longer_than_they_come() {
        routes.registerBroker(master().build(), CONNECTION, false);
        pause(6_000);
        routes.connectionClosed(CONNECTION);

        run(29_000);
        assertThat(routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown()).isTrue();
        run(30_000);
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        run(1);

        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).hasSize(1);
    }

    @Test
    void one_that_asks_for_its_version_is_told_that_there_is_none_so_that_it_registers() {
        routes.registerBroker(master().build(), CONNECTION, false);
        assertThat(routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).contains(VERSION);
        pause(6_000);
        routes.connectionClosed(CONNECTION);

        assertThat(routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).isEmpty();

        routes.registerBroker(master().build(), OTHER_CONNECTION, false);
        assertThat(routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion()).contains(VERSION);
    }

    @Test
    void replication_is_not_steered_by_a_memory() {
        routes.registerBroker(
                master().topics(topic("orders"), topic(MEMBERS_TOPIC)).build(), CONNECTION, false);
        routes.registerBroker(slave().build(), OTHER_CONNECTION, false);
        pause(6_000);
        routes.connectionClosed(CONNECTION);

        assertThat(routes.brokerMemberGroup(CLUSTER, BROKER).brokerAddrs()).isEqualTo(addrs(1, SLAVE_ADDR));
        assertThat(routes.pickupTopicRouteData(MEMBERS_TOPIC, false)
                        .orElseThrow()
                        .brokerDatas())
                .singleElement()
                .satisfies(group -> assertThat(group.brokerAddrs()).isEqualTo(addrs(1, SLAVE_ADDR)));
        Registered slave = (Registered) routes.registerBroker(slave().build(), OTHER_CONNECTION, false);
        assertThat(slave.master()).isEmpty();

        routes.connectionClosed(OTHER_CONNECTION);
        assertThat(routes.brokerMemberGroup(CLUSTER, BROKER).brokerAddrs()).isEmpty();
        assertThat(routes.pickupTopicRouteData(MEMBERS_TOPIC, false)).isEmpty();
        assertThat(routes.pickupTopicRouteData("orders", false).orElseThrow().brokerDatas())
                .singleElement()
                .satisfies(group -> assertThat(group.brokerAddrs()).isEqualTo(addrs(0, MASTER_ADDR, 1, SLAVE_ADDR)));
    }

    @Test
    void what_it_asks_for_itself_is_done_in_the_grace_as_ever() {
        routes.registerBroker(master().build(), CONNECTION, false);
        pause(6_000);
        routes.connectionClosed(CONNECTION);

        assertThat(routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, OPERATOR)
                        .brokers())
                .hasSize(1);
        assertThat(routes.invariantViolations()).isEqualTo(List.of());
    }

    @Test
    void after_the_grace_a_connection_takes_its_brokers_along_again() {
        routes.registerBroker(master().build(), CONNECTION, false);
        pause(6_000);
        run(30_001);

        assertThat(routes.connectionClosed(CONNECTION).brokers()).hasSize(1);
    }

    /** Nothing but the next reading finds it. */
    private void pause(long millis) {
        clock.tick();
        ticker.advance(millis);
        assertThat(clock.read().inGrace()).isTrue();
    }

    private void run(long millis) {
        for (long left = millis; left > 0; left -= 500) {
            ticker.advance(Math.min(left, 500));
            clock.tick();
        }
    }
}
