package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.NEXT_VERSION;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.TBW102;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.liveRow;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.OrderEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicVersion;
import io.namesrv.core.data.VersionedRoute;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a step says it changed, and which versions it moves. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteChangeTest {
    private final Bench bench = new Bench();

    // ---- edits

    @Test
    void a_first_registration_is_told_row_by_row_with_cause_and_peer() {
        RegistrationBuilder broker = master().topics(ORDERS, TBW102)
                .mappings(mapping("orders", BROKER, 1))
                .filterServers("10.0.0.1:1");

        RouteChange change = bench.register(broker).change();

        assertThat(change)
                .isEqualTo(new RouteChange(
                        1,
                        Cause.REGISTER,
                        Optional.of(CONNECTION),
                        List.of(
                                new MemberEdit(Optional.empty(), Optional.of(liveRow(broker.build(), 1_000))),
                                new GroupEdit(Optional.empty(), Optional.of(group(addrs(0, MASTER_ADDR)))),
                                new QueueEdit("orders", Optional.empty(), Optional.of(declared(ORDERS))),
                                new QueueEdit("TBW102", Optional.empty(), Optional.of(declared(TBW102))),
                                new MappingEdit("orders", Optional.empty(), Optional.of(mapping("orders", BROKER, 1))),
                                new FilterServerEdit(
                                        new BrokerAddrInfo(CLUSTER, MASTER_ADDR),
                                        BROKER,
                                        List.of(),
                                        List.of("10.0.0.1:1")))));
    }

    @Test
    void a_changed_topic_is_told_with_its_row_before_and_after() {
        bench.register(master());
        TopicConfig more = new TopicConfig("orders", 16, 16, 6, 0);

        RouteChange change = bench.register(master().topics(more, TBW102).version(NEXT_VERSION))
                .change();

        assertThat(queueEdits(change))
                .containsExactly(new QueueEdit("orders", Optional.of(declared(ORDERS)), Optional.of(declared(more))));
    }

    @Test
    void a_wipe_is_told_as_a_mark() {
        bench.register(master());

        RouteChange change =
                bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR).change();

        assertThat(change.edits())
                .containsExactlyInAnyOrder(
                        new QueueEdit(
                                "orders",
                                Optional.of(declared(ORDERS)),
                                Optional.of(new TopicQueue(ORDERS.queuesOn(BROKER), Mark.WIPED))),
                        new QueueEdit(
                                "TBW102",
                                Optional.of(declared(TBW102)),
                                Optional.of(new TopicQueue(TBW102.queuesOn(BROKER), Mark.WIPED))));
    }

    @Test
    void a_departure_is_told_row_by_row() {
        RegistrationBuilder broker =
                master().topics().mappings(mapping("orders", BROKER, 1)).filterServers("f");
        bench.register(broker);

        RouteChange change = bench.routes.connectionClosed(CONNECTION).change();

        assertThat(change)
                .isEqualTo(new RouteChange(
                        2,
                        Cause.CONNECTION_CLOSED,
                        Optional.of(CONNECTION),
                        List.of(
                                new FilterServerEdit(
                                        new BrokerAddrInfo(CLUSTER, MASTER_ADDR), BROKER, List.of("f"), List.of()),
                                new MemberEdit(Optional.of(liveRow(broker.build(), 1_000)), Optional.empty()),
                                new MappingEdit("orders", Optional.of(mapping("orders", BROKER, 1)), Optional.empty()),
                                new GroupEdit(Optional.of(group(addrs(0, MASTER_ADDR))), Optional.empty()))));
    }

    @Test
    void a_repeated_registration_has_no_edits_and_the_version_before_it() {
        bench.register(master().filterServers("10.0.0.1:1").mappings(mapping("orders", BROKER, 1)), CONNECTION);
        bench.ticker.advance(30_000);

        RouteChange change = bench.register(
                        master().filterServers("10.0.0.1:1").mappings(mapping("orders", BROKER, 1)), OTHER_CONNECTION)
                .change();

        assertThat(change).isEqualTo(new RouteChange(1, Cause.REGISTER, Optional.of(OTHER_CONNECTION), List.of()));
        assertThat(bench.routes.version()).isEqualTo(1);
    }

    @Test
    void a_new_data_version_with_the_same_topics_is_told_as_a_change_of_the_member_alone() {
        bench.register(master().mappings(mapping("orders", BROKER, 1)));

        RouteChange change = bench.register(
                        master().mappings(mapping("orders", BROKER, 1)).version(NEXT_VERSION))
                .change();

        assertThat(change.edits()).hasOnlyElementsOfType(MemberEdit.class).hasSize(1);
    }

    @Test
    void whatever_a_member_announced_anew_is_told() {
        bench.register(slave());
        long before = bench.routes.version();

        bench.register(slave().haServerAddr("10.0.0.2:10912"));
        bench.register(slave().haServerAddr("10.0.0.2:10912").timeoutMillis(5_000));
        bench.register(
                slave().haServerAddr("10.0.0.2:10912").timeoutMillis(5_000).acting());
        bench.register(slave().haServerAddr("10.0.0.2:10912")
                .timeoutMillis(5_000)
                .acting()
                .zone("z1"));

        assertThat(bench.routes.version() - before).isEqualTo(4);
    }

    @Test
    void heartbeats_and_questions_change_no_version() {
        bench.register(master());
        bench.ticker.advance(1_000);

        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).isKnown();
        bench.routes.signOfLife(CLUSTER, MASTER_ADDR).dataVersion();

        assertThat(bench.routes.version()).isEqualTo(1);
    }

    @Test
    void a_refusal_changes_no_version() {
        bench.register(master());

        bench.offer(otherMaster().topics(ORDERS));

        assertThat(bench.routes.version()).isEqualTo(1);
    }

    @Test
    void each_step_that_changes_something_has_the_next_version() {
        assertThat(List.of(
                        bench.register(master()).change().version(),
                        bench.register(slave()).change().version(),
                        bench.routes
                                .wipeWritePermOfBroker(BROKER, OPERATOR)
                                .change()
                                .version(),
                        bench.routes
                                .addWritePermOfBroker(BROKER, OPERATOR)
                                .change()
                                .version(),
                        bench.routes.deleteTopic("orders", OPERATOR).version(),
                        bench.registerTopic("orders", List.of(ORDERS.queuesOn(BROKER)))
                                .version(),
                        bench.routes
                                .unregisterBroker(CLUSTER, BROKER, SLAVE_ADDR, CONNECTION)
                                .change()
                                .version(),
                        bench.routes.connectionClosed(CONNECTION).change().version()))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void an_empty_step_has_the_version_of_the_step_before_it() {
        bench.register(master());

        assertThat(bench.routes.deleteTopic("unknown", OPERATOR))
                .isEqualTo(new RouteChange(1, Cause.TOPIC_DELETED, Optional.of(OPERATOR), List.of()));
    }

    // ---- the version of one topic

    @Test
    void a_topic_without_queues_has_a_version_below_0_that_moves_when_a_topic_is_added_and_no_name_is_kept() {
        long atFirst = bench.routes.topicVersion("unknown");
        bench.register(master().topics(ORDERS, topic("else")));
        long added = bench.routes.topicVersion("unknown");
        bench.register(master().topics(ORDERS, topic("else")).version(NEXT_VERSION));
        bench.routes.deleteTopic("else", OPERATOR);
        long removed = bench.routes.topicVersion("unknown");

        assertThat(List.of(atFirst, added, removed)).containsExactly(-1L, -3L, -3L);
        assertThat(bench.routes.topicVersion("else")).isEqualTo(-3);
    }

    @Test
    void a_route_comes_with_its_version() {
        bench.register(master());
        bench.register(slave());

        assertThat(bench.routes.versionedRoute("orders", false))
                .isEqualTo(
                        new VersionedRoute(new TopicVersion(2, 2), bench.routes.pickupTopicRouteData("orders", false)));
        assertThat(bench.routes.versionedRoute("unknown", false))
                .isEqualTo(new VersionedRoute(new TopicVersion(-3, 2), Optional.empty()));
        assertThat(bench.routes.brokersOf("orders")).containsExactly(BROKER);
        assertThat(bench.routes.brokersOf("unknown")).isEmpty();
    }

    @Test
    void a_topics_version_moves_with_its_order_configuration_if_it_is_there() {
        bench.register(master());

        RouteChange change = bench.routes.orderConfigChanged(List.of("orders", "unknown"));

        assertThat(change)
                .isEqualTo(new RouteChange(2, Cause.ORDER_CONFIG, Optional.empty(), List.of(new OrderEdit("orders"))));
        assertThat(bench.routes.topicVersion("orders")).isEqualTo(2);
        assertThat(bench.routes.topicVersion("TBW102")).isEqualTo(1);
        assertThat(bench.routes.orderConfigChanged(List.of("unknown")).isEmpty())
                .isTrue();
    }

    @Test
    void a_topics_version_moves_with_its_rows_and_not_with_those_of_others() {
        bench.register(master().topics(ORDERS, topic("else")));

        bench.register(master().topics(new TopicConfig("orders", 16, 16, 6, 0), topic("else"))
                .version(NEXT_VERSION));

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(2);
        assertThat(bench.routes.topicVersion("else")).isEqualTo(1);
    }

    @Test
    void a_topics_version_moves_with_a_member_of_its_groups() {
        bench.register(master().topics(ORDERS, topic("of a")));
        bench.register(otherMaster().topics(ORDERS, topic("of b")));

        bench.register(slave());

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(3);
        assertThat(bench.routes.topicVersion("of a")).isEqualTo(3);
        assertThat(bench.routes.topicVersion("of b")).isEqualTo(2);
    }

    @Test
    void a_topics_version_moves_when_a_member_of_its_groups_leaves() {
        bench.register(master());
        bench.register(slave());

        bench.routes.unregisterBroker(CLUSTER, BROKER, SLAVE_ADDR, CONNECTION);

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(3);
    }

    @Test
    void a_topics_version_moves_when_one_of_its_groups_goes() {
        bench.register(master());
        bench.register(otherMaster());

        bench.routes.unregisterBroker(CLUSTER, OTHER_BROKER, THIRD_ADDR, CONNECTION);

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(3);
    }

    @Test
    void a_topics_version_moves_with_the_zone_and_the_flag_of_its_groups() {
        bench.register(master());

        bench.register(master().zone("z1"));
        long afterZone = bench.routes.topicVersion("orders");
        bench.register(master().zone("z1").acting());
        long afterFlag = bench.routes.topicVersion("orders");

        assertThat(List.of(afterZone, afterFlag)).containsExactly(2L, 3L);
    }

    @Test
    void a_topics_version_moves_with_the_filter_servers_of_its_groups() {
        bench.register(master());
        bench.register(slave().filterServers("10.0.0.2:1"));
        bench.register(otherMaster().topics(topic("else"), topic("more")));

        bench.register(slave().filterServers("10.0.0.2:2"));

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(4);
        assertThat(bench.routes.topicVersion("else")).isEqualTo(3);
    }

    @Test
    void a_topics_version_moves_with_its_mappings() {
        bench.register(master());

        bench.register(master().mappings(mapping("orders", BROKER, 1)).version(NEXT_VERSION));

        assertThat(bench.routes.topicVersion("orders")).isEqualTo(2);
        assertThat(bench.routes.topicVersion("TBW102")).isEqualTo(1);
    }

    @Test
    void a_topics_version_does_not_move_with_the_data_version_of_its_broker() {
        bench.register(master());

        bench.register(master().version(NEXT_VERSION));

        assertThat(bench.routes.version()).isEqualTo(2);
        assertThat(bench.routes.topicVersion("orders")).isEqualTo(1);
    }

    private static TopicQueue declared(TopicConfig topic) {
        return new TopicQueue(topic.queuesOn(BROKER), Mark.NONE);
    }

    private static List<Edit> queueEdits(RouteChange change) {
        return change.edits().stream().filter(QueueEdit.class::isInstance).toList();
    }
}
