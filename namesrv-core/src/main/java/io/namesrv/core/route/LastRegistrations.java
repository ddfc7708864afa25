package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.Registration.TopicSummary;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.OrderEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteChange.WritePermEdit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last accepted registration of each live broker, as long as nothing has changed the rows of its group since: a repeat
 * of one that is here changes nothing. Whatever edits a row of a group, of any table, has those of its members forgotten.
 */
final class LastRegistrations {
    /**
     * One of them.
     *
     * @param deleteMissing whether topics that it does not carry were removed
     * @param topics what was in its topic table
     */
    record Last(RegistrationFingerprint fingerprint, boolean deleteMissing, TopicSummary topics) {}

    /** broker name → live key → its last one; no empty inner maps. */
    private final Map<String, Map<BrokerAddrInfo, Last>> byGroup = new HashMap<>();

    /** The one that this is equal to. */
    Optional<Last> find(RegistrationFingerprint fingerprint) {
        Map<BrokerAddrInfo, Last> group = byGroup.getOrDefault(fingerprint.brokerName(), Map.of());
        return Optional.ofNullable(group.get(fingerprint.key()))
                .filter(last -> last.fingerprint().equals(fingerprint));
    }

    /** Takes the place of the broker's former one. */
    void put(Last last) {
        byGroup.computeIfAbsent(last.fingerprint().brokerName(), name -> new HashMap<>(2))
                .put(last.fingerprint().key(), last);
    }

    /** Forgets that of a broker. */
    void remove(String brokerName, BrokerAddrInfo key) {
        Map<BrokerAddrInfo, Last> group = byGroup.get(brokerName);
        if (group != null && group.remove(key) != null && group.isEmpty()) {
            byGroup.remove(brokerName);
        }
    }

    /** Forgets those of all groups of which a row was edited. */
    void forget(List<Edit> edits) {
        String latest = "";
        for (Edit edit : edits) {
            String brokerName = edited(edit);
            if (brokerName != null && !brokerName.equals(latest)) {
                byGroup.remove(brokerName);
                latest = brokerName;
            }
        }
    }

    /** Whose row it is; nobody's for what stands in no table. A row never passes from one group to another. */
    private static @Nullable String edited(Edit edit) {
        if (edit instanceof QueueEdit queue) {
            return queue.after().or(queue::before).orElseThrow().brokerName();
        }
        if (edit instanceof MappingEdit mapping) {
            return mapping.after().or(mapping::before).orElseThrow().bname();
        }
        if (edit instanceof MemberEdit member) {
            return member.after()
                    .or(member::before)
                    .map(BrokerLiveInfo::brokerName)
                    .orElseThrow();
        }
        if (edit instanceof GroupEdit group) {
            return group.after().or(group::before).map(BrokerData::brokerName).orElseThrow();
        }
        if (edit instanceof FilterServerEdit servers) {
            return servers.brokerName();
        }
        if (edit instanceof WritePermEdit perm) {
            return perm.brokerName();
        }
        if (edit instanceof OrderEdit) {
            return null;
        }
        throw new AssertionError("an edit of no kind");
    }
}
