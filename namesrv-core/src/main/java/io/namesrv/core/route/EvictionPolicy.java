package io.namesrv.core.route;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.BrokerLiveInfo;

/** When silence means that a broker is gone. A pure function of a live row and the time. */
final class EvictionPolicy {
    private EvictionPolicy() {}

    /**
     * Whether the row has been silent for longer than its timeout. Nobody has, in the grace after a pause; a silence that
     * began before the pause may last a grace longer. A row that is but remembered leaves when the grace ends, unless its
     * broker has given a sign of life since: then it may wait for its registration as long as it gives more of them.
     */
    static boolean expired(BrokerLiveInfo row, PauseClock.Reading now) {
        if (now.inGrace()) {
            return false;
        }
        long silent = row.silentMillis(now.millis());
        return row.isProvisional()
                ? silent > PauseClock.GRACE_MILLIS
                : silent - now.extraFor(row.lastSeen()) > row.timeoutMillis();
    }
}
