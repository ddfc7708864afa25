package io.namesrv.core.route;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import java.util.Optional;

/** When silence means that a broker is gone. Pure functions of a live row and the time. */
final class EvictionPolicy {
    private EvictionPolicy() {}

    /**
     * Whether the row has been silent for longer than its timeout. Nobody has, in the grace after a pause; a silence that
     * began before the pause may last a grace longer. What a pause made provisional leaves when the grace ends, unless its
     * broker has given a sign of life since: then it may wait for its registration as long as it gives more of them.
     */
    static boolean expired(BrokerLiveInfo row, PauseClock.Reading now) {
        if (now.inGrace()) {
            return false;
        }
        long silent = row.silentMillis(now.millis());
        boolean broughtAboutByPause = row.isProvisional() && !row.isRestored();
        return broughtAboutByPause
                ? silent > PauseClock.GRACE_MILLIS
                : silent - now.extraFor(row.lastSeen()) > row.timeoutMillis();
    }

    /**
     * The row after a scan; absent if its broker is to be removed. A broker that is found silent in {@code evictionMisses}
     * scans in a row is; before the last of them it is not available, before that suspect. One that is only remembered is
     * removed at the first.
     */
    static Optional<BrokerLiveInfo> judge(BrokerLiveInfo row, PauseClock.Reading now, int evictionMisses) {
        if (!expired(row, now)) {
            boolean wasSilent = row.misses() > 0 && !now.inGrace();
            return Optional.of(wasSilent ? row.judged(BrokerStatus.ALIVE, 0) : row);
        }
        int misses = row.misses() + 1;
        if (row.isProvisional() || misses >= evictionMisses) {
            return Optional.empty();
        }
        boolean last = misses == evictionMisses - 1;
        return Optional.of(row.judged(last ? BrokerStatus.NOT_AVAILABLE : BrokerStatus.SUSPECT, misses));
    }
}
