package io.namesrv.core.route;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.LimitReached;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.SingleTopicOfUnknownBroker;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.route.LastRegistrations.Last;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rule of one registration, as in NameServer 5.3.3 but for the order of work: it decides first and writes after, so
 * that a refusal leaves the tables as they were.
 */
final class BrokerRegistration {
    private final RouteTables tables;
    private final RouteStep step;
    private final Registration registration;
    private final ConnectionId from;
    private final long now;
    private final MinBrokerIds minBrokerIds;

    /** The group as it is going to be: its members, this one under its id and no other. */
    private final SortedMap<Long, String> addrs;

    /** Who has held the id so far. */
    private final @Nullable String held;

    private final List<RegistrationNotice> notices = new ArrayList<>();

    /** Brokers of other names that lose their address to this registration or to a member that it moves. */
    private final List<BrokerLiveInfo> losers = new ArrayList<>();

    private BrokerRegistration(RouteTables tables, Registration registration, ConnectionId from, long now) {
        this.tables = tables;
        this.step = new RouteStep(tables);
        this.registration = registration;
        this.from = from;
        this.now = now;
        this.minBrokerIds = new MinBrokerIds(tables);
        SortedMap<Long, String> members = tables.group(registration.brokerName())
                .map(BrokerData::brokerAddrs)
                .orElseGet(TreeMap::new);
        this.held = members.get(registration.brokerId());
        this.addrs = new TreeMap<>(members);
        this.addrs.values().removeIf(registration.brokerAddr()::equals);
        this.addrs.put(registration.brokerId(), registration.brokerAddr());
    }

    /**
     * One whole step.
     *
     * @param offered the registration with its topics
     * @param deleteMissing whether topics of this broker that the registration does not carry are removed
     * @param fingerprint to know it again by
     */
    static RegisterBrokerResult apply(
            RouteTables tables,
            TableLimits limits,
            OfferedTopics offered,
            ConnectionId from,
            long now,
            boolean deleteMissing,
            Optional<RegistrationFingerprint> fingerprint) {
        Registration registration = offered.registration();
        BrokerRegistration step = new BrokerRegistration(tables, registration, from, now);
        return refusal(tables, registration)
                .or(() -> step.noRoom(limits, deleteMissing))
                .orElseGet(() -> step.accept(offered, deleteMissing, fingerprint));
    }

    // ---- deciding

    private static Optional<RegisterBrokerResult> refusal(RouteTables tables, Registration registration) {
        Optional<BrokerLiveInfo> holder = tables.group(registration.brokerName())
                .flatMap(group -> Optional.ofNullable(group.brokerAddrs().get(registration.brokerId()))
                        .flatMap(addr -> tables.live(group.cluster(), addr)))
                .filter(live -> live.state() != BrokerStatus.PROVISIONAL);
        if (holder.isEmpty()) {
            return registration.table().size() == 1 ? Optional.of(new SingleTopicOfUnknownBroker()) : Optional.empty();
        }
        long held = holder.get().dataVersion().stateVersion();
        long offered = registration.table().dataVersion().stateVersion();
        if (!holder.get().brokerAddr().equals(registration.brokerAddr()) && held > offered) {
            return Optional.of(new StaleStateVersion(holder.get().brokerAddr(), held, offered));
        }
        return Optional.empty();
    }

    private Optional<RegisterBrokerResult> noRoom(TableLimits limits, boolean deleteMissing) {
        boolean replaces = deleteMissing && registration.table().mappings().isEmpty();
        return new TableRoom(tables, limits)
                .reachedBy(registration, from, bringsTopics(), replaces)
                .map(LimitReached::new);
    }

    // ---- writing

    private RegisterBrokerResult accept(
            OfferedTopics offered, boolean deleteMissing, Optional<RegistrationFingerprint> fingerprint) {
        minBrokerIds.watch(registration.brokerName());
        Optional<BrokerData> before = tables.group(registration.brokerName());
        boolean first = held == null;
        if (held != null && !held.equals(registration.brokerAddr())) {
            takeOver(before.orElseThrow().cluster(), held);
        }
        Optional<String> formerCluster =
                before.map(BrokerData::cluster).filter(cluster -> !cluster.equals(registration.clusterName()));
        evictNamesake();
        List<BrokerLiveInfo> movers = formerCluster.map(this::movers).orElseGet(List::of);
        BrokerRemoval.remove(tables, step, minBrokerIds, losers);
        movers.forEach(row -> step.moveMember(row, registration.clusterName()));
        Optional<BrokerLiveInfo> known = tables.live(registration.clusterName(), registration.brokerAddr());
        step.attach(liveRow());
        step.regroup(registration.clusterName(), registration.brokerName(), addrs);

        if (bringsTopics()) {
            boolean versionChanged = known.map(BrokerLiveInfo::dataVersion)
                    .filter(registration.table().dataVersion()::equals)
                    .isEmpty();
            boolean changed = (first || versionChanged) && !standsInForRemembered();
            new RegisteredTopics(tables, step, offered, notices).write(changed, deleteMissing);
        }
        if (registration.filterServers().stated()) {
            step.putFilterServers(
                    registration.key(),
                    registration.brokerName(),
                    registration.filterServers().addresses());
        }
        RouteChange change = step.finish(Cause.REGISTER, Optional.of(from));
        remember(fingerprint, deleteMissing);
        return new Registered(
                change,
                first,
                tables.masterOf(registration.brokerName(), registration.brokerId()),
                minBrokerIds.changes(),
                List.copyOf(notices));
    }

