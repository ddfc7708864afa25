package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.ORDERS;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.liveRow;
import static io.namesrv.core.route.Fixtures.mapping;
import static io.namesrv.core.route.Fixtures.master;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The check of the invariants notices each table that is broken by hand: else it would prove nothing elsewhere. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteInvariantsTest {
    private static RouteTables healthy() {
        RouteTables tables = new RouteTables();
        BrokerRegistration.apply(
                tables,
                TableLimits.NONE,
                new OfferedTopics(master().mappings(mapping("orders", BROKER, 1))
                        .filterServers("10.0.0.1:1")
                        .build()),
                CONNECTION,
                0,
                false,
                Optional.empty());
        return tables;
    }

    private static Arguments broken(String sentence, Consumer<RouteTables> how) {
        return Arguments.of(sentence, how);
    }

    private static final BrokerAddrInfo KEY = new BrokerAddrInfo(CLUSTER, MASTER_ADDR);

    static Stream<Arguments> breakages() {
        return Stream.of(
                broken("a cluster has no broker", t -> t.clusterAddrTable.put("empty", new TreeSet<>())),
                broken(
                        "a cluster lists a broker that is not its own",
                        t -> t.clusterAddrTable.put("other", new TreeSet<>(Set.of(BROKER)))),
                broken(
                        "a cluster lists a broker that is not its own",
                        t -> t.clusterAddrTable.put("other", new TreeSet<>(Set.of("nobody")))),
                broken("a group's cluster does not list it", t -> t.clusterAddrTable.clear()),
                broken("a topic has no queues", t -> t.topicQueueTable.getOrAdd("empty")),
                broken("queues of an unknown broker", t -> t.brokerAddrTable.clear()),
                broken(
                        "queues out of order",
                        t -> t.topicQueueTable.getOrAdd("twice").set(List.of(queue(BROKER), queue(BROKER)), 1)),
                broken(
                        "a static topic has no mappings",
                        t -> t.topicQueueMappingInfoTable.put("empty", new TreeMap<>())),
                broken(
                        "a mapping of an unknown broker",
                        t -> t.topicQueueMappingInfoTable.put(
                                "lost", new TreeMap<>(Map.of("nobody", mapping("lost", "nobody", 1))))),
                broken(
                        "an address stands twice in a cluster",
                        t -> t.brokerAddrTable.put(
                                OTHER_BROKER,
                                groupRow(new BrokerData(CLUSTER, OTHER_BROKER, addrs(0, MASTER_ADDR), false, "")))),
                broken(
                        "what is shown of a group is out of date",
                        t -> t.brokerLiveTable.computeIfPresent(
                                KEY, (key, row) -> row.judged(BrokerStatus.NOT_AVAILABLE, 1))),
                broken("a member and its live row disagree", t -> t.brokerLiveTable.clear()),
                broken(
                        "a member and its live row disagree",
                        t -> t.brokerLiveTable.put(KEY, liveRow(master().id(1).build(), 0))),
                broken(
                        "a member and its live row disagree",
                        t -> t.brokerLiveTable.put(
                                KEY, liveRow(master().name("nobody").build(), 0))),
                broken(
                        "a group's flags are not those of its smallest id",
                        t -> t.brokerLiveTable.put(
                                KEY, liveRow(master().acting().build(), 0))),
                broken(
                        "a group's flags are not those of its smallest id",
                        t -> t.brokerLiveTable.put(
                                KEY, liveRow(master().zone("z1").build(), 0))),
                broken(
                        "a live row without a member",
                        t -> t.brokerLiveTable.put(
                                new BrokerAddrInfo(CLUSTER, THIRD_ADDR),
                                liveRow(master().addr(THIRD_ADDR).build(), 0))),
                broken(
                        "a live row under a foreign key",
                        t -> t.brokerLiveTable.put(
                                KEY, liveRow(master().addr(THIRD_ADDR).build(), 0))),
                broken(
                        "filter servers without a live row",
                        t -> t.filterServerTable.put(new BrokerAddrInfo(CLUSTER, THIRD_ADDR), List.of("f"))),
                broken("an empty list of filter servers", t -> t.filterServerTable.put(KEY, List.of())),
                broken(
                        "the index of connections is wrong",
                        t -> t.brokersOfConnection.put(OTHER_CONNECTION, new HashSet<>(Set.of(KEY)))),
                broken(
                        "the index of topics is wrong",
                        t -> t.topicQueueTable.getOrAdd("unlisted").set(List.of(queue(BROKER)), 1)),
                broken("the index of mappings is wrong", t -> t.mappedTopicsOfBroker.clear()));
    }

    private static TopicQueue queue(String brokerName) {
        return new TopicQueue(ORDERS.queuesOn(brokerName), Mark.NONE);
    }

    @Test
    void healthy_tables_have_no_violations() {
        RouteTables tables = healthy();

        assertThat(RouteInvariants.violations(tables)).isEmpty();
        assertThat(tables.group(BROKER)).contains(group(addrs(0, MASTER_ADDR)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breakages")
    void a_broken_table_is_noticed(String sentence, Consumer<RouteTables> how) {
        RouteTables tables = healthy();

        how.accept(tables);

        assertThat(RouteInvariants.violations(tables)).anyMatch(violation -> violation.startsWith(sentence + ": "));
    }

    private static GroupRow groupRow(BrokerData group) {
        return new GroupRow(group, Optional.of(group), 1);
    }
}
