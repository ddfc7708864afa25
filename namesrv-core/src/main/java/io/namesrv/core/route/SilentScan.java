package io.namesrv.core.route;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.ScanReport;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.data.TopicQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules of silence: what a scan does with those that are silent, and how one of them comes back. */
final class SilentScan {
    private SilentScan() {}

    /** Whether a scan would change anything. */
    static boolean isDue(RouteTables tables, PauseClock.Reading now) {
        for (BrokerLiveInfo row : tables.brokerLiveTable.values()) {
            if (EvictionPolicy.expired(row, now) || row.misses() > 0) {
                return true;
            }
        }
        return forgets(tables, now);
    }

    /** Whether the time is over that queues are remembered for which no registration has confirmed. */
    private static boolean forgets(RouteTables tables, PauseClock.Reading now) {
        return tables.topicQueueTable.restored() > 0
                && !now.inGrace()
                && now.millis() - tables.restoredAt - now.extraFor(tables.restoredAt) > tables.restoredTimeoutMillis;
    }

    /** Walks all topics, once in the life of the process, if anything is left that nobody has confirmed. */
    private static void forgetQueues(RouteTables tables, RouteStep step) {
        for (TopicRow row : List.copyOf(tables.topicQueueTable.rows())) {
            for (TopicQueue queue : row.queues()) {
                if (queue.restored()) {
                    step.removeQueue(row.topic(), queue.brokerName());
                    step.removeMapping(row.topic(), queue.brokerName());
                }
            }
        }
    }

    /** One whole step: each live row is judged. */
    static ScanReport apply(RouteTables tables, PauseClock.Reading now, int evictionMisses) {
        RouteStep step = new RouteStep(tables);
        MinBrokerIds minBrokerIds = new MinBrokerIds(tables);
        List<BrokerLiveInfo> leaving = new ArrayList<>();
        List<BrokerLiveInfo> marked = new ArrayList<>();
        for (BrokerLiveInfo row : tables.brokerLiveTable.values()) {
            Optional<BrokerLiveInfo> after = EvictionPolicy.judge(row, now, evictionMisses);
            if (after.isEmpty()) {
                leaving.add(row);
            } else if (!after.get().equals(row)) {
                marked.add(after.get());
            }
        }
        for (BrokerLiveInfo row : marked) {
            minBrokerIds.watch(row.brokerName());
            step.attach(row);
        }
        BrokerRemoval.remove(tables, step, minBrokerIds, leaving);
        if (forgets(tables, now)) {
            forgetQueues(tables, step);
        }
        return new ScanReport(
                BrokerRemoval.report(tables, step, minBrokerIds, leaving, Cause.EXPIRED, Optional.empty()),
                marked.stream().filter(row -> row.misses() > 0).toList());
    }

    /** One whole step: a broker that is in the tables has given a sign of life. */
    static SignOfLife seen(RouteTables tables, BrokerLiveInfo row, long now) {
        BrokerLiveInfo after = row.seenAt(now);
        if (row.misses() == 0) {
            tables.brokerLiveTable.put(row.key(), after);
            return SignOfLife.unchanged(Optional.of(after), tables.version);
        }
        RouteStep step = new RouteStep(tables);
        MinBrokerIds minBrokerIds = new MinBrokerIds(tables);
        minBrokerIds.watch(row.brokerName());
        step.attach(after);
        return new SignOfLife(
                Optional.of(after), step.finish(Cause.RECOVERED, Optional.empty()), minBrokerIds.changes());
    }
}
