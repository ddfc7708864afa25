package io.namesrv.remoting;

import java.time.Duration;

/** Keeps a line that peers can cause from filling the log: so many in a while, then silence. For any thread. */
public final class LogLimiter {
    private final int lines;
    private final long intervalNanos;
    private long began;
    private int written;
    private int leftOut;

    /**
     * @param lines how many lines may be written in one interval
     * @param interval how long
     */
    public LogLimiter(int lines, Duration interval) {
        this.lines = lines;
        this.intervalNanos = interval.toNanos();
        this.began = System.nanoTime() - intervalNanos;
    }

    /** Tells how many lines were left out since the last one that was written; -1 if this one is to be left out too. */
    public synchronized int leftOutOrSkip() {
        long now = System.nanoTime();
        if (now - began >= intervalNanos) {
            began = now;
            written = 0;
        }
        if (written == lines) {
            leftOut++;
            return -1;
        }
        written++;
        int before = leftOut;
        leftOut = 0;
        return before;
    }
}
