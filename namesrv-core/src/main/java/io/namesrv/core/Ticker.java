package io.namesrv.core;

/**
 * The clock that liveness is judged by: milliseconds that only ever go forward, from an arbitrary origin.
 *
 * <p>A jump of the wall clock does not move it. Readings may be negative; only differences mean something, so compare
 * {@code now - then > limit}, never {@code then + limit < now}.
 */
@FunctionalInterface
public interface Ticker {
    /** The current reading in milliseconds. May be called from any thread. */
    long millis();

    /** The ticker of the running JVM, based on {@link System#nanoTime()}. */
    static Ticker system() {
        return () -> System.nanoTime() / 1_000_000;
    }
}
