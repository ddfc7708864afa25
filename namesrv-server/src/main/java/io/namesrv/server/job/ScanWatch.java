package io.namesrv.server.job;

import io.namesrv.core.Ticker;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the scan for silent brokers going: where none has been finished for more than {@value #LATE} intervals, whether it
 * hangs or throws each time or its thread is gone, it starts it anew on a thread of its own. If that does not help either,
 * the scanner is dead, and so the daemon: dead brokers would be routed for ever.
 */
public final class ScanWatch implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ScanWatch.class);

    private static final int LATE = 6;

    /** No scan is late before, however short the interval: threads may have to wait for a processor. */
    private static final long LEAST_LATE_MILLIS = 5_000;

    private final Runnable scan;
    private final Duration interval;
    private final Ticker clock;
    private final Consumer<String> died;
    private Jobs jobs;
    private int starts;
    private boolean closed;

    /** When the last scan was finished, or the scanner was started after that. */
    private volatile long aliveAt;

    private volatile boolean finishedSinceStart;

    /**
     * Makes a watch over a scanner that is not started yet.
     *
     * @param scan one scan
     * @param interval from the end of one scan to the next
     * @param clock in whose milliseconds the age of a scan is judged; pauses of this process had better not count
     * @param died told once if the scanner cannot be kept alive
     */
    public ScanWatch(Runnable scan, Duration interval, Ticker clock, Consumer<String> died) {
        this.scan = scan;
        this.interval = interval;
        this.clock = clock;
        this.died = died;
        this.jobs = new Jobs("namesrv-scan-0");
        this.aliveAt = clock.millis();
    }

    /** Begins to scan, for the first time after one interval. */
    public synchronized void start() {
        aliveAt = clock.millis();
        finishedSinceStart = false;
        jobs.every(interval, "broker scan", this::scanOnce);
    }

    private void scanOnce() {
        scan.run();
        aliveAt = clock.millis();
        finishedSinceStart = true;
    }

    /** Milliseconds since the last scan was finished, or since the start if that was later. */
    public long ageMillis() {
        return clock.millis() - aliveAt;
    }

    /** How often the scanner was started anew. */
    public synchronized int restarts() {
        return starts;
    }

    /** One look; to be repeated more often than scans are. */
    @Override
    public synchronized void run() {
        long age = ageMillis();
        if (closed || age <= Math.max(LATE * interval.toMillis(), LEAST_LATE_MILLIS)) {
            return;
        }
        if (starts > 0 && !finishedSinceStart) {
            closed = true;
            died.accept("the scanner for silent brokers");
            return;
        }
        log.error("no scan for silent brokers was finished for ageMs={}, starting the scanner anew", age);
        starts++;
        jobs.abandon();
        jobs = new Jobs("namesrv-scan-" + starts);
        start();
    }

    /** Starts no scan any more; one that is running ends by itself. */
    @Override
    public synchronized void close() {
        closed = true;
        jobs.close();
    }
}
