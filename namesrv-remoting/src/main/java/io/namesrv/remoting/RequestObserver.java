package io.namesrv.remoting;

/** Told once of every request when its answer has been handed over. Must not block; called by any thread. */
@FunctionalInterface
public interface RequestObserver {
    /** An observer that looks away. */
    RequestObserver NONE = outcome -> {};

    /** Takes note of one request. */
    void observed(RequestOutcome outcome);

    /** Both: this one is told first. */
    default RequestObserver and(RequestObserver next) {
        RequestObserver first = this;
        return new RequestObserver() {
            @Override
            public void observed(RequestOutcome outcome) {
                first.observed(outcome);
                next.observed(outcome);
            }

            @Override
            public void observedAtOnce(int code, int result, int count, long nanos) {
                first.observedAtOnce(code, result, count, nanos);
                next.observedAtOnce(code, result, count, nanos);
            }
        };
    }

    /**
     * Takes note of requests of one code that came in one burst and were answered at once, by a {@link QuickAnswer}; they are
     * not observed singly.
     *
     * @param nanos from the arrival of the burst until all of it was answered
     */
    default void observedAtOnce(int code, int result, int count, long nanos) {}
}
