package io.namesrv.server.metrics;

import io.namesrv.core.data.TableStatus;
import io.namesrv.core.route.RouteInfoManager;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The tables in numbers for whoever wants to know, however often: they are counted every 250 ms at most, and nobody waits
 * for their lock. While a change is being made the former numbers are given. For any thread.
 */
public final class StatusView {
    static final Duration AGE_MAX = Duration.ofMillis(250);

    private record Counted(TableStatus status, long at) {}

    private final RouteInfoManager routes;
    private final LongSupplier nanoTime;
    private volatile Counted last;

    /** Counts for the first time. */
    public StatusView(RouteInfoManager routes) {
        this(routes, System::nanoTime);
    }

    StatusView(RouteInfoManager routes, LongSupplier nanoTime) {
        this.routes = routes;
        this.nanoTime = nanoTime;
        this.last = new Counted(TableStatus.NONE, nanoTime.getAsLong() - AGE_MAX.toNanos());
    }

    /** The numbers, a quarter of a second old at most, or older while changes are being made. */
    public TableStatus status() {
        Counted known = last;
        long now = nanoTime.getAsLong();
        if (now - known.at() < AGE_MAX.toNanos()) {
            return known.status();
        }
        Optional<TableStatus> counted = routes.tryStatus();
        if (counted.isEmpty()) {
            return known.status();
        }
        last = new Counted(counted.get(), now);
        return counted.get();
    }
}
