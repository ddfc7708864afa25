package io.namesrv.remoting;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Threads of their own for one kind of request, and a queue before them that is bounded by count and, if wished, by
 * age: so one kind of request cannot starve another.
 *
 * <p>An {@linkplain #inline inline} lane has neither; its requests run on the I/O thread that read them.
 */
public final class Lane {
    private final String name;
    private final int capacity;
    private final long maxAgeNanos;
    private final Executor executor;
    private final @Nullable ThreadPoolExecutor pool;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean shut;

    private Lane(String name, int capacity, Duration maxAge, Executor executor, @Nullable ThreadPoolExecutor pool) {
        this.name = name;
        this.capacity = capacity;
        this.maxAgeNanos = maxAge.isZero() ? Long.MAX_VALUE : maxAge.toNanos();
        this.executor = executor;
        this.pool = pool;
    }

    /**
     * A lane with threads, which are started as work comes.
     *
     * @param name for threads, logs and metrics
     * @param threads how many, 1 or more
     * @param capacity the most requests that wait, those of one connection's sequence counted as one; 1 or more
     * @param maxAge the longest a request may have waited when its turn comes; zero for any
     */
    public static Lane pooled(String name, int threads, int capacity, Duration maxAge) {
        AtomicInteger number = new AtomicInteger();
        // Bounded by the count of places, and by one task of each connection's sequence.
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "namesrv-" + name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        return new Lane(name, capacity, maxAge, pool, pool);
    }

    /** The lane of what is answered on the I/O thread: it must not block, and be quick. */
    public static Lane inline(String name) {
        return new Lane(name, Integer.MAX_VALUE, Duration.ZERO, Runnable::run, null);
    }

    /** The name for logs and metrics. */
    public String name() {
        return name;
    }

    /** How many requests may wait. */
    public int capacity() {
        return capacity;
    }

    /** How many requests wait now. */
    public int waiting() {
        return waiting.get();
    }

    /** How many threads are at work now. */
    public int active() {
        return pool == null ? 0 : pool.getActiveCount();
    }

    /** From now on its requests are answered as busy (code 2), also those that wait, or no longer so. */
    public void shut(boolean now) {
        shut = now;
    }

    /** Whether its requests are answered as busy. */
    public boolean isShut() {
        return shut;
    }

    /**
     * Takes no more work, lets what waits run, and interrupts what still runs after the limit. Idempotent.
     *
     * @return whether everything was done in time
     */
    public boolean close(Duration limit) {
        if (pool == null) {
            return true;
        }
        pool.shutdown();
        try {
            if (pool.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow();
        return false;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Whether a request that has waited so long is too old to be run. */
    boolean isTooOld(long waitedNanos) {
        return waitedNanos > maxAgeNanos;
    }

    /** Queues work in a place of its own; false, and nothing done, when no place is free. */
    boolean offer(Runnable work) {
        if (!takePlace()) {
            return false;
        }
        execute(() -> {
            leavePlace();
            work.run();
        });
        return true;
    }

    /** Takes one of the places in the queue; false if all are taken or the lane is closed. */
    boolean takePlace() {
        if (pool != null && pool.isShutdown()) {
            return false;
        }
        if (waiting.incrementAndGet() > capacity) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Gives a place back. */
    void leavePlace() {
        waiting.decrementAndGet();
    }

    /** Runs work that has its place already or needs none; on this thread if the lane was closed. */
    public void execute(Runnable work) {
        try {
            executor.execute(work);
        } catch (RejectedExecutionException closed) {
            work.run();
        }
    }
}
