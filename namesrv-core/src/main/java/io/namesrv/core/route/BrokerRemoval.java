package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.RouteChange.Cause;
import java.util.ArrayList;
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
        List<MinBrokerIdChange> changes = remove(tables, step, rows);
        Set<ConnectionId> orphans = new LinkedHashSet<>();
        for (BrokerLiveInfo row : rows) {
            if (!tables.brokersOfConnection.containsKey(row.connection())) {
                orphans.add(row.connection());
            }
        }
        return new DepartureReport(step.finish(cause, peer), List.copyOf(rows), changes, List.copyOf(orphans));
    }

    /** One whole step: it is not certain that these rows are gone, so they stay for the time being. */
    static DepartureReport doubt(
            RouteTables tables, List<BrokerLiveInfo> rows, Cause cause, Optional<ConnectionId> peer, long since) {
        RouteStep step = new RouteStep(tables);
        rows.forEach(row -> step.attach(row.provisionalSince(since)));
        return new DepartureReport(step.finish(cause, peer), List.of(), List.of(), List.of());
    }

    /**
     * Part of a step: these rows, which must be in the table, leave.
     *
     * @return groups that have another smallest id than before, judged around the whole removal
     */
    static List<MinBrokerIdChange> remove(RouteTables tables, RouteStep step, List<BrokerLiveInfo> rows) {
        Map<String, BrokerData> groups = new LinkedHashMap<>();
        for (BrokerLiveInfo row : rows) {
            tables.group(row.brokerName()).ifPresent(group -> groups.put(group.brokerName(), group));
            step.detach(row);
        }
        List<MinBrokerIdChange> changes = new ArrayList<>();
        for (BrokerData before : groups.values()) {
            SortedMap<Long, String> left = new TreeMap<>(before.brokerAddrs());
            left.values().removeIf(addr -> tables.live(before.cluster(), addr).isEmpty());
            step.regroup(before.cluster(), before.brokerName(), left);
            MinBrokerIds.afterDeparture(before, tables.group(before.brokerName()))
                    .ifPresent(changes::add);
        }
        return changes;
    }
}
