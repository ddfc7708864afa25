package io.namesrv.server.job;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether memory is short: it is from the moment when more than 85 % of the old generation are in use after a
 * collection, until it is less than 75 %. Looks after each collection, told by the JVM; nobody has to ask.
 *
 * <p>A JVM that has little to do collects nothing, and would stay short of memory that is garbage by now. So where no
 * collection of the old generation has come for a while it is asked for one, by {@link #run}.
 */
public final class MemoryWatch implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MemoryWatch.class);

    private static final double SHORT_ABOVE = 0.85;
    private static final double ENOUGH_BELOW = 0.75;

    private final Consumer<Boolean> told;
    private final NotificationListener listener = (collection, collector) -> look();
    private volatile Optional<MemoryPoolMXBean> oldGeneration = Optional.empty();
    private boolean closed;
    private boolean isShort;
    private boolean collected;
    private long lastUsed = -1;

    /**
     * Makes a watch that looks at nothing yet.
     *
     * @param told whether memory is short, whenever that has changed; on a thread of the JVM
     */
    public MemoryWatch(Consumer<Boolean> told) {
        this.told = told;
    }

    /** The heap's pool for what lives long: the one that has a limit and is known after collections, the largest of them. */
    static Optional<MemoryPoolMXBean> findOldGeneration(List<MemoryPoolMXBean> pools) {
        return pools.stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
                .filter(pool ->
                        !pool.getName().contains("Eden") && !pool.getName().contains("Survivor"))
                .filter(pool -> pool.getUsage() != null && pool.getUsage().getMax() > 0)
                .max((one, other) ->
                        Long.compare(one.getUsage().getMax(), other.getUsage().getMax()));
    }

    /** Begins to look, unless it was closed before. It takes a while until the JVM's beans are there. */
    public synchronized void start() {
        if (closed) {
            return;
        }
        oldGeneration = findOldGeneration(ManagementFactory.getMemoryPoolMXBeans());
        if (oldGeneration.isEmpty()) {
            log.warn("this JVM does not tell how full its old generation is: nothing is refused for lack of memory");
            return;
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
            }
        }
    }

    private void look() {
        oldGeneration.ifPresent(pool -> {
            MemoryUsage after = pool.getCollectionUsage();
            if (after != null) {
                collected(after.getUsed(), after.getMax());
            }
        });
    }

    /** After a collection: so many bytes of so many were in use when the old generation was collected last. */
    synchronized void collected(long used, long max) {
        if (max <= 0 || used == lastUsed) {
            return; // this collection was not one of the old generation
        }
        collected = true;
        lastUsed = used;
        double share = (double) used / max;
        boolean now = isShort ? share >= ENOUGH_BELOW : share > SHORT_ABOVE;
        if (now == isShort) {
            return;
        }
        isShort = now;
        if (now) {
            log.warn("memory is short, refusing lists and admin requests used={} max={}", used, max);
        } else {
            log.info("memory is no longer short used={} max={}", used, max);
        }
        told.accept(now);
    }

    /** To be called now and then: asks for a collection if memory is short and none has come since the last call. */
    @Override
    public void run() {
        if (isOverdue()) {
            System.gc();
        }
    }

    /** Whether memory is short and no collection has come since this was last asked. */
    synchronized boolean isOverdue() {
        boolean overdue = isShort && !collected;
        collected = false;
        return overdue;
    }

    @Override
    public synchronized void close() throws JMException {
        closed = true;
        if (oldGeneration.isEmpty()) {
            return;
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.removeNotificationListener(listener);
            }
        }
    }
}
