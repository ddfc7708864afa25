package io.namesrv.core.route;

import io.namesrv.core.data.BrokerLiveInfo;

/** When silence means that a broker is gone. A pure function of a live row and the time. */
final class EvictionPolicy {
    private EvictionPolicy() {}

    /** Whether the row has been silent for longer than its timeout, at a ticker reading of {@code now}. */
    static boolean expired(BrokerLiveInfo row, long now) {
        return row.silentMillis(now) > row.timeoutMillis();
    }
}
