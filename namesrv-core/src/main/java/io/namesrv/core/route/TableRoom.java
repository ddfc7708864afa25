package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * Whether the tables have room for what a request would add, which is asked before its first row is written. Whatever
 * adds no row of a kind passes the limit of that kind, also where more rows are there than it allows.
 */
final class TableRoom {
    private final RouteTables tables;
    private final TableLimits limits;

    TableRoom(RouteTables tables, TableLimits limits) {
        this.tables = tables;
        this.limits = limits;
    }

    /**
     * The limit that a registration would break, if there is one.
     *
     * @param bringsTopics whether its topics are going to be written
     * @param replaces whether the topics of its broker that it does not carry are going to be removed
     */
    Optional<ReachedLimit> reachedBy(
            Registration registration, ConnectionId from, boolean bringsTopics, boolean replaces) {
        Optional<ReachedLimit> reached = ofCluster(registration)
                .or(() -> ofBroker(registration))
                .or(() -> ofGroup(registration))
                .or(() -> ofConnection(registration, from));
        if (reached.isEmpty() && bringsTopics) {
            reached = ofTopics(registration, replaces).or(() -> ofMappings(registration));
        }
        return reached.or(() -> ofBytes(registration, bringsTopics));
    }

    /** The limit that a topic of its own would break, if there is one. */
    Optional<ReachedLimit> reachedBy(String topic, List<QueueData> queues) {
        if (!tables.topicQueueTable.contains(topic) && tables.topicQueueTable.size() >= limits.topics()) {
            return topicsReached();
        }
        long added = 0;
        for (QueueData queue : queues) {
            BrokerTopics known = tables.topicQueueTable.of(queue.brokerName());
            if (known == null || !known.rows().containsTopic(topic)) {
                if (tables.topicQueueTable.topicCount(queue.brokerName()) >= limits.topicsPerBroker()) {
                    return topicsPerBrokerReached();
                }
                added += RowBytes.QUEUE + RowBytes.DIFFERENT_QUEUE;
            }
        }
        if (added > 0 && !tables.topicQueueTable.contains(topic)) {
            added += RowBytes.ofTopic(topic);
        }
        return ofBytes(added);
    }

    /** A group that moves, and is the only one of its cluster, takes the place of the cluster that it leaves. */
    private Optional<ReachedLimit> ofCluster(Registration registration) {
        boolean room = tables.clusterAddrTable.containsKey(registration.clusterName())
                || tables.clusterAddrTable.size() < limits.clusters()
                || tables.group(registration.brokerName())
                        .filter(this::isAloneInItsCluster)
                        .isPresent();
        return room ? Optional.empty() : Optional.of(new ReachedLimit("clustersMax", limits.clusters()));
    }

    private boolean isAloneInItsCluster(BrokerData group) {
        SortedSet<String> names = tables.clusterAddrTable.get(group.cluster());
        return names != null && names.size() == 1;
    }

    private Optional<ReachedLimit> ofBroker(Registration registration) {
        boolean room = tables.brokerLiveTable.size() < limits.brokers()
                || tables.brokerLiveTable.containsKey(registration.key())
                || !formerKeys(registration).isEmpty();
        return room ? Optional.empty() : Optional.of(new ReachedLimit("brokersMax", limits.brokers()));
    }

    private Optional<ReachedLimit> ofGroup(Registration registration) {
        boolean room = tables.group(registration.brokerName())
                        .filter(group -> group.brokerAddrs().size() >= limits.brokersPerGroup())
                        .isEmpty()
                || !formerKeys(registration).isEmpty();
        return room ? Optional.empty() : Optional.of(new ReachedLimit("brokersPerGroupMax", limits.brokersPerGroup()));
    }

    private Optional<ReachedLimit> ofConnection(Registration registration, ConnectionId from) {
        Set<BrokerAddrInfo> brokers = tables.brokersOfConnection.getOrDefault(from, Set.of());
        boolean room = brokers.size() < limits.brokersPerConnection()
                || brokers.contains(registration.key())
                || formerKeys(registration).stream().anyMatch(brokers::contains);
        return room
                ? Optional.empty()
                : Optional.of(new ReachedLimit("brokersPerChannelMax", limits.brokersPerConnection()));
    }

    /** The rows that make way for this registration: who holds its id, and its address under another id of the group. */
    private Set<BrokerAddrInfo> formerKeys(Registration registration) {
        Set<BrokerAddrInfo> keys = new HashSet<>();
        Optional<BrokerData> group = tables.group(registration.brokerName());
        group.ifPresent(members -> members.brokerAddrs().forEach((id, addr) -> {
            if (id == registration.brokerId() || addr.equals(registration.brokerAddr())) {
                keys.add(new BrokerAddrInfo(members.cluster(), addr));
            }
        }));
        return keys;
    }