    /** One process listens at an address: where it stands under another name of the cluster, that one leaves. */
    private void evictNamesake() {
        tables.live(registration.clusterName(), registration.brokerAddr())
                .filter(row -> !row.brokerName().equals(registration.brokerName()))
                .ifPresent(row -> evict(row, registration.brokerName(), registration.brokerId()));
    }

    /**
     * A broker name lies in one cluster, that of its latest registration: the others of its group come along. Where one
     * meets its own address under another name there, the one that registered later stays.
     */
    private List<BrokerLiveInfo> movers(String formerCluster) {
        List<BrokerLiveInfo> movers = new ArrayList<>();
        for (String addr : List.copyOf(addrs.values())) {
            Optional<BrokerLiveInfo> found = tables.live(formerCluster, addr)
                    .filter(row -> row.brokerName().equals(registration.brokerName()));
            if (found.isEmpty()) {
                continue;
            }
            BrokerLiveInfo member = found.get();
            Optional<BrokerLiveInfo> occupant = tables.live(registration.clusterName(), addr)
                    .filter(row -> !addr.equals(registration.brokerAddr()));
            if (occupant.isPresent() && occupant.get().registration() > member.registration()) {
                addrs.remove(member.brokerId());
                step.detach(member);
                noteTakenOver(
                        member, occupant.get().brokerName(), occupant.get().brokerId());
            } else {
                occupant.ifPresent(row -> evict(row, member.brokerName(), member.brokerId()));
                movers.add(member);
            }
        }
        notices.add(new RegistrationNotice(
                Kind.GROUP_MOVED, registration.brokerName(), formerCluster, registration.clusterName()));
        return movers;
    }

    private void evict(BrokerLiveInfo loser, String winnerName, long winnerId) {
        losers.add(loser);
        noteTakenOver(loser, winnerName, winnerId);
    }

    private void noteTakenOver(BrokerLiveInfo loser, String winnerName, long winnerId) {
        notices.add(new RegistrationNotice(
                Kind.ADDRESS_TAKEN_OVER,
                loser.brokerAddr(),
                loser.brokerName() + "/" + loser.brokerId(),
                winnerName + "/" + winnerId));
    }

    /** Another address held the id: its rows leave in the same step, or nothing would ever remove them. */
    private void takeOver(String cluster, String held) {
        tables.live(cluster, held).ifPresent(step::detach);
        notices.add(new RegistrationNotice(
                Kind.ID_TAKEN_OVER,
                registration.brokerName() + "/" + registration.brokerId(),
                held,
                registration.brokerAddr()));
    }

    private BrokerLiveInfo liveRow() {
        return new BrokerLiveInfo(
                registration.clusterName(),
                registration.brokerName(),
                registration.brokerId(),
                registration.brokerAddr(),
                registration.haServerAddr(),
                registration.actingMaster() == ActingMaster.ENABLED,
                registration.zoneName(),
                registration.table().dataVersion(),
                now,
                registration.timeoutMillis(),
                from,
                ++tables.registrations,
                BrokerStatus.ALIVE,
                0);
    }

    /**
     * A master does, and the slave with the smallest id, unless it is of 4.x. Members that are remembered from before a
     * restart do not count: were they gone for good, the slave's topics would be confirmed by nobody.
     */
    private boolean bringsTopics() {
        if (registration.isMaster()) {
            return true;
        }
        String cluster =
                tables.group(registration.brokerName()).map(BrokerData::cluster).orElse(registration.clusterName());
        boolean smallest = addrs.headMap(registration.brokerId()).values().stream()
                .allMatch(addr -> tables.live(cluster, addr)
                        .filter(BrokerLiveInfo::isRestored)
                        .isPresent());
        return smallest && registration.actingMaster() != ActingMaster.UNSAID;
    }

    /** Then it confirms and adds: what the smaller ids declared is theirs to change when they are back. */
    private boolean standsInForRemembered() {
        return !addrs.headMap(registration.brokerId()).isEmpty();
    }

    /** It is known again next time, unless an operator should hear once more what there is to say of it. */
    private void remember(Optional<RegistrationFingerprint> fingerprint, boolean deleteMissing) {
        tables.lastRegistrations.remove(registration.brokerName(), registration.key());
        if (notices.isEmpty()) {
            fingerprint
                    .map(print ->
                            new Last(print, deleteMissing, registration.table().summary()))
                    .ifPresent(tables.lastRegistrations::put);
        }
    }
}
