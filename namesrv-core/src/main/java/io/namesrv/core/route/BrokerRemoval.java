package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.RouteChange.Cause;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rule of a departure, whether asked for, cut off or expired: the broker's rows leave every table, at the cost of
 * what the broker had.
 */
final class BrokerRemoval {
    private BrokerRemoval() {}

    /** One whole step: these rows leave. */
    static DepartureReport apply(
            RouteTables tables, List<BrokerLiveInfo> rows, Cause cause, Optional<ConnectionId> peer) {
        RouteStep step = new RouteStep(tables);
        MinBrokerIds minBrokerIds = new MinBrokerIds(tables);
        remove(tables, step, minBrokerIds, rows);
        return report(tables, step, minBrokerIds, rows, cause, peer);
    }

    /** Ends a step in which these rows have left. */
    static DepartureReport report(
            RouteTables tables,
            RouteStep step,
            MinBrokerIds minBrokerIds,
            List<BrokerLiveInfo> rows,
            Cause cause,
            Optional<ConnectionId> peer) {
        Set<ConnectionId> orphans = new LinkedHashSet<>();
        for (BrokerLiveInfo row : rows) {
            if (!row.isRestored() && !tables.brokersOfConnection.containsKey(row.connection())) {
                orphans.add(row.connection());
            }
        }
        return new DepartureReport(
                step.finish(cause, peer), List.copyOf(rows), minBrokerIds.changes(), List.copyOf(orphans));
    }

    /** One whole step: it is not certain that these rows are gone, so they stay for the time being. */
    static DepartureReport doubt(
            RouteTables tables, List<BrokerLiveInfo> rows, Cause cause, Optional<ConnectionId> peer, long since) {
        RouteStep step = new RouteStep(tables);
        rows.forEach(row -> step.attach(row.provisionalSince(since)));
        return new DepartureReport(step.finish(cause, peer), List.of(), List.of(), List.of());
    }

    /** Part of a step: these rows, which must be in the table, leave. */
    static void remove(RouteTables tables, RouteStep step, MinBrokerIds minBrokerIds, List<BrokerLiveInfo> rows) {
        Map<String, BrokerData> groups = new LinkedHashMap<>();
        for (BrokerLiveInfo row : rows) {
            minBrokerIds.watch(row.brokerName());
            tables.group(row.brokerName()).ifPresent(group -> groups.put(group.brokerName(), group));
            step.detach(row);
        }
        for (BrokerData before : groups.values()) {
            SortedMap<Long, String> left = new TreeMap<>(before.brokerAddrs());
            left.values().removeIf(addr -> tables.live(before.cluster(), addr).isEmpty());
            step.regroup(before.cluster(), before.brokerName(), left);
        }
    }
}
