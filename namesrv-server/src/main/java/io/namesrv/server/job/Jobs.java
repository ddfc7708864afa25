package io.namesrv.server.job;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what is to be done again and again, on one thread. A job that throws, whatever it throws, is logged and counted
 * and runs again at its next time; a scheduler left to itself would never run it again, without a word.
 */
public final class Jobs implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Jobs.class);

    private final ScheduledExecutorService scheduler;
    private final AtomicLong failures = new AtomicLong();

    /** Makes a runner whose thread has this name. */
    public Jobs(String threadName) {
        scheduler = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs a job after each interval, counted from the end of its last run; for the first time after one interval. */
    public void every(Duration interval, String name, Runnable job) {
        var unused = scheduler.scheduleWithFixedDelay(
                () -> run(name, job), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a job once, as soon as no other one is running. */
    public void soon(String name, Runnable job) {
        scheduler.execute(() -> run(name, job));
    }

    private void run(String name, Runnable job) {
        try {
            job.run();
        } catch (Throwable broken) {
            failures.incrementAndGet();
            say(name, broken);
        }
    }

    private static void say(String name, Throwable broken) {
        try {
            log.error("job failed name={}", name, broken);
        } catch (Throwable alsoBroken) {
            // For lack of memory, say: the job runs again all the same.
        }
    }

    /** How often a job has thrown. */
    public long failures() {
        return failures.get();
    }

    /** Starts nothing more, and interrupts what is running: it hangs. */
    void abandon() {
        scheduler.shutdownNow();
    }

    /** After {@link #close}: waits until no job is running any more, for five seconds at most. */
    public void awaitEnd() {
        try {
            if (!scheduler.awaitTermination(5, TimeUnit.SECONDS)) {
                log.warn("a job is still running");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts nothing more; a job that is running ends by itself. */
    @Override
    public void close() {
        scheduler.shutdown();
    }
}
