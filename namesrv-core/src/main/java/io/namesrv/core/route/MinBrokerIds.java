package io.namesrv.core.route;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.MinBrokerIdChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out in the course of a step which groups have another smallest id after it, and who is told. Only where
 * a slave may act as master; a group's first member is no change, as in NameServer 5.3.3. That one misses a master that
 * becomes a slave under its own address; here it counts as a departure of the smallest id.
 */
final class MinBrokerIds {
    private final RouteTables tables;
    private final Map<String, Optional<BrokerData>> before = new LinkedHashMap<>();

    MinBrokerIds(RouteTables tables) {
        this.tables = tables;
    }

    /** Notes how a group is before the step changes it; only the first note of a group counts. */
    void watch(String brokerName) {
        before.computeIfAbsent(brokerName, tables::announcedGroup);
    }

    /** The changes, at the end of the step. */
    List<MinBrokerIdChange> changes() {
        List<MinBrokerIdChange> changes = new ArrayList<>();
        before.forEach((name, former) -> former.flatMap(
                        was -> tables.announcedGroup(name).flatMap(is -> between(was, is)))
                .ifPresent(changes::add));
        return List.copyOf(changes);
    }

    private Optional<MinBrokerIdChange> between(BrokerData was, BrokerData is) {
        if (!is.enableActingMaster() || was.minBrokerId() == is.minBrokerId()) {
            return Optional.empty();
        }
        return Optional.of(is.minBrokerId() < was.minBrokerId() ? came(is) : left(was, is));
    }

    /** The others are told of the new smallest, or it alone where there are no others. */
    private MinBrokerIdChange came(BrokerData group) {
        List<String> recipients = new ArrayList<>(group.brokerAddrs().values());
        if (recipients.size() > 1) {
            recipients.remove(group.minBrokerAddr());
        }
        String haServerAddr = tables.live(group.cluster(), group.minBrokerAddr())
                .map(BrokerLiveInfo::haServerAddr)
                .orElse("");
        return new MinBrokerIdChange(
                group.brokerName(),
                group.minBrokerId(),
                group.minBrokerAddr(),
                Optional.of(haServerAddr),
                Optional.empty(),
                recipients);
    }

    /** All that remain are told of the new smallest and of the one that went. */
    private static MinBrokerIdChange left(BrokerData was, BrokerData is) {
        return new MinBrokerIdChange(
                is.brokerName(),
                is.minBrokerId(),
                is.minBrokerAddr(),
                Optional.empty(),
                Optional.of(was.minBrokerAddr()),
                List.copyOf(is.brokerAddrs().values()));
    }
}
