package io.namesrv.remoting;

/** Told once of every request when its answer has been handed over. Must not block; called by any thread. */
@FunctionalInterface
public interface RequestObserver {
    /** An observer that looks away. */
    RequestObserver NONE = outcome -> {};

    /** Takes note of one request. */
    void observed(RequestOutcome outcome);
}
