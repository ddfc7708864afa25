package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.OrderEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteChange.WritePermEdit;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One step of the tables, under the write lock: the only writer of {@link RouteTables}. It keeps tables and indexes in
 * agreement, records each row that changed, and gives the step its version.
 *
 * <p>A member is written in two moves, its live row ({@link #attach}, {@link #detach}) and the address list of its
 * group ({@link #regroup}): a rule may so replace an address without its group ever being empty, which would take the
 * topics along.
 */
final class RouteStep {
    private final RouteTables tables;
    private final long version;
    private final List<Edit> edits = new ArrayList<>();

    RouteStep(RouteTables tables) {
        this.tables = tables;
        this.version = tables.version + 1;
    }

    /** Ends the step. The tables take its version if anything was changed. */
    RouteChange finish(Cause cause, Optional<ConnectionId> peer) {
        if (!edits.isEmpty()) {
            tables.version = version;
        }
        RouteChange change = new RouteChange(tables.version, cause, peer, edits);
        if (!change.isEmpty()) {
            tables.lastRegistrations.forget(edits);
            tables.changeLog.add(change);
        }
        return change;
    }

    // ---- members

    /** Writes a live row, new or in place of the one under its key. */
    void attach(BrokerLiveInfo row) {
        BrokerLiveInfo before = tables.brokerLiveTable.put(row.key(), row);
        tables.otherBytes += RowBytes.of(row);
        if (before != null) {
            tables.otherBytes -= RowBytes.of(before);
            unindex(before);
        }
        tables.brokersOfConnection
                .computeIfAbsent(row.connection(), connection -> new HashSet<>(2))
                .add(row.key());
        if (before == null || !sameToReaders(before, row)) {
            edits.add(new MemberEdit(Optional.ofNullable(before), Optional.of(row)));
        }
        if (before != null && !before.isSameInGroup(row)) {
            touchGroup(row.brokerName());
        }
    }

    /** Takes a live row away, with its filter servers. Its address stays in its group until {@link #regroup}. */
    void detach(BrokerLiveInfo row) {
        putFilterServers(row.key(), row.brokerName(), List.of());
        tables.brokerLiveTable.remove(row.key());
        tables.otherBytes -= RowBytes.of(row);
        unindex(row);
        edits.add(new MemberEdit(Optional.of(row), Optional.empty()));
    }

    /** Moves a live row and its filter servers to another cluster, whose key must be free; {@link #regroup} follows. */
    void moveMember(BrokerLiveInfo row, String cluster) {
        List<String> filterServers = tables.filterServerTable.getOrDefault(row.key(), List.of());
        BrokerLiveInfo moved = row.inCluster(cluster);
        detach(row);
        attach(moved);
        putFilterServers(moved.key(), moved.brokerName(), filterServers);
    }

    private void unindex(BrokerLiveInfo row) {
        Set<BrokerAddrInfo> keys = tables.brokersOfConnection.get(row.connection());
        if (keys != null && keys.remove(row.key()) && keys.isEmpty()) {
            tables.brokersOfConnection.remove(row.connection());
        }
    }

    private static boolean sameToReaders(BrokerLiveInfo a, BrokerLiveInfo b) {
        return a.isSameInGroup(b)
                && a.brokerName().equals(b.brokerName())
                && a.brokerId() == b.brokerId()
                && a.haServerAddr().equals(b.haServerAddr())
                && a.dataVersion().equals(b.dataVersion())
                && a.timeoutMillis() == b.timeoutMillis();
    }

    // ---- groups

    /**
     * Gives a group its addresses. Without any it goes, with its queues, its mappings and, if it was the last one, its
     * cluster. Whether a slave may act as master, and the zone, are what the member with the smallest id announced.
     */
    void regroup(String cluster, String brokerName, SortedMap<Long, String> addrs) {
        if (addrs.isEmpty()) {
            dropGroup(brokerName);
            return;
        }
        putGroup(tables.groupOf(cluster, brokerName, addrs));
    }

    private void putGroup(BrokerData after) {
        GroupRow before = tables.brokerAddrTable.get(after.brokerName());
        if (before != null && before.data().equals(after)) {
            return;
        }
        tables.brokerAddrTable.put(after.brokerName(), groupRow(after));
        if (before != null && !before.data().cluster().equals(after.cluster())) {
            leaveCluster(before.data());
        }
        tables.clusterAddrTable
                .computeIfAbsent(after.cluster(), cluster -> new TreeSet<>())
                .add(after.brokerName());
        edits.add(new GroupEdit(Optional.ofNullable(before).map(GroupRow::data), Optional.of(after)));
    }

    private GroupRow groupRow(BrokerData group) {
        return new GroupRow(group, tables.narrowed(group, row -> row.state().isShown()), version);
    }

    private void dropGroup(String brokerName) {
        GroupRow before = tables.brokerAddrTable.remove(brokerName);
        if (before == null) {
            return;
        }
        leaveCluster(before.data());
        tables.topicQueueTable.removeAll(brokerName, version, this::removed);
        Set<String> mapped = tables.mappedTopicsOfBroker.get(brokerName);
        if (mapped != null) {
            for (String topic : new ArrayList<>(mapped)) {
                removeMapping(topic, brokerName);
            }
        }
        edits.add(new GroupEdit(Optional.of(before.data()), Optional.empty()));
    }

    private void leaveCluster(BrokerData group) {
        Set<String> names = tables.clusterAddrTable.get(group.cluster());
        if (names != null && names.remove(group.brokerName()) && names.isEmpty()) {
            tables.clusterAddrTable.remove(group.cluster());
        }
    }

    /** Sets the filter servers of a member of the named group; an empty list takes them away. */
    void putFilterServers(BrokerAddrInfo key, String brokerName, List<String> after) {
        List<String> before =
                after.isEmpty() ? tables.filterServerTable.remove(key) : tables.filterServerTable.put(key, after);
        List<String> former = before == null ? List.of() : before;
        tables.otherBytes += RowBytes.ofFilterServers(after) - RowBytes.ofFilterServers(former);
        if (former.equals(after)) {
            return;
        }
        edits.add(new FilterServerEdit(key, brokerName, former, after));
        touchGroup(brokerName);
    }

    private void touchGroup(String brokerName) {
        tables.brokerAddrTable.computeIfPresent(brokerName, (name, group) -> groupRow(group.data()));
    }

    /** Withholds the write permission of these brokers, known or not, and of no others. */
    void withholdWrite(Set<String> brokerNames) {
        Set<String> former = tables.writeWithheld;
        tables.writeWithheld = brokerNames;
        writePermChanged(former, brokerNames, false);
        writePermChanged(brokerNames, former, true);
    }

    private void writePermChanged(Set<String> these, Set<String> butNotThese, boolean withheld) {
        for (String brokerName : new TreeSet<>(these)) {
            if (!butNotThese.contains(brokerName)) {
                touchGroup(brokerName);
                edits.add(new WritePermEdit(brokerName, withheld));
            }
        }
    }

    // ---- topics

    /** Gives a topic, known or not, queues of a known broker. */
    void putQueue(String topic, TopicQueue after) {
        TopicRow row = tables.topicQueueTable.getOrAdd(topic);
        putQueue(row, row.find(after.brokerName()), after);
    }

    /**
     * Gives a topic, known or not, queues of a known broker that it has none of.
     *
     * @param hash of its name, as {@link TopicRows#hash} has it
     */
    void addQueue(String topic, int hash, TopicQueue added) {
        putQueue(tables.topicQueueTable.getOrAdd(topic, hash), null, added);
    }

    /**
     * Gives a topic queues of a known broker.
     *
     * @param before those that it has so far, null if none
     */
    void putQueue(TopicRow row, @Nullable TopicQueue before, TopicQueue after) {
        if (before != null && before.looksLike(after)) {
            if (before.restored() && !after.restored()) {
                // What was but a memory is so no longer: no change, to those who see it.
                tables.topicQueueTable.put(row, before, after, row.version());
            }
            return;
        }
        TopicQueue written = tables.topicQueueTable.put(row, before, after, version);
        edits.add(new QueueEdit(row.topic(), Optional.ofNullable(before), Optional.of(written)));
    }

    /** Writes queues that are remembered, of a known broker: no change of its own. */
    void restoreQueue(String topic, TopicQueue queue) {
        tables.topicQueueTable.put(tables.topicQueueTable.getOrAdd(topic), null, queue, version);
    }

    /** Takes a broker's queues of a topic away, and the topic with its last queues. */
    void removeQueue(String topic, String brokerName) {
        TopicRow row = tables.topicQueueTable.get(topic);
        TopicQueue gone = row == null ? null : row.find(brokerName);
        if (row != null && gone != null) {
            tables.topicQueueTable.remove(row, gone, version);
            removed(row, gone);
        }
    }

    private void removed(TopicRow row, TopicQueue gone) {
        edits.add(new QueueEdit(row.topic(), Optional.of(gone), Optional.empty()));
    }

    void putMapping(TopicQueueMappingInfo after) {
        SortedMap<String, TopicQueueMappingInfo> mappings =
                new TreeMap<>(tables.topicQueueMappingInfoTable.getOrDefault(after.topic(), new TreeMap<>()));
        TopicQueueMappingInfo before = mappings.put(after.bname(), after);
        if (after.equals(before)) {
            return;
        }
        tables.otherBytes += RowBytes.of(after) - (before == null ? 0 : RowBytes.of(before));
        tables.topicQueueMappingInfoTable.put(after.topic(), Collections.unmodifiableSortedMap(mappings));
        tables.mappedTopicsOfBroker
                .computeIfAbsent(after.bname(), name -> new HashSet<>())
                .add(after.topic());
        touch(after.topic());
        edits.add(new MappingEdit(after.topic(), Optional.ofNullable(before), Optional.of(after)));
    }

    void removeMapping(String topic, String brokerName) {
        Map<String, TopicQueueMappingInfo> present = tables.topicQueueMappingInfoTable.get(topic);
        if (present == null || !present.containsKey(brokerName)) {
            return;
        }
        SortedMap<String, TopicQueueMappingInfo> mappings = new TreeMap<>(present);
        TopicQueueMappingInfo before = mappings.remove(brokerName);
        if (before != null) {
            tables.otherBytes -= RowBytes.of(before);
        }
        if (mappings.isEmpty()) {
            tables.topicQueueMappingInfoTable.remove(topic);
        } else {
            tables.topicQueueMappingInfoTable.put(topic, Collections.unmodifiableSortedMap(mappings));
        }
        Set<String> mapped = tables.mappedTopicsOfBroker.get(brokerName);
        if (mapped != null && mapped.remove(topic) && mapped.isEmpty()) {
            tables.mappedTopicsOfBroker.remove(brokerName);
        }
        touch(topic);
        edits.add(new MappingEdit(topic, Optional.ofNullable(before), Optional.empty()));
    }

    /** Takes note that a topic's order configuration is another one; nothing for a topic that is not in the table. */
    void orderConfigChanged(String topic) {
        if (touch(topic)) {
            edits.add(new OrderEdit(topic));
        }
    }

    /** Gives a topic the version of this step, if it is in the table. */
    private boolean touch(String topic) {
        TopicRow row = tables.topicQueueTable.get(topic);
        if (row != null) {
            row.touch(version);
        }
        return row != null;
    }
}
