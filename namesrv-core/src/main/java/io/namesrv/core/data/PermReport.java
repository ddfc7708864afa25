package io.namesrv.core.data;

/**
 * What a change of a broker's write permission did.
 *
 * @param topics number of topics that have queues of this broker, changed or not
 * @param change what changed
 */
public record PermReport(int topics, RouteChange change) {}
