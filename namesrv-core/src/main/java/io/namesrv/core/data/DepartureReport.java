package io.namesrv.core.data;

import java.util.List;

/**
 * Brokers that left the tables in one step.
 *
 * @param change what changed
 * @param brokers their last live rows
 * @param minBrokerIdChanges groups whose smallest id changed
 * @param orphans connections that carried one of these brokers and carry none any more
 */
public record DepartureReport(
        RouteChange change,
        List<BrokerLiveInfo> brokers,
        List<MinBrokerIdChange> minBrokerIdChanges,
        List<ConnectionId> orphans) {}
