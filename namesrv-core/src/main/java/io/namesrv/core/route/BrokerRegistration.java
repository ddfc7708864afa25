package io.namesrv.core.route;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.Master;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.SingleTopicOfUnknownBroker;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RegistrationNotice;
import io.namesrv.core.data.RegistrationNotice.Kind;
import io.namesrv.core.data.RouteChange.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

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
    private final List<RegistrationNotice> notices = new ArrayList<>();
    private final List<MinBrokerIdChange> minBrokerIdChanges = new ArrayList<>();

    private BrokerRegistration(RouteTables tables, Registration registration, ConnectionId from, long now) {
        this.tables = tables;
        this.step = new RouteStep(tables);
        this.registration = registration;
        this.from = from;
        this.now = now;
    }

    /**
     * One whole step.
     *
     * @param deleteMissing whether topics of this broker that the registration does not carry are removed
     */
    static RegisterBrokerResult apply(
            RouteTables tables, Registration registration, ConnectionId from, long now, boolean deleteMissing) {
        return refusal(tables, registration)
                .orElseGet(() -> new BrokerRegistration(tables, registration, from, now).accept(deleteMissing));
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

    // ---- writing

    private RegisterBrokerResult accept(boolean deleteMissing) {
        moveGroup();
        evictNamesake();

        Optional<BrokerData> before = tables.group(registration.brokerName());
        Optional<BrokerLiveInfo> known = tables.live(registration.clusterName(), registration.brokerAddr());
        SortedMap<Long, String> addrs =
                new TreeMap<>(before.map(BrokerData::brokerAddrs).orElseGet(TreeMap::new));
        addrs.entrySet()
                .removeIf(member -> member.getValue().equals(registration.brokerAddr())
                        && member.getKey() != registration.brokerId());
        String held = addrs.put(registration.brokerId(), registration.brokerAddr());
        boolean first = held == null;
        if (held != null && !held.equals(registration.brokerAddr())) {
            takeOver(held);
        }
        step.attach(liveRow());
        step.regroup(registration.clusterName(), registration.brokerName(), addrs);

        if (bringsTopics(addrs)) {
            boolean versionChanged = known.map(BrokerLiveInfo::dataVersion)
                    .filter(registration.table().dataVersion()::equals)
                    .isEmpty();
            new RegisteredTopics(tables, step, registration, notices).write(first || versionChanged, deleteMissing);
        }
        if (registration.filterServers().stated()) {
            step.putFilterServers(
                    registration.key(), registration.filterServers().addresses());
        }
        BrokerData after = tables.group(registration.brokerName()).orElseThrow();
        before.flatMap(b -> MinBrokerIds.afterRegistration(b, after, registration.haServerAddr()))
                .ifPresent(minBrokerIdChanges::add);
        return new Registered(
                step.finish(Cause.REGISTER, Optional.of(from)),
                first,
                master(after),
                List.copyOf(minBrokerIdChanges),
                List.copyOf(notices));
    }

    /** A broker name lies in one cluster, that of its latest registration: the others of its group come along. */
    private void moveGroup() {
        Optional<BrokerData> former = tables.group(registration.brokerName())
                .filter(group -> !group.cluster().equals(registration.clusterName()));
        if (former.isEmpty()) {
            return;
        }
        makeRoom(former.get());
        tables.group(registration.brokerName()).ifPresent(group -> step.moveGroup(group, registration.clusterName()));
        notices.add(new RegistrationNotice(
                Kind.GROUP_MOVED, registration.brokerName(), former.get().cluster(), registration.clusterName()));
    }

    /** Where a moving member meets its own address under another name, the one that registered later stays. */
    private void makeRoom(BrokerData group) {
        for (String addr : group.brokerAddrs().values()) {
            Optional<BrokerLiveInfo> mover = tables.live(group.cluster(), addr);
            Optional<BrokerLiveInfo> occupant = tables.live(registration.clusterName(), addr);
            if (mover.isPresent() && occupant.isPresent()) {
                boolean moverIsLater =
                        mover.get().registration() > occupant.get().registration();
                BrokerLiveInfo winner = moverIsLater ? mover.get() : occupant.get();
                BrokerLiveInfo loser = moverIsLater ? occupant.get() : mover.get();
                depart(loser, winner.brokerName(), winner.brokerId());
            }
        }
    }

    /** One process listens at an address: where it stands under another name of the cluster, that one leaves. */
    private void evictNamesake() {
        tables.live(registration.clusterName(), registration.brokerAddr())
                .filter(row -> !row.brokerName().equals(registration.brokerName()))
                .ifPresent(row -> depart(row, registration.brokerName(), registration.brokerId()));
    }

    private void depart(BrokerLiveInfo loser, String winnerName, long winnerId) {
        minBrokerIdChanges.addAll(BrokerRemoval.remove(tables, step, List.of(loser)));
        notices.add(new RegistrationNotice(
                Kind.ADDRESS_TAKEN_OVER,
                loser.brokerAddr(),
                loser.brokerName() + "/" + loser.brokerId(),
                winnerName + "/" + winnerId));
    }

    /** Another address held the id: its rows leave in the same step, or nothing would ever remove them. */
    private void takeOver(String held) {
        tables.live(registration.clusterName(), held).ifPresent(step::detach);
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
                BrokerStatus.ALIVE);
    }

    /** A master does, and the slave with the smallest id, unless it is of 4.x. */
    private boolean bringsTopics(SortedMap<Long, String> addrs) {
        boolean primeSlave =
                registration.actingMaster() != ActingMaster.UNSAID && addrs.firstKey() == registration.brokerId();
        return registration.isMaster() || primeSlave;
    }

    private Optional<Master> master(BrokerData group) {
        if (registration.isMaster() || !group.hasMaster()) {
            return Optional.empty();
        }
        return tables.live(group.cluster(), group.minBrokerAddr())
                .filter(live -> live.state() == BrokerStatus.ALIVE || live.state() == BrokerStatus.SUSPECT)
                .map(live -> new Master(live.brokerAddr(), live.haServerAddr()));
    }
}
