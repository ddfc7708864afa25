package io.namesrv.core.data;

/** What became of the registration of a single topic. Everything but {@link Done} left the tables as they were. */
public sealed interface RegisterTopicResult {
    /**
     * It was carried out.
     *
     * @param change what changed; empty where a broker name is unknown or no queues were named
     */
    record Done(RouteChange change) implements RegisterTopicResult {}

    /** The tables have no room for it. */
    record LimitReached(ReachedLimit limit) implements RegisterTopicResult {}
}
