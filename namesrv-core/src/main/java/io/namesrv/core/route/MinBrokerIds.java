package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.MinBrokerIdChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the smallest id of a group has changed, and who is told. Judged around a whole step and only where a slave may
 * act as master; a group's first member is no change, as in NameServer 5.3.3. That one misses a master that becomes a
 * slave under its own address; here it counts as a departure of the smallest id.
 */
final class MinBrokerIds {
    private MinBrokerIds() {}

    /** After a registration: the others are told of the new smallest, or it alone where there are no others. */
    static Optional<MinBrokerIdChange> afterRegistration(BrokerData before, BrokerData after, String haServerAddr) {
        if (after.minBrokerId() > before.minBrokerId()) {
            return afterDeparture(before, Optional.of(after));
        }
        if (!changed(before, after)) {
            return Optional.empty();
        }
        List<String> recipients = new ArrayList<>(after.brokerAddrs().values());
        if (recipients.size() > 1) {
            recipients.remove(after.minBrokerAddr());
        }
        return Optional.of(new MinBrokerIdChange(
                after.brokerName(),
                after.minBrokerId(),
                after.minBrokerAddr(),
                Optional.of(haServerAddr),
                Optional.empty(),
                recipients));
    }

    /** After a departure: all that remain are told of the new smallest and of the one that went. */
    static Optional<MinBrokerIdChange> afterDeparture(BrokerData before, Optional<BrokerData> left) {
        return left.filter(after -> changed(before, after))
                .map(after -> new MinBrokerIdChange(
                        after.brokerName(),
                        after.minBrokerId(),
                        after.minBrokerAddr(),
                        Optional.empty(),
                        Optional.of(before.minBrokerAddr()),
                        List.copyOf(after.brokerAddrs().values())));
    }

    private static boolean changed(BrokerData before, BrokerData after) {
        return after.enableActingMaster() && before.minBrokerId() != after.minBrokerId();
    }
}
