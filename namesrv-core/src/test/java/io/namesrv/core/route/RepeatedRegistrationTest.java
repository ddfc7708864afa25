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
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.Master;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.TopicSummary;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RepeatedRegistration;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** When a registration that was sent before is known again, and what it does then. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RepeatedRegistrationTest {
    private final FakeTicker ticker = new FakeTicker();
    private final PauseClock clock = new PauseClock(ticker);
    private RouteInfoManager routes = new RouteInfoManager(clock, TableLimits.NONE);

    @BeforeEach
    void start() {
        clock.tick();
    }

    private static RegistrationFingerprint fingerprint(Registration registration) {
        return new RegistrationFingerprint(
                registration.clusterName(), registration.brokerName(), registration.brokerAddr(), registration);
    }

    private RegisterBrokerResult register(RegistrationBuilder broker) {
        Registration registration = broker.build();
        return routes.registerBroker(registration, CONNECTION, false, Optional.of(fingerprint(registration)));
    }

    private Optional<RepeatedRegistration> repeat(RegistrationBuilder broker) {
        return repeat(broker, CONNECTION);
    }

    private Optional<RepeatedRegistration> repeat(RegistrationBuilder broker, ConnectionId from) {
        return routes.repeatRegistration(fingerprint(broker.build()), from, false);
    }

    private void run(long millis) {
        for (long left = millis; left > 0; left -= 500) {
            ticker.advance(Math.min(left, 500));
            clock.tick();
        }
    }

    @Test
    void a_registration_that_says_the_same_is_known_and_changes_nothing() {
        register(master().skipped("bad topic"));
        RouteSnapshot before = routes.snapshot();

        RepeatedRegistration repeated = repeat(master().skipped("bad topic")).orElseThrow();

        Registered result = repeated.result();
        assertThat(result.change().isEmpty()).isTrue();
        assertThat(result.change().version()).isEqualTo(routes.version());
        assertThat(result.change().cause()).isEqualTo(Cause.REGISTER);
        assertThat(result.change().peer()).contains(CONNECTION);
        assertThat(result.first()).isFalse();
        assertThat(result.notices()).isEmpty();
        assertThat(result.minBrokerIdChanges()).isEmpty();
        assertThat(repeated.topics()).isEqualTo(new TopicSummary(2, 1, "bad topic"));
        assertThat(routes.snapshot()).isEqualTo(before);
        assertThat(routes.invariantViolations()).isEmpty();
    }

    @Test
    void a_repeat_is_a_sign_of_life() {
        register(master());
        run(100_000);

        assertThat(repeat(master())).isPresent();
        run(100_000);

        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).isEmpty();
        run(20_001);
        assertThat(routes.scanNotActiveBroker(1).departed().brokers()).hasSize(1);
    }

    @Test
    void a_repeat_is_the_later_registration_where_two_claim_an_address() {
        register(master());
        register(otherMaster().cluster(OTHER_CLUSTER).addr(MASTER_ADDR));
        assertThat(repeat(master())).isPresent();

        register(otherMaster().cluster(CLUSTER).id(1).addr(SLAVE_ADDR));

        assertThat(routes.brokerMemberGroup(CLUSTER, BROKER).brokerAddrs()).containsValue(MASTER_ADDR);
    }

    @Test
    void a_slave_is_told_of_its_master() {
        register(master().haServerAddr("10.0.0.1:10912"));
        register(slave());

        assertThat(repeat(slave()).orElseThrow().result().master()).contains(new Master(MASTER_ADDR, "10.0.0.1:10912"));
    }

    @Test
    void whatever_differs_is_no_repeat() {
        register(master());

        assertThat(repeat(master().id(1))).isEmpty();
        assertThat(repeat(master().name(OTHER_BROKER))).isEmpty();
        assertThat(repeat(master().cluster(OTHER_CLUSTER))).isEmpty();
        assertThat(repeat(master().addr(THIRD_ADDR))).isEmpty();
        assertThat(repeat(master().timeoutMillis(1_000))).isEmpty();
        assertThat(repeat(master().version(NEXT_VERSION))).isEmpty();
        assertThat(repeat(master(), OTHER_CONNECTION)).isEmpty();
        assertThat(routes.repeatRegistration(fingerprint(master().build()), CONNECTION, true))
                .isEmpty();
        assertThat(repeat(master())).isPresent();
    }

    @Test
    void only_the_last_accepted_one_counts() {
        register(master());
        register(master().topics(Fixtures.ORDERS, Fixtures.TBW102, Fixtures.topic("more")));

        assertThat(repeat(master())).isEmpty();
        assertThat(register(master())).isInstanceOf(Registered.class);
        assertThat(repeat(master())).isPresent();
    }

    @Test
    void one_without_a_fingerprint_takes_the_place_of_the_last_one_too() {
        register(master());
        routes.registerBroker(master().build(), CONNECTION, false);

        assertThat(repeat(master())).isEmpty();
    }

    @Test
    void what_there_is_to_say_of_a_registration_is_said_of_each() {
        register(master().mappings(mapping("orders", OTHER_BROKER, 1)));

        assertThat(repeat(master().mappings(mapping("orders", OTHER_BROKER, 1))))
                .isEmpty();
    }

    @Test
    void a_refused_one_is_not_remembered() {
        register(master().topics(Fixtures.ORDERS));

        assertThat(repeat(master().topics(Fixtures.ORDERS))).isEmpty();
    }

    @Test
    void what_concerns_other_groups_alone_is_of_no_account() {
        register(master());
        register(otherMaster());
        routes.wipeWritePermOfBroker(OTHER_BROKER, OPERATOR);
        routes.withholdWritePerm(Set.of(OTHER_BROKER));
        routes.unregisterBroker(CLUSTER, OTHER_BROKER, THIRD_ADDR, CONNECTION);
        routes.orderConfigChanged(List.of("orders"));

        assertThat(repeat(master())).isPresent();
    }

    @Test
    void the_heartbeats_of_a_group_do_not_disturb_each_other() {
        register(master());
        register(slave());
        assertThat(repeat(master())).isEmpty();
        register(master());

        assertThat(repeat(master())).isPresent();
        assertThat(repeat(slave())).isPresent();
        routes.signOfLife(CLUSTER, MASTER_ADDR);
        assertThat(repeat(master())).isPresent();
    }

    @TestFactory
    Stream<DynamicTest> after_a_change_by_something_else_it_is_carried_out_anew() {
        Map<String, Runnable> changes = new LinkedHashMap<>();
        changes.put("deleted topic", () -> routes.deleteTopic("orders", OPERATOR));
        changes.put("topic deleted in its cluster", () -> routes.deleteTopic("orders", CLUSTER, OPERATOR));
        changes.put("wiped write permission", () -> routes.wipeWritePermOfBroker(BROKER, OPERATOR));
        changes.put("added write permission", () -> routes.addWritePermOfBroker(BROKER, OPERATOR));
        changes.put("withheld write permission", () -> routes.withholdWritePerm(Set.of(BROKER)));
        changes.put("topic of its own", () -> routes.registerTopic("new", queues(), OPERATOR));
        changes.put("other queues of a topic", () -> routes.registerTopic("orders", queues(), OPERATOR));
        changes.put("new member of the group", () -> register(slave().id(2).addr(THIRD_ADDR)));
        changes.put("member with another id", () -> register(slave().id(2)));
        changes.put("member with another version", () -> register(slave().version(NEXT_VERSION)));
        changes.put("member with filter servers", () -> register(slave().filterServers("10.0.0.2:1")));
        changes.put("member with another zone", () -> register(slave().zone("z1")));
        changes.put("member gone", () -> routes.unregisterBroker(CLUSTER, BROKER, SLAVE_ADDR, CONNECTION));
        changes.put("member cut off", () -> routes.connectionClosed(OTHER_CONNECTION));
        changes.put("member of the group moved", () -> register(slave().cluster(OTHER_CLUSTER)));
        changes.put("own end of the connection", () -> routes.connectionClosed(CONNECTION));
        changes.put("unregistered", () -> routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION));
        changes.put("id taken over", () -> register(master().addr(THIRD_ADDR)));
        changes.put("address taken over", () -> register(otherMaster().addr(MASTER_ADDR)));
        changes.put("found silent", () -> {
            run(120_001);
            routes.scanNotActiveBroker(3);
        });
        changes.put("evicted", () -> {
            run(120_001);
            routes.scanNotActiveBroker(1);
        });
        changes.put("found silent, and seen again", () -> {
            run(120_001);
            routes.scanNotActiveBroker(3);
            routes.signOfLife(CLUSTER, MASTER_ADDR);
        });
        changes.put("cut off in a pause", () -> {
            ticker.advance(6_000);
            routes.connectionClosed(CONNECTION);
        });
        changes.put("restart", () -> {
            RouteSnapshot kept = routes.snapshot();
            routes = new RouteInfoManager(clock, TableLimits.NONE);
            routes.restore(kept, 120_000);
        });
        return changes.entrySet().stream()
                .map(change -> dynamicTest(change.getKey(), () -> carriedOutAnewAfter(change.getValue())));
    }

    private static List<QueueData> queues() {
        return List.of(new QueueData(BROKER, 1, 1, 6, 0));
    }

    private void carriedOutAnewAfter(Runnable change) {
        routes = new RouteInfoManager(clock, TableLimits.NONE);
        Registration slave = slave().build();
        routes.registerBroker(slave, OTHER_CONNECTION, false, Optional.of(fingerprint(slave)));
        register(master());
        assertThat(repeat(master())).isPresent();

        change.run();

        assertThat(repeat(master())).isEmpty();
        register(master());
        register(master());
        assertThat(repeat(master())).isPresent();
    }
}
