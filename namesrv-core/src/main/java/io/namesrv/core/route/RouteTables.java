package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.Master;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The tables: plain maps of immutable rows, reachable through the manager's lock alone. Only {@link RouteStep} changes
 * them, the times of heartbeats aside, so that the invariants at the top of {@link RouteInfoManager} have one keeper; the rules read them directly.
 */
final class RouteTables {
    /** topic → its queues by broker group. */
    final TopicQueueTable topicQueueTable = new TopicQueueTable();

    /** broker name → group. */
    final Map<String, GroupRow> brokerAddrTable = new HashMap<>();

    /** cluster → broker names. */
    final Map<String, SortedSet<String>> clusterAddrTable = new HashMap<>();

    /** cluster and address → broker process. */
    final Map<BrokerAddrInfo, BrokerLiveInfo> brokerLiveTable = new HashMap<>();

    /** cluster and address → filter servers, never an empty list. */
    final Map<BrokerAddrInfo, List<String>> filterServerTable = new HashMap<>();

    /** topic → mappings of a static topic by broker name; the inner maps are immutable. */
    final Map<String, SortedMap<String, TopicQueueMappingInfo>> topicQueueMappingInfoTable = new HashMap<>();

    /** Names of brokers, known or not, whose topics are shown without the write bit; an immutable set. */
    Set<String> writeWithheld = Set.of();

    /** Index: connection → live keys of the brokers whose last registration came over it. */
    final Map<ConnectionId, Set<BrokerAddrInfo>> brokersOfConnection = new HashMap<>();

    /** Index: broker name → static topics that have a mapping of it. */
    final Map<String, Set<String>> mappedTopicsOfBroker = new HashMap<>();

    /** Version of the last step that changed something. */
    long version;

    /** What all rows but those of topicQueueTable take of the heap, reckoned by {@link RowBytes}. */
    long otherBytes;

    /** Accepted registrations so far. */
    long registrations;

    /** By what a repeated registration is known. */
    final LastRegistrations lastRegistrations = new LastRegistrations();

    /** The changes that are still to be kept elsewhere. */
    RouteChangeLog changeLog = new RouteChangeLog(0);

    /** When rows of topicQueueTable were restored that are remembered from before a restart. */
    long restoredAt;

    /** How long they stay unless a registration confirms them. */
    long restoredTimeoutMillis;

    Optional<BrokerData> group(String brokerName) {
        return Optional.ofNullable(brokerAddrTable.get(brokerName)).map(GroupRow::data);
    }

    Optional<BrokerLiveInfo> live(String cluster, String addr) {
        return Optional.ofNullable(brokerLiveTable.get(new BrokerAddrInfo(cluster, addr)));
    }

    /** A group as replication is told of it: the members that are {@linkplain BrokerStatus#isAvailable available}. */
    Optional<BrokerData> availableGroup(String brokerName) {
        return group(brokerName)
                .flatMap(group -> narrowed(group, row -> row.state().isAvailable()));
    }

    /**
     * A group as its brokers have been told of it by notices of its smallest id. A pause of this process is no reason for
     * one; a memory from before its start is none either.
     */
    Optional<BrokerData> announcedGroup(String brokerName) {
        return group(brokerName)
                .flatMap(group -> narrowed(group, row -> row.state().isShown() && !row.isRestored()));
    }

    /**
     * A group as if it had these members alone, with flag and zone of the smallest of them; itself if it has no others,
     * absent if it has none of these.
     */
    Optional<BrokerData> narrowed(BrokerData group, Predicate<BrokerLiveInfo> chosen) {
        SortedMap<Long, String> addrs = new TreeMap<>(group.brokerAddrs());
        addrs.values()
                .removeIf(addr -> live(group.cluster(), addr).filter(chosen).isEmpty());
        if (addrs.size() == group.brokerAddrs().size()) {
            return Optional.of(group);
        }
        return addrs.isEmpty() ? Optional.empty() : Optional.of(groupOf(group.cluster(), group.brokerName(), addrs));
    }

    /** A group of these members, which must be live and one or more: its flag and zone are what the smallest announced. */
    BrokerData groupOf(String cluster, String brokerName, SortedMap<Long, String> addrs) {
        String smallestAddr = Objects.requireNonNull(addrs.get(addrs.firstKey()));
        BrokerLiveInfo smallest = live(cluster, smallestAddr)
                .orElseThrow(() -> new IllegalStateException("member without a live row in " + brokerName));
        return new BrokerData(cluster, brokerName, addrs, smallest.enableActingMaster(), smallest.zoneName());
    }

    /** The master that a slave of this id is told of, if the group has one that is available. */
    Optional<Master> masterOf(String brokerName, long brokerId) {
        return group(brokerName)
                .filter(group -> brokerId != Master.ID && group.hasMaster())
                .flatMap(group -> live(group.cluster(), group.minBrokerAddr()))
                .filter(live -> live.state().isAvailable())
                .map(live -> new Master(live.brokerAddr(), live.haServerAddr()));
    }

    TableSizes sizes() {
        return new TableSizes(
                clusterAddrTable.size(), brokerAddrTable.size(), brokerLiveTable.size(), topicQueueTable.size());
    }

    /** What all rows together take of the heap. */
    long bytes() {
        return topicQueueTable.bytes() + otherBytes;
    }

    Optional<TopicQueueMappingInfo> mapping(String topic, String brokerName) {
        return Optional.ofNullable(topicQueueMappingInfoTable.get(topic))
                .flatMap(mappings -> Optional.ofNullable(mappings.get(brokerName)));
    }

    /** The live rows whose last registration came over this connection. */
    List<BrokerLiveInfo> liveOf(ConnectionId connection) {
        List<BrokerLiveInfo> rows = new ArrayList<>();
        for (BrokerAddrInfo key : brokersOfConnection.getOrDefault(connection, Set.of())) {
            BrokerLiveInfo row = brokerLiveTable.get(key);
            if (row != null) {
                rows.add(row);
            }
        }
        return rows;
    }

    /**
     * Version of the last change that could alter this topic's answer: of its rows, its mappings, its order configuration,
     * or one of its groups. For a topic that is not in the table it is below 0, one less with each addition of a topic.
     */
    long topicVersion(String topic) {
        TopicRow row = topicQueueTable.get(topic);
        if (row == null) {
            return -1 - topicQueueTable.additions();
        }
        long latest = row.version();
        for (TopicQueue queue : row.queues()) {
            GroupRow group = brokerAddrTable.get(queue.brokerName());
            if (group != null) {
                latest = Math.max(latest, group.version());
            }
        }
        return latest;
    }
}
