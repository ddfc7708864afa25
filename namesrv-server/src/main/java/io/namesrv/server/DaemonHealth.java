package io.namesrv.server;

import io.namesrv.remoting.Lane;
import io.namesrv.server.admin.HealthChecks;
import io.namesrv.server.admin.HealthChecks.Check;
import io.namesrv.server.admin.HealthChecks.Weight;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The checks of the daemon's health. */
final class DaemonHealth {
    /** A scan later than that is late: the alert rules say the same. */
    private static final long SCAN_LATE_MILLIS = 30_000;

    private DaemonHealth() {}

    /**
     * All of them.
     *
     * @param ready whether the port is open and the daemon is not about to stop
     * @param waiting milliseconds for which routes are still refused
     * @param scanAgeMillis since the last scan
     * @param snapshotFails whether the last write of routes failed
     */
    static HealthChecks checks(
            BooleanSupplier ready,
            LongSupplier waiting,
            LongSupplier scanAgeMillis,
            BooleanSupplier snapshotFails,
            List<Lane> lanes) {
        return new HealthChecks(List.of(
                () -> scanner(scanAgeMillis.getAsLong()),
                () -> port(ready.getAsBoolean()),
                () -> service(waiting.getAsLong()),
                () -> snapshot(snapshotFails.getAsBoolean()),
                () -> queues(lanes),
                () -> memory(lanes)));
    }

    private static Check scanner(long ageMillis) {
        boolean ok = ageMillis < SCAN_LATE_MILLIS;
        return new Check("scanner", Weight.LIFE, ok, "last " + ageMillis / 1000 + " s ago");
    }

    private static Check port(boolean ready) {
        return new Check("port", Weight.READINESS, ready, ready ? "open" : "not open yet, or about to stop");
    }

    private static Check service(long leftMillis) {
        boolean over = leftMillis <= 0;
        long seconds = (leftMillis + 999) / 1000;
        return new Check(
                "needWaitForService",
                Weight.READINESS,
                over,
                over ? "routes are answered" : "routes are refused for another " + seconds + " s");
    }

    private static Check snapshot(boolean fails) {
        return new Check("snapshot", Weight.DEGRADED, !fails, fails ? "the last write failed" : "as it should be");
    }

    private static Check queues(List<Lane> lanes) {
        StringBuilder full = new StringBuilder();
        for (Lane lane : lanes) {
            if (lane.waiting() > lane.capacity() / 2) {
                full.append(lane.name())
                        .append(' ')
                        .append(lane.waiting())
                        .append('/')
                        .append(lane.capacity())
                        .append(' ');
            }
        }
        boolean ok = full.isEmpty();
        return new Check(
                "queues",
                Weight.DEGRADED,
                ok,
                ok ? "under half full" : full.toString().strip());
    }

    private static Check memory(List<Lane> lanes) {
        boolean ok = lanes.stream().noneMatch(Lane::isShut);
        return new Check("memory", Weight.DEGRADED, ok, ok ? "enough" : "short, lists are refused");
    }
}
