package io.namesrv.remoting;

/** Told once of every request when its answer has been handed over. Must not block; called by any thread. */
@FunctionalInterface
public interface RequestObserver {
    /** An observer that looks away. */
    RequestObserver NONE = outcome -> {};

    /** Takes note of one request. */
    void observed(RequestOutcome outcome);

    /**
     * Takes note of requests of one code that came in one burst and were answered at once, by a {@link QuickAnswer}; they are
     * not observed singly.
     *
     * @param nanos from the arrival of the burst until all of it was answered
     */
    default void observedAtOnce(int code, int result, int count, long nanos) {}
}
