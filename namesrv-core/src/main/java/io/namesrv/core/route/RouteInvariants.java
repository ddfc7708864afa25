package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks what must hold after every step. It walks all tables, so it is for tests. */
final class RouteInvariants {
    private final RouteTables tables;
    private final List<String> violations = new ArrayList<>();

    private RouteInvariants(RouteTables tables) {
        this.tables = tables;
    }

    /** What does not hold, a sentence each; empty if all is well. */
    static List<String> violations(RouteTables tables) {
        RouteInvariants check = new RouteInvariants(tables);
        check.clustersAndGroupsAgree();
        check.topicsStandOnGroups();
        check.membersAndLiveRowsAgree();
        check.filterServersHaveLiveRows();
        check.indexesAgree();
        check.bytesAgree();
        return List.copyOf(check.violations);
    }

    private void require(boolean condition, String sentence, Object subject) {
        if (!condition) {
            violations.add(sentence + ": " + subject);
        }
    }

    private void clustersAndGroupsAgree() {
        tables.clusterAddrTable.forEach((cluster, names) -> {
            require(!names.isEmpty(), "a cluster has no broker", cluster);
            for (String name : names) {
                boolean agrees = tables.group(name)
                        .filter(group -> group.cluster().equals(cluster))
                        .isPresent();
                require(agrees, "a cluster lists a broker that is not its own", cluster + " " + name);
            }
        });
        tables.brokerAddrTable.forEach((name, group) -> require(
                tables.clusterAddrTable
                        .getOrDefault(group.data().cluster(), new TreeSet<>())
                        .contains(name),
                "a group's cluster does not list it",
                name));
    }

    private void topicsStandOnGroups() {
        tables.topicQueueTable.rows().forEach(row -> {
            String topic = row.topic();
            require(!row.queues().isEmpty(), "a topic has no queues", topic);
            String former = "";
            for (TopicQueue queue : row.queues()) {
                require(
                        tables.brokerAddrTable.containsKey(queue.brokerName()),
                        "queues of an unknown broker",
                        topic + " " + queue.brokerName());
                require(former.compareTo(queue.brokerName()) < 0, "queues out of order", topic);
                former = queue.brokerName();
            }
        });
        tables.topicQueueMappingInfoTable.forEach((topic, mappings) -> {
            require(!mappings.isEmpty(), "a static topic has no mappings", topic);
            for (String name : mappings.keySet()) {
                require(tables.brokerAddrTable.containsKey(name), "a mapping of an unknown broker", topic + " " + name);
            }
        });
    }

    private void membersAndLiveRowsAgree() {
        Set<BrokerAddrInfo> members = new HashSet<>();
        for (GroupRow row : tables.brokerAddrTable.values()) {
            BrokerData group = row.data();
            group.brokerAddrs().forEach((id, addr) -> {
                BrokerAddrInfo key = new BrokerAddrInfo(group.cluster(), addr);
                require(members.add(key), "an address stands twice in a cluster", key);
                BrokerLiveInfo live = tables.brokerLiveTable.get(key);
                boolean agrees = live != null && live.brokerName().equals(group.brokerName()) && live.brokerId() == id;
                require(agrees, "a member and its live row disagree", key + " " + live);
            });
            boolean flags = tables.live(group.cluster(), group.minBrokerAddr())
                    .filter(live -> live.enableActingMaster() == group.enableActingMaster()
                            && live.zoneName().equals(group.zoneName()))
                    .isPresent();
            require(flags, "a group's flags are not those of its smallest id", group);
            require(
                    row.shown()
                            .equals(tables.narrowed(group, live -> live.state().isShown())),
                    "what is shown of a group is out of date",
                    group);
        }
        tables.brokerLiveTable.forEach((key, live) -> {
            require(members.contains(key), "a live row without a member", key);
            require(key.equals(live.key()), "a live row under a foreign key", key);
        });
    }

    private void filterServersHaveLiveRows() {
        tables.filterServerTable.forEach((key, addresses) -> {
            require(tables.brokerLiveTable.containsKey(key), "filter servers without a live row", key);
            require(!addresses.isEmpty(), "an empty list of filter servers", key);
        });
    }

    private void bytesAgree() {
        long bytes = 0;
        for (BrokerLiveInfo live : tables.brokerLiveTable.values()) {
            bytes += RowBytes.of(live);
        }
        for (List<String> addresses : tables.filterServerTable.values()) {
            bytes += RowBytes.ofFilterServers(addresses);
        }
        Set<TopicQueue> different = new HashSet<>();
        int restored = 0;
        for (TopicRow row : tables.topicQueueTable.rows()) {
            bytes += RowBytes.ofTopic(row.topic())
                    + RowBytes.QUEUE * row.queues().size();
            different.addAll(row.queues());
            restored += (int) row.queues().stream().filter(TopicQueue::restored).count();
        }
        bytes += RowBytes.DIFFERENT_QUEUE * different.size();
        for (Map<String, TopicQueueMappingInfo> mappings : tables.topicQueueMappingInfoTable.values()) {
            for (TopicQueueMappingInfo mapping : mappings.values()) {
                bytes += RowBytes.of(mapping);
            }
        }
        require(bytes == tables.bytes(), "the bytes of all rows are reckoned wrong", tables.bytes() - bytes);
        require(restored == tables.topicQueueTable.restored(), "remembered queues are counted wrong", restored);
    }

    private void indexesAgree() {
        Map<ConnectionId, Set<BrokerAddrInfo>> connections = new HashMap<>();
        tables.brokerLiveTable
                .values()
                .forEach(live -> connections
                        .computeIfAbsent(live.connection(), id -> new HashSet<>())
                        .add(live.key()));
        require(connections.equals(tables.brokersOfConnection), "the index of connections is wrong", connections);

        Map<String, Set<String>> topics = new HashMap<>();
        tables.topicQueueTable
                .rows()
                .forEach(row -> row.queues()
                        .forEach(queue -> topics.computeIfAbsent(queue.brokerName(), name -> new HashSet<>())
                                .add(row.topic())));
        Map<String, Set<String>> index = new HashMap<>();
        tables.topicQueueTable.brokerNames().forEach(name -> index.put(name, topicsOf(name)));
        require(topics.equals(index), "the index of topics is wrong", topics.keySet());

        Map<String, Set<String>> mapped = new HashMap<>();
        tables.topicQueueMappingInfoTable.forEach((topic, mappings) -> mappings.keySet()
                .forEach(name ->
                        mapped.computeIfAbsent(name, n -> new HashSet<>()).add(topic)));
        require(mapped.equals(tables.mappedTopicsOfBroker), "the index of mappings is wrong", mapped.keySet());
    }

    private Set<String> topicsOf(String brokerName) {
        Set<String> topics = new HashSet<>();
        tables.topicQueueTable.rowsOf(brokerName).forEach(row -> topics.add(row.topic()));
        return topics;
    }
}
