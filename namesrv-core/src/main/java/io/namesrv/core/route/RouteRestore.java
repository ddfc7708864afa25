package io.namesrv.core.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RestoreReport;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Fills empty tables with what was kept over a restart. All of it is provisional: it goes unless its broker registers.
 * What contradicts the tables' invariants, or goes beyond their limits, is left out: the source need not be ours.
 */
final class RouteRestore {
    private final RouteTables tables;
    private final TableLimits limits;
    private final RouteStep step;
    private final long now;
    private final long timeoutMillis;
    private final Map<String, String> clusters = new HashMap<>();
    private final Map<String, SortedMap<Long, String>> groups = new TreeMap<>();
    private int skipped;

    private RouteRestore(RouteTables tables, TableLimits limits, long now, long timeoutMillis) {
        this.tables = tables;
        this.limits = limits;
        this.step = new RouteStep(tables);
        this.now = now;
        this.timeoutMillis = timeoutMillis;
    }

    /** One whole step. */
    static RestoreReport apply(
            RouteTables tables, TableLimits limits, RouteSnapshot snapshot, long now, long timeoutMillis) {
        if (!tables.brokerLiveTable.isEmpty()) {
            throw new IllegalStateException("the tables are not empty");
        }
        tables.restoredAt = now;
        tables.restoredTimeoutMillis = timeoutMillis;
        RouteRestore restore = new RouteRestore(tables, limits, now, timeoutMillis);
        snapshot.members().forEach(restore::member);
        restore.groups.forEach(
                (name, addrs) -> restore.step.regroup(restore.clusters.getOrDefault(name, ""), name, addrs));
        snapshot.topics().forEach(restore::topic);
        snapshot.mappings().forEach(restore::mapping);
        restore.step.finish(Cause.RESTORED, Optional.empty());
        return new RestoreReport(tables.brokerLiveTable.size(), tables.topicQueueTable.size(), restore.skipped);
    }

    private void member(Member member) {
        SortedMap<Long, String> addrs = groups.getOrDefault(member.brokerName(), new TreeMap<>());
        boolean fits = clusters.getOrDefault(member.brokerName(), member.clusterName())
                        .equals(member.clusterName())
                && !addrs.containsKey(member.brokerId())
                && tables.live(member.clusterName(), member.brokerAddr()).isEmpty()
                && tables.brokerLiveTable.size() < limits.brokers();
        if (!fits) {
            skipped++;
            return;
        }
        clusters.put(member.brokerName(), member.clusterName());
        groups.computeIfAbsent(member.brokerName(), name -> new TreeMap<>())
                .put(member.brokerId(), member.brokerAddr());
        BrokerLiveInfo row = row(member);
        step.attach(row);
        step.putFilterServers(row.key(), row.brokerName(), member.filterServers());
    }

    private BrokerLiveInfo row(Member member) {
        return new BrokerLiveInfo(
                member.clusterName(),
                member.brokerName(),
                member.brokerId(),
                member.brokerAddr(),
                member.haServerAddr(),
                member.enableActingMaster(),
                member.zoneName(),
                member.dataVersion(),
                now,
                timeoutMillis,
                ConnectionId.NONE,
                ++tables.registrations,
                BrokerStatus.PROVISIONAL,
                0);
    }

    private void topic(Topic topic) {
        List<TopicQueue> queues = new ArrayList<>(topic.queues().size());
        for (TopicQueue queue : topic.queues()) {
            if (tables.brokerAddrTable.containsKey(queue.brokerName()) && !names(queues, queue.brokerName())) {
                queues.add(queue.asRestored());
            } else {
                skipped++;
            }
        }
        boolean fits = !tables.topicQueueTable.contains(topic.topic())
                && tables.topicQueueTable.size() < limits.topics()
                && tables.bytes() < limits.bytes();
        if (queues.isEmpty()) {
            return;
        }
        if (fits) {
            queues.forEach(queue -> step.restoreQueue(topic.topic(), queue));
        } else {
            skipped++;
        }
    }

    private static boolean names(List<TopicQueue> queues, String brokerName) {
        for (TopicQueue queue : queues) {
            if (queue.brokerName().equals(brokerName)) {
                return true;
            }
        }
        return false;
    }

    private void mapping(TopicQueueMappingInfo mapping) {
        if (tables.brokerAddrTable.containsKey(mapping.bname()) && tables.bytes() < limits.bytes()) {
            step.putMapping(mapping);
        } else {
            skipped++;
        }
    }
}
