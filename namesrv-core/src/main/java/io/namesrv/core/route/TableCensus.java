package io.namesrv.core.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.TableStatus;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Counts the tables. It walks the brokers, and nothing that there is more of. */
final class TableCensus {
    private TableCensus() {}

    static TableStatus take(RouteTables tables) {
        Map<BrokerStatus, Integer> states = new EnumMap<>(BrokerStatus.class);
        for (BrokerStatus state : BrokerStatus.values()) {
            states.put(state, 0);
        }
        long oldest = Long.MAX_VALUE;
        for (BrokerLiveInfo row : tables.brokerLiveTable.values()) {
            states.merge(row.state(), 1, Integer::sum);
            if (!row.isRestored()) {
                oldest = Math.min(oldest, row.lastSeen());
            }
        }
        return new TableStatus(
                tables.version,
                tables.sizes(),
                states,
                oldest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldest),
                tables.bytes());
    }
}
