package io.namesrv.remoting.netty;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the connections of one event loop, again and again as long as there are any: one timer for all of them. Never is
 * a connection found idle too early; it may be two sweeps late, and the second look comes on top. There is a sweep in each
 * eighth of the shortest limit, and in each second. Confined to the event loop.
 */
final class IdleSweep {
    private static final long LONGEST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long SHORTEST_NANOS = Duration.ofMillis(10).toNanos();
    private static final int PART = 8;

    private final EventLoop loop;
    private final long everyNanos;
    private final List<IdleWatch> watches = new ArrayList<>();
    private boolean scheduled;

    IdleSweep(EventLoop loop, ConnectionLimits limits) {
        this.loop = loop;
        this.everyNanos = Math.max(
                SHORTEST_NANOS, Math.min(part(limits.idle()), Math.min(part(limits.drainDeadline()), LONGEST_NANOS)));
    }

    private static long part(Duration limit) {
        return limit.isZero() ? LONGEST_NANOS : limit.toNanos() / PART;
    }

    void add(IdleWatch watch) {
        watch.begin(loop.ticker().nanoTime());
        watch.place = watches.size();
        watches.add(watch);
        if (!scheduled) {
            schedule();
        }
    }

    void remove(IdleWatch watch) {
        IdleWatch last = watches.remove(watches.size() - 1);
        if (last != watch) {
            watches.set(watch.place, last);
            last.place = watch.place;
        }
    }

    private void schedule() {
        scheduled = true;
        var unused = loop.schedule(this::sweep, everyNanos, TimeUnit.NANOSECONDS);
    }

    /** From the end, for a connection that is closed at a look is removed, and the last one takes its place. */
    private void sweep() {
        scheduled = false;
        long now = loop.ticker().nanoTime();
        for (int i = watches.size() - 1; i >= 0; i--) {
            if (i < watches.size()) {
                watches.get(i).look(now);
            }
        }
        if (!watches.isEmpty() && !scheduled) {
            schedule();
        }
    }
}
