package io.namesrv.core.route;

import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TopicSysFlag;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** The list queries. No order is promised but where it is said. */
final class TopicLists {
    private TopicLists() {}

    static List<String> all(RouteTables tables) {
        return tables.topicQueueTable.rows().stream().map(TopicRow::topic).toList();
    }

    /** The topics of a cluster's brokers, each once; none for an unknown cluster. */
    static List<String> ofCluster(RouteTables tables, String cluster) {
        Set<String> topics = new LinkedHashSet<>();
        for (String brokerName : tables.clusterAddrTable.getOrDefault(cluster, new TreeSet<>())) {
            tables.topicQueueTable.rowsOf(brokerName).forEach(row -> topics.add(row.topic()));
        }
        return List.copyOf(topics);
    }

    static SystemTopics system(RouteTables tables) {
        Set<String> names = new TreeSet<>(tables.clusterAddrTable.keySet());
        names.addAll(tables.brokerAddrTable.keySet());
        Optional<String> some = tables.brokerAddrTable.values().stream()
                .findFirst()
                .map(group -> group.data().minBrokerAddr());
        return new SystemTopics(List.copyOf(names), some);
    }

    static List<String> unit(RouteTables tables) {
        return withSysFlag(tables, TopicSysFlag::hasUnit);
    }

    static List<String> unitSub(RouteTables tables) {
        return withSysFlag(tables, TopicSysFlag::hasUnitSub);
    }

    static List<String> unitSubUnUnit(RouteTables tables) {
        return withSysFlag(tables, flag -> TopicSysFlag.hasUnitSub(flag) && !TopicSysFlag.hasUnit(flag));
    }

    /** Topics by the flag of their first queues, those of the smallest broker name. */
    private static List<String> withSysFlag(RouteTables tables, IntPredicate flag) {
        List<String> topics = new ArrayList<>();
        for (TopicRow row : tables.topicQueueTable.rows()) {
            if (flag.test(row.queues().get(0).declared().topicSysFlag())) {
                topics.add(row.topic());
            }
        }
        return List.copyOf(topics);
    }
}
