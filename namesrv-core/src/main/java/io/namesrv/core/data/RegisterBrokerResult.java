package io.namesrv.core.data;

import java.util.List;
import java.util.Optional;

/** What became of a registration. Everything but {@link Registered} left the tables as they were. */
public sealed interface RegisterBrokerResult {
    /**
     * It was carried out.
     *
     * @param change what changed; empty for a repeated registration
     * @param first whether the broker id was free before
     * @param master for a slave whose master is alive here: that master
     * @param minBrokerIdChanges groups whose smallest id changed
     * @param notices what an operator should hear of
     */
    record Registered(
            RouteChange change,
            boolean first,
            Optional<Master> master,
            List<MinBrokerIdChange> minBrokerIdChanges,
            List<RegistrationNotice> notices)
            implements RegisterBrokerResult {}

    /**
     * The id is held by another address with a greater state version.
     *
     * @param holder that address
     * @param held its state version
     * @param offered that of the registration
     */
    record StaleStateVersion(String holder, long held, long offered) implements RegisterBrokerResult {}

    /** A single topic of a broker id that is not registered, as NameServer 5.x refuses it. */
    record SingleTopicOfUnknownBroker() implements RegisterBrokerResult {}

    /** The tables have no room for it. */
    record LimitReached(ReachedLimit limit) implements RegisterBrokerResult {}
}
