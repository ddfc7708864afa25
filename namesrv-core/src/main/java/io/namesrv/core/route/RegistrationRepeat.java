package io.namesrv.core.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RepeatedRegistration;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.route.LastRegistrations.Last;
import java.util.List;
import java.util.Optional;

/**
 * The rule of a registration that says what the last one of its broker said, over the same connection, while nothing else
 * has changed a row of its group: the broker lives, and that is all. What is not certain is left to {@link
 * BrokerRegistration}.
 */
final class RegistrationRepeat {
    private RegistrationRepeat() {}

    /** One whole step; absent, and nothing done, if it is no such registration. */
    static Optional<RepeatedRegistration> apply(
            RouteTables tables,
            RegistrationFingerprint fingerprint,
            ConnectionId from,
            long now,
            boolean deleteMissing) {
        Optional<Last> last =
                tables.lastRegistrations.find(fingerprint).filter(known -> known.deleteMissing() == deleteMissing);
        if (last.isEmpty()) {
            return Optional.empty();
        }
        return tables.live(fingerprint.clusterName(), fingerprint.brokerAddr())
                .filter(row -> row.state() == BrokerStatus.ALIVE
                        && row.misses() == 0
                        && row.connection().equals(from))
                .map(row -> new RepeatedRegistration(
                        repeated(tables, row, from, now), last.get().topics()));
    }

    private static Registered repeated(RouteTables tables, BrokerLiveInfo row, ConnectionId from, long now) {
        RouteStep step = new RouteStep(tables);
        step.attach(row.registeredAgain(now, ++tables.registrations));
        return new Registered(
                step.finish(Cause.REGISTER, Optional.of(from)),
                false,
                tables.masterOf(row.brokerName(), row.brokerId()),
                List.of(),
                List.of());
    }
}
