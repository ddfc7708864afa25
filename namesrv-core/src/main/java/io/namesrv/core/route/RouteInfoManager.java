package io.namesrv.core.route;

import io.namesrv.core.Guarded;
import io.namesrv.core.PauseClock;
import io.namesrv.core.Ticker;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerMemberGroup;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RepeatedRegistration;
import io.namesrv.core.data.RestoreReport;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChanges;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.ScanReport;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.data.Silence;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.data.TableStatus;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.data.TopicState;
import io.namesrv.core.data.TopicVersion;
import io.namesrv.core.data.VersionedRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The route tables and the one read-write lock that guards them. Each public method is one step under that lock; it may
 * be called from any thread, and what it returns is immutable.
 *
 * <p><b>Tables</b>, as NameServer 5.x has them, with immutable rows in plain maps:
 *
 * <ul>
 *   <li>topicQueueTable: topic → broker name → queues as the broker declared them, and an operator's mark;
 *   <li>brokerAddrTable: broker name → cluster, id → address, acting-master flag, zone;
 *   <li>clusterAddrTable: cluster → broker names;
 *   <li>brokerLiveTable: (cluster, address) → last sign of life, timeout, data version, connection;
 *   <li>filterServerTable: (cluster, address) → filter servers;
 *   <li>topicQueueMappingInfoTable: topic → broker name → mapping of a static topic.
 * </ul>
 *
 * Beside them stands the set of brokers whose write permission is withheld, which follows the key/value settings. Two
 * indexes go with them: connection → its brokers, broker → its topics. No request and no departure walks the topic table;
 * only the list queries do, whose answer it is.
 *
 * <p><b>Invariants</b> after every step ({@link #invariantViolations()} checks them):
 *
 * <ol>
 *   <li>A broker name is in a cluster's set exactly if its group has that cluster; no set is empty.
 *   <li>No group without an address; no topic without queues; no queues or mapping of an unknown broker name.
 *   <li>Every member of a group has a live row and every live row a member: one address stands under one id of one name
 *       in its cluster.
 *   <li>Filter servers have a live row.
 *   <li>Flag and zone of a group are those that its member with the smallest id announced.
 * </ol>
 *
 * <p><b>Lock.</b> Under it there is arithmetic on maps alone. A rule decides first and writes after, so a refusal changes
 * nothing. What should follow from a step (a line in the log, a notification, a connection to close) is returned and
 * done by the caller, after the lock. Every step that changes something has a version, one more than the last.
 *
 * <p><b>Departure.</b> A broker leaves when it unregisters, when the connection of its last registration ends, or when
 * it has been silent for longer than its timeout. The latter two are judged again under the write lock, against the row
 * as it is then: a broker that has come back meanwhile stays. After a pause of this process ({@link PauseClock}) nobody is
 * removed for either, for the time of a grace.
 */
public final class RouteInfoManager {
    private final Guarded<RouteTables> tables = new Guarded<>(new RouteTables());
    private final PauseClock clock;
    private final TableLimits limits;
    private volatile long published;

    /** Empty tables without limits, under a clock that nobody's pauses are known to. */
    public RouteInfoManager(Ticker ticker) {
        this(new PauseClock(ticker), TableLimits.NONE);
    }

    /** Empty tables. */
    public RouteInfoManager(PauseClock clock, TableLimits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    // ---- brokers

    /**
     * Registers a broker.
     *
     * @param from the connection that the registration came over; its end will take the broker away
     * @param deleteMissing whether topics of this broker that the registration does not carry are removed
     */
    public RegisterBrokerResult registerBroker(Registration registration, ConnectionId from, boolean deleteMissing) {
        return registerBroker(registration, from, deleteMissing, Optional.empty());
    }

    /**
     * The same.
     *
     * @param fingerprint what {@link #repeatRegistration} will know it again by
     */
    public RegisterBrokerResult registerBroker(
            Registration registration,
            ConnectionId from,
            boolean deleteMissing,
            Optional<RegistrationFingerprint> fingerprint) {
        long now = clock.millis();
        OfferedTopics untried = new OfferedTopics(registration);
        OfferedTopics offered = tables.read(untried::compare);
        return write(t -> BrokerRegistration.apply(t, limits, offered, from, now, deleteMissing, fingerprint));
    }

    /**
     * Registers a broker whose registration is equal to its last accepted one, if nothing has changed a row of its group
     * since: then its topic table need not be read, and the outcome is as if it had been. Absent, and nothing done, if that
     * is not so.
     */
    public Optional<RepeatedRegistration> repeatRegistration(
            RegistrationFingerprint fingerprint, ConnectionId from, boolean deleteMissing) {
        long now = clock.millis();
        return write(t -> RegistrationRepeat.apply(t, fingerprint, from, now, deleteMissing));
    }

    /**
     * Takes a broker away at its own request. Nothing happens unless the address stands in the named group of the named
     * cluster; under which id it does is of no account, as in NameServer 5.3.3.
     */
    public DepartureReport unregisterBroker(String cluster, String brokerName, String addr, ConnectionId from) {
        return write(t -> BrokerRemoval.apply(
                t,
                t.live(cluster, addr)
                        .filter(row -> row.brokerName().equals(brokerName))
                        .map(List::of)
                        .orElseGet(List::of),
                Cause.UNREGISTER,
                Optional.of(from)));
    }

    /**
     * Takes all brokers away whose last registration came over this connection. In the grace after a pause of this process
     * they become provisional instead: peers that lost patience have closed their connections, and are about to come back.
     */
    public DepartureReport connectionClosed(ConnectionId connection) {
        Optional<ConnectionId> peer = Optional.of(connection);
        boolean nobody = tables.read(t -> t.liveOf(connection).isEmpty());
        if (nobody) {
            return nothingDeparted(Cause.CONNECTION_CLOSED, peer);
        }
        PauseClock.Reading now = clock.read();
        return write(t -> now.inGrace()
                ? BrokerRemoval.doubt(t, t.liveOf(connection), Cause.CONNECTION_CLOSED, peer, now.resumedAt())
                : BrokerRemoval.apply(t, t.liveOf(connection), Cause.CONNECTION_CLOSED, peer));
    }

    /**
     * Looks for brokers that have been silent for longer than their timeout, and takes those away that it finds so for the
     * last time.
     *
     * @param evictionMisses in how many looks in a row, 1 to 3
     */
    public ScanReport scanNotActiveBroker(int evictionMisses) {
        PauseClock.Reading now = clock.read();
        boolean due = tables.read(t -> SilentScan.isDue(t, now));
        if (!due) {
            return new ScanReport(nothingDeparted(Cause.EXPIRED, Optional.empty()), List.of());
        }
        return write(t -> SilentScan.apply(t, now, evictionMisses));
    }

    /** How many brokers a scan would find silent now, and how many there are. */
    public Silence silence() {
        PauseClock.Reading now = clock.read();
        return tables.read(t -> new Silence(
                Math.toIntExact(t.brokerLiveTable.values().stream()
                        .filter(row -> EvictionPolicy.expired(row, now))
                        .count()),
                t.brokerLiveTable.size()));
    }

    private DepartureReport nothingDeparted(Cause cause, Optional<ConnectionId> peer) {
        return new DepartureReport(new RouteChange(version(), cause, peer, List.of()), List.of(), List.of(), List.of());
    }

    /**
     * Notes a sign of life: a heartbeat, or the question for the version that a broker registered last, whatever the answer,
     * as in NameServer 5.3.3. A broker that is not registered stays unknown.
     */
    public SignOfLife signOfLife(String cluster, String addr) {
        long now = clock.millis();
        return write(t -> t.live(cluster, addr)
                .map(row -> SilentScan.seen(t, row, now))
                .orElseGet(() -> SignOfLife.unchanged(Optional.empty(), t.version)));
    }

    /** The available members of a group under their real ids; the cluster is echoed, not checked. */
    public BrokerMemberGroup brokerMemberGroup(String cluster, String brokerName) {
        SortedMap<Long, String> addrs = tables.read(
                t -> t.availableGroup(brokerName).map(BrokerData::brokerAddrs).orElseGet(Collections::emptySortedMap));
        return new BrokerMemberGroup(cluster, brokerName, addrs);
    }

    /** All groups under their real ids, and all clusters. */
    public ClusterInfo clusterInfo() {
        return tables.read(t -> {
            SortedMap<String, BrokerData> groups = new TreeMap<>();
            t.brokerAddrTable.forEach((name, group) -> groups.put(name, group.data()));
            SortedMap<String, SortedSet<String>> clusters = new TreeMap<>();
            t.clusterAddrTable.forEach(
                    (cluster, names) -> clusters.put(cluster, Collections.unmodifiableSortedSet(new TreeSet<>(names))));
            return new ClusterInfo(
                    Collections.unmodifiableSortedMap(groups), Collections.unmodifiableSortedMap(clusters));
        });
    }

    /** Withholds the write bit of all topics of a broker, until its next changed registration at the latest. */
    public PermReport wipeWritePermOfBroker(String brokerName, ConnectionId from) {
        return write(t -> TopicEdits.mark(t, brokerName, TopicQueue::wiped, Cause.PERM_WIPED, from));
    }

    /** Undoes a wipe; topics that were not wiped get the read and write bits. */
    public PermReport addWritePermOfBroker(String brokerName, ConnectionId from) {
        return write(t -> TopicEdits.mark(t, brokerName, TopicQueue::writeAdded, Cause.PERM_ADDED, from));
    }

    /**
     * Withholds the write permission of these brokers, known or not, and of no others: whatever they register, their topics
     * are shown without the write bit. The topics of one that gets it back are as it declared them.
     */
    public RouteChange withholdWritePerm(Set<String> brokerNames) {
        Set<String> names = Set.copyOf(brokerNames);
        return write(t -> TopicEdits.withholdWrite(t, names));
    }

    /** How many topics have queues of a broker. */
    public int topicCount(String brokerName) {
        return tables.read(t -> t.topicQueueTable.topicCount(brokerName));
    }

    // ---- topics

    /**
     * The route of a topic, or absent if no broker has it.
     *
     * @param supportActingMaster whether the smallest id of a group whose master is away is shown as the master, where
     *     the group's brokers allow it
     */
    public Optional<TopicRouteData> pickupTopicRouteData(String topic, boolean supportActingMaster) {
        return tables.read(t -> TopicRouteQuery.find(t, topic, supportActingMaster));
    }

    /** The same with its {@linkplain #topicVersion version}, both of one moment. */
    public VersionedRoute versionedRoute(String topic, boolean supportActingMaster) {
        return tables.read(
                t -> new VersionedRoute(version(t, topic), TopicRouteQuery.find(t, topic, supportActingMaster)));
    }

    /** How a topic stands, or absent if a change is being made at this moment: does not wait. */
    public Optional<TopicVersion> tryTopicVersion(String topic) {
        return tables.tryRead(t -> version(t, topic));
    }

    private static TopicVersion version(RouteTables t, String topic) {
        return new TopicVersion(t.topicVersion(topic), t.version);
    }

    /** The broker groups that a topic has queues on, whether its route shows them or not; any other leaves it alone. */
    public List<String> brokersOf(String topic) {
        return tables.read(t -> Optional.ofNullable(t.topicQueueTable.get(topic)).stream()
                .flatMap(row -> row.queues().stream())
                .map(TopicQueue::brokerName)
                .toList());
    }

    /** Gives topics a new version whose order configuration, which is kept elsewhere, is another one. */
    public RouteChange orderConfigChanged(Collection<String> topics) {
        return write(t -> TopicEdits.orderConfigChanged(t, topics));
    }

    /** Gives a topic queues on brokers that are known; if one of them is not, nothing happens. */
    public RegisterTopicResult registerTopic(String topic, List<QueueData> queues, ConnectionId from) {
        return write(t -> TopicEdits.register(t, limits, topic, queues, from));
    }

    /** Takes a topic off all brokers. */
    public RouteChange deleteTopic(String topic, ConnectionId from) {
        return write(t -> TopicEdits.delete(t, topic, Optional.empty(), from));
    }

    /** Takes a topic off the brokers of one cluster. */
    public RouteChange deleteTopic(String topic, String cluster, ConnectionId from) {
        return write(t -> TopicEdits.delete(t, topic, Optional.of(cluster), from));
    }

    public List<String> allTopicList() {
        return tables.read(TopicLists::all);
    }

    /** The topics of a cluster's brokers, each once; empty for an unknown cluster. */
    public List<String> topicsByCluster(String cluster) {
        return tables.read(t -> TopicLists.ofCluster(t, cluster));
    }

    public SystemTopics systemTopicList() {
        return tables.read(TopicLists::system);
    }

    public List<String> unitTopics() {
        return tables.read(TopicLists::unit);
    }

    public List<String> hasUnitSubTopicList() {
        return tables.read(TopicLists::unitSub);
    }

    public List<String> hasUnitSubUnUnitTopicList() {
        return tables.read(TopicLists::unitSubUnUnit);
    }

    // ---- the tables themselves

    private <R> R write(Function<RouteTables, R> step) {
        return tables.write(t -> {
            try {
                return step.apply(t);
            } finally {
                published = t.version;
            }
        });
    }

    /** Version of the last step that changed something; 0 at first. */
    public long version() {
        return tables.read(t -> t.version);
    }

    /**
     * The same without the lock. It never lags behind a step whose method has returned; a step that is being made may be in
     * the tables already, and not in it yet.
     */
    public long publishedVersion() {
        return published;
    }

    /**
     * Version of the last change that could alter this topic's answer. For a topic without queues it is below 0, and
     * another one after each addition of a topic; so it changes whenever a topic comes or goes, and unknown names store
     * nothing.
     */
    public long topicVersion(String topic) {
        return tables.read(t -> t.topicVersion(topic));
    }

    public TableSizes sizes() {
        return tables.read(RouteTables::sizes);
    }

    /** The tables in numbers, or absent if a change is being made at this moment: does not wait. */
    public Optional<TableStatus> tryStatus() {
        return tables.tryRead(TableCensus::take);
    }

    /** All live rows. */
    public List<BrokerLiveInfo> brokers() {
        return tables.read(t -> List.copyOf(t.brokerLiveTable.values()));
    }

    /** All topics. The lock is held for a copy of references. */
    public List<TopicState> topics() {
        return tables.read(t -> {
            List<TopicState> topics = new ArrayList<>(t.topicQueueTable.size());
            for (TopicRow row : t.topicQueueTable.rows()) {
                topics.add(new TopicState(row.topic(), row.queues(), row.version()));
            }
            return topics;
        });
    }

    /** A topic, or absent if no broker has it. */
    public Optional<TopicState> topic(String name) {
        return tables.read(t -> Optional.ofNullable(t.topicQueueTable.get(name))
                .map(row -> new TopicState(row.topic(), row.queues(), row.version())));
    }

    /** The names of all topics that have queues of a broker. */
    public List<String> topicsOf(String brokerName) {
        return tables.read(t -> t.topicQueueTable.rowsOf(brokerName).stream()
                .map(TopicRow::topic)
                .toList());
    }

    /** All that the tables hold. The lock is held for a copy of references, whatever becomes of it after. */
    public RouteSnapshot snapshot() {
        return tables.read(RouteInfoManager::copy);
    }

    private static RouteSnapshot copy(RouteTables t) {
        List<RouteSnapshot.Member> members = new ArrayList<>(t.brokerLiveTable.size());
        t.brokerLiveTable.forEach((key, row) ->
                members.add(RouteSnapshot.Member.of(row, t.filterServerTable.getOrDefault(key, List.of()))));
        List<RouteSnapshot.Topic> topics = new ArrayList<>(t.topicQueueTable.size());
        t.topicQueueTable.rows().forEach(row -> topics.add(new RouteSnapshot.Topic(row.topic(), row.queues())));
        List<TopicQueueMappingInfo> mappings = new ArrayList<>();
        t.topicQueueMappingInfoTable.values().forEach(byName -> mappings.addAll(byName.values()));
        return new RouteSnapshot(t.version, members, topics, mappings);
    }

    /**
     * Fills the tables, which must be empty, with what they held before a restart. All brokers are provisional then, and go
     * with their topics unless they register.
     *
     * @param timeoutMillis how long they may take for it
     */
    public RestoreReport restore(RouteSnapshot snapshot, long timeoutMillis) {
        long now = clock.millis();
        return write(t -> RouteRestore.apply(t, limits, snapshot, now, timeoutMillis));
    }

    /**
     * Keeps all changes from now on, for {@link #drainChanges()}.
     *
     * @param edits most rows, of all changes together, that are kept between two calls of it
     */
    public void keepChanges(int edits) {
        write(t -> t.changeLog = new RouteChangeLog(edits));
    }

    /** How many rows have changed since the last {@link #drainChanges()}. */
    public int pendingChanges() {
        return tables.read(t -> t.changeLog.size());
    }

    /** The changes since the last call. */
    public RouteChanges drainChanges() {
        return write(t -> t.changeLog.drain());
    }

    /** What all rows together take of the heap, in bytes, about and on the safe side. */
    public long bytes() {
        return tables.read(RouteTables::bytes);
    }

    /** What does not hold of the invariants above, a sentence each. Walks all tables: for tests. */
    public List<String> invariantViolations() {
        return tables.read(RouteInvariants::violations);
    }
}