    private Optional<ReachedLimit> ofTopics(Registration registration, boolean replaces) {
        List<TopicConfig> offered = registration.table().topics();
        BrokerTopics known = tables.topicQueueTable.of(registration.brokerName());
        int here = tables.topicQueueTable.topicCount(registration.brokerName());
        boolean roomForAll = tables.topicQueueTable.size() + offered.size() <= limits.topics()
                && here + offered.size() <= limits.topicsPerBroker();
        if (roomForAll) {
            return Optional.empty();
        }
        Set<String> newTopics = new HashSet<>();
        Set<String> newOfBroker = new HashSet<>();
        for (TopicConfig topic : offered) {
            if (!tables.topicQueueTable.contains(topic.topicName())) {
                newTopics.add(topic.topicName());
            }
            if (known == null || !known.rows().containsTopic(topic.topicName())) {
                newOfBroker.add(topic.topicName());
            }
        }
        if (isBeyond(tables.topicQueueTable.size(), newTopics, limits.topics())) {
            return topicsReached();
        }
        int kept = replaces ? offered.size() - newOfBroker.size() : here;
        return isBeyond(kept, newOfBroker, limits.topicsPerBroker()) ? topicsPerBrokerReached() : Optional.empty();
    }

    private Optional<ReachedLimit> ofMappings(Registration registration) {
        Set<String> newTopics = new HashSet<>();
        for (TopicQueueMappingInfo mapping : registration.table().mappings()) {
            if (!tables.topicQueueMappingInfoTable.containsKey(mapping.topic())) {
                newTopics.add(mapping.topic());
            }
        }
        return isBeyond(tables.topicQueueMappingInfoTable.size(), newTopics, limits.topics())
                ? topicsReached()
                : Optional.empty();
    }

    /** What it takes away is not set against what it adds: the limit is kept at any moment. */
    private Optional<ReachedLimit> ofBytes(Registration registration, boolean bringsTopics) {
        if (tables.bytes() + bytesIfAllWereNew(registration, bringsTopics) <= limits.bytes()) {
            return Optional.empty();
        }
        long added = tables.brokerLiveTable.containsKey(registration.key())
                        || !formerKeys(registration).isEmpty()
                ? 0
                : bytesOfBroker(registration);
        List<String> filterServers = tables.filterServerTable.getOrDefault(registration.key(), List.of());
        added += Math.max(
                0,
                RowBytes.ofFilterServers(registration.filterServers().addresses())
                        - RowBytes.ofFilterServers(filterServers));
        if (bringsTopics) {
            added += bytesOfNewTopics(registration) + bytesOfNewMappings(registration);
        }
        return ofBytes(added);
    }

    private Optional<ReachedLimit> ofBytes(long added) {
        return added > 0 && tables.bytes() + added > limits.bytes()
                ? Optional.of(new ReachedLimit("routeTablesMax", limits.bytes()))
                : Optional.empty();
    }

    private static long bytesIfAllWereNew(Registration registration, boolean bringsTopics) {
        long bytes = bytesOfBroker(registration)
                + RowBytes.ofFilterServers(registration.filterServers().addresses());
        if (bringsTopics) {
            for (TopicConfig topic : registration.table().topics()) {
                bytes += RowBytes.ofTopic(topic.topicName()) + RowBytes.QUEUE + RowBytes.DIFFERENT_QUEUE;
            }
            for (TopicQueueMappingInfo mapping : registration.table().mappings()) {
                bytes += RowBytes.of(mapping);
            }
        }
        return bytes;
    }

    private static long bytesOfBroker(Registration registration) {
        return RowBytes.ofBroker(
                registration.clusterName(),
                registration.brokerName(),
                registration.brokerAddr(),
                registration.haServerAddr(),
                registration.zoneName());
    }

    /**
     * Its topics that are new, with their queues. Where known topics get other queues, only what is more than before counts:
     * no broker is to be refused because it changed a number.
     */
    private long bytesOfNewTopics(Registration registration) {
        BrokerTopics known = tables.topicQueueTable.of(registration.brokerName());
        BrokerTopics queuesOfNew = new BrokerTopics();
        BrokerTopics queuesOfKnown = new BrokerTopics();
        Set<String> seen = new HashSet<>();
        long bytes = 0;
        for (TopicConfig topic : registration.table().topics()) {
            String name = topic.topicName();
            boolean isNew = known == null || !known.rows().containsTopic(name);
            if (isNew && seen.add(name)) {
                bytes += RowBytes.QUEUE + (tables.topicQueueTable.contains(name) ? 0 : RowBytes.ofTopic(name));
            }
            TopicQueue queue = new TopicQueue(topic.queuesOn(registration.brokerName()), Mark.NONE);
            if (known == null || !known.has(queue)) {
                (isNew ? queuesOfNew : queuesOfKnown).take(queue);
            }
        }
        int more = known == null ? 0 : Math.max(0, queuesOfKnown.differentQueues() - known.differentQueues());
        return bytes + RowBytes.DIFFERENT_QUEUE * (queuesOfNew.differentQueues() + more);
    }

    private long bytesOfNewMappings(Registration registration) {
        long bytes = 0;
        for (TopicQueueMappingInfo mapping : registration.table().mappings()) {
            long held = tables.mapping(mapping.topic(), registration.brokerName())
                    .map(RowBytes::of)
                    .orElse(0L);
            bytes += Math.max(0, RowBytes.of(mapping) - held);
        }
        return bytes;
    }

    private static boolean isBeyond(int there, Set<String> added, int max) {
        return !added.isEmpty() && (long) there + added.size() > max;
    }

    private Optional<ReachedLimit> topicsReached() {
        return Optional.of(new ReachedLimit("topicsMax", limits.topics()));
    }

    private Optional<ReachedLimit> topicsPerBrokerReached() {
        return Optional.of(new ReachedLimit("topicsPerBrokerMax", limits.topicsPerBroker()));
    }
}
