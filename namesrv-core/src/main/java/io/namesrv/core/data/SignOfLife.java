package io.namesrv.core.data;

import io.namesrv.core.data.RouteChange.Cause;
import java.util.List;
import java.util.Optional;

/**
 * What a sign of life did that is no registration: one of a broker that had been found silent makes it alive again.
 *
 * @param broker its live row now; absent if it is not registered
 * @param change what changed; empty for a broker that had not been found silent
 * @param minBrokerIdChanges groups whose smallest available id changed
 */
public record SignOfLife(
        Optional<BrokerLiveInfo> broker, RouteChange change, List<MinBrokerIdChange> minBrokerIdChanges) {

    /** One that changed nothing that anybody can see, while the tables had this version. */
    public static SignOfLife unchanged(Optional<BrokerLiveInfo> broker, long version) {
        return new SignOfLife(
                broker, new RouteChange(version, Cause.RECOVERED, Optional.empty(), List.of()), List.of());
    }

    /** Whether the broker is registered. */
    public boolean isKnown() {
        return broker.isPresent();
    }

    /** The version it registered last; absent if it is not registered, or only remembered, so that it registers. */
    public Optional<DataVersion> dataVersion() {
        return broker.filter(row -> !row.isProvisional()).map(BrokerLiveInfo::dataVersion);
    }
}
