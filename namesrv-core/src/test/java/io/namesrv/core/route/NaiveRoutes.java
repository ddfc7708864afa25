package io.namesrv.core.route;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.Master;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What the route tables ought to be, told as simply as it can be: a list of members, two maps of what they said about
 * topics, and every answer computed from these by walking them all. It shares no code with the tables.
 */
final class NaiveRoutes {
    /** One registered process, as it announced itself last. */
    private static final class Member {
        String cluster;
        final Registration said;
        ConnectionId connection;
        long timeout;
        long number;
        long lastSeen;
        boolean provisional;

        /** Remembered over a restart: then nothing but a registration has any effect on it. */
        boolean restored;

        int misses;
        boolean hidden;
        List<String> filterServers;

        Member(Registration said, ConnectionId connection, long number, long now, List<String> filterServers) {
            this.cluster = said.clusterName();
            this.said = said;
            this.connection = connection;
            this.timeout = said.timeoutMillis();
            this.number = number;
            this.lastSeen = now;
            this.filterServers = filterServers;
        }

        String name() {
            return said.brokerName();
        }

        long id() {
            return said.brokerId();
        }

        String addr() {
            return said.brokerAddr();
        }

        DataVersion version() {
            return said.table().dataVersion();
        }

        boolean shown() {
            return !hidden;
        }

        boolean announced() {
            return !hidden && !restored;
        }

        boolean available() {
            return !hidden && !provisional;
        }

        void alive() {
            misses = 0;
            hidden = false;
        }

        BrokerStatus state() {
            if (provisional) {
                return BrokerStatus.PROVISIONAL;
            }
            return hidden ? BrokerStatus.NOT_AVAILABLE : misses > 0 ? BrokerStatus.SUSPECT : BrokerStatus.ALIVE;
        }
    }

    /** What a broker declared about a topic, and what an operator did since: w wiped, a added, b added and then wiped, blank nothing. */
    private record Declared(QueueData queue, char mark, boolean restored) {
        Declared(QueueData queue, char mark) {
            this(queue, mark, false);
        }
    }

    /** Whether a registration was taken, and what should follow. */
    record Outcome(
            boolean accepted, boolean stale, boolean first, Optional<Master> master, Set<MinBrokerIdChange> changes) {}

    /** Which members left, and what should follow. */
    record Departed(Set<BrokerAddrInfo> brokers, Set<MinBrokerIdChange> changes, Set<ConnectionId> orphans) {}

    private List<Member> members = new ArrayList<>();
    private final Map<String, Map<String, Declared>> topics = new TreeMap<>();
    private final Map<String, Map<String, TopicQueueMappingInfo>> mappings = new TreeMap<>();
    private Set<String> withheld = Set.of();
    private long registrations;

    /** Where the clock that pauses do not move stood at the last one. */
    private long pausedAt;

    private boolean everPaused;
    private long restoredAt;

    // ---- what changes them

    Outcome register(Registration r, ConnectionId from, long now, boolean deleteMissing) {
        boolean first = members.stream().noneMatch(p -> p.name().equals(r.brokerName()) && p.id() == r.brokerId());
        Optional<Member> holder = members.stream()
                .filter(p -> p.name().equals(r.brokerName()) && p.id() == r.brokerId() && !p.provisional)
                .findFirst();
        boolean sameProcess = holder.isPresent() && holder.get().addr().equals(r.brokerAddr());
        long offered = r.table().dataVersion().stateVersion();
        if (holder.isPresent() && !sameProcess && holder.get().version().stateVersion() > offered) {
            return new Outcome(false, true, false, Optional.empty(), Set.of());
        }
        if (holder.isEmpty() && r.table().size() == 1) {
            return new Outcome(false, false, false, Optional.empty(), Set.of());
        }
        Map<String, SortedMap<Long, String>> before = groups(Member::announced);

        members.removeIf(
                p -> at(p, r.clusterName(), r.brokerAddr()) && !p.name().equals(r.brokerName()));
        members.removeIf(p -> p.name().equals(r.brokerName())
                && p.id() == r.brokerId()
                && !p.addr().equals(r.brokerAddr()));
        Optional<Member> former = members.stream()
                .filter(p -> p.name().equals(r.brokerName()) && p.addr().equals(r.brokerAddr()))
                .findFirst();
        for (Member mover : List.copyOf(members)) {
            if (mover.name().equals(r.brokerName()) && !mover.cluster.equals(r.clusterName())) {
                move(mover, r.clusterName());
            }
        }
        former.ifPresent(members::remove);
        List<String> filterServers = r.filterServers().stated()
                ? r.filterServers().addresses()
                : former.map(p -> p.filterServers).orElse(List.of());
        members.add(new Member(r, from, ++registrations, now, filterServers));

        boolean smallest = members.stream()
                .noneMatch(p -> p.name().equals(r.brokerName()) && p.id() < r.brokerId() && !p.restored);
        if (r.brokerId() == 0 || (smallest && r.actingMaster() != ActingMaster.UNSAID)) {
            boolean standsIn = members.stream()
                    .anyMatch(p -> p.name().equals(r.brokerName()) && p.id() < r.brokerId() && p.restored);
            boolean changed = !standsIn
                    && (first
                            || former.isEmpty()
                            || !former.get().version().equals(r.table().dataVersion()));
            writeTopics(r, changed, deleteMissing);
        }
        sweep();

        Optional<Master> master = r.brokerId() == 0 ? Optional.empty() : masterOf(r.brokerName());
        return new Outcome(true, false, first, master, smallestIdChanges(before));
    }

    /** Where a mover meets its own address under another name, the one that registered later stays. */
    private void move(Member mover, String cluster) {
        Optional<Member> occupant =
                members.stream().filter(p -> at(p, cluster, mover.addr())).findFirst();
        if (occupant.isPresent() && occupant.get().number > mover.number) {
            members.remove(mover);
            return;
        }
        occupant.ifPresent(members::remove);
        mover.cluster = cluster;
    }

    private void writeTopics(Registration r, boolean changed, boolean deleteMissing) {
        Set<String> carried = new HashSet<>(r.table().skipped());
        r.table().topics().forEach(t -> carried.add(t.topicName()));
        if (deleteMissing && r.table().mappings().isEmpty()) {
            for (String topic : List.copyOf(topics.keySet())) {
                if (!carried.contains(topic)
                        && topics.getOrDefault(topic, Map.of()).containsKey(r.brokerName())) {
                    drop(topics, topic, r.brokerName());
                    drop(mappings, topic, r.brokerName());
                }
            }
        }
        r.table().topics().forEach(t -> {
            Map<String, Declared> rows = topics.computeIfAbsent(t.topicName(), k -> new TreeMap<>());
            QueueData queue =
                    new QueueData(r.brokerName(), t.readQueueNums(), t.writeQueueNums(), t.perm(), t.topicSysFlag());
            Declared held = rows.get(r.brokerName());
            if (changed || held == null) {
                rows.put(r.brokerName(), new Declared(queue, ' '));
            } else if (held.restored()) {
                rows.put(r.brokerName(), new Declared(held.queue(), held.mark()));
            }
        });
        for (TopicQueueMappingInfo offered : r.table().mappings()) {
            Map<String, TopicQueueMappingInfo> rows = mappings.computeIfAbsent(offered.topic(), k -> new TreeMap<>());
            TopicQueueMappingInfo held = rows.get(offered.bname());
            boolean newer = held == null || (changed && offered.epoch() >= held.epoch());
            if (offered.bname().equals(r.brokerName()) && newer) {
                rows.put(offered.bname(), offered);
            }
            if (rows.isEmpty()) {
                mappings.remove(offered.topic());
            }
        }
    }

    Departed unregister(String cluster, String name, String addr) {
        return remove(members.stream()
                .filter(p -> at(p, cluster, addr) && p.name().equals(name))
                .toList());
    }

    /**
     * All is forgotten but what is kept, and remembered for two minutes.
     *
     * @param order in which the members come back; who registered after whom is forgotten too
     */
    void restart(long now, List<RouteSnapshot.Member> order) {
        restoredAt = now;
        for (RouteSnapshot.Member kept : order) {
            registrations++;
            members.stream()
                    .filter(p -> at(p, kept.clusterName(), kept.brokerAddr()))
                    .forEach(p -> p.number = registrations);
        }
        for (Member p : members) {
            p.alive();
            p.provisional = true;
            p.restored = true;
            p.lastSeen = now;
            p.timeout = 120_000;
            p.connection = ConnectionId.NONE;
        }
        topics.values().forEach(rows -> rows.replaceAll((name, row) -> new Declared(row.queue(), row.mark(), true)));
    }

    private void forget(long now) {
        if (now - restoredAt <= 120_000 + excuse(restoredAt)) {
            return;
        }
        topics.forEach((topic, rows) -> rows.forEach((name, row) -> {
            if (row.restored()) {
                drop(mappings, topic, name);
            }
        }));
        topics.values().forEach(rows -> rows.values().removeIf(Declared::restored));
        sweep();
    }

    void pause(long now) {
        pausedAt = now;
        everPaused = true;
    }

    private boolean inGrace(long now) {
        return everPaused && now - pausedAt <= 30_000;
    }

    Departed close(ConnectionId connection, long now) {
        if (inGrace(now)) {
            for (Member p : members) {
                if (p.connection.equals(connection)) {
                    p.alive();
                    p.provisional = true;
                    p.lastSeen = pausedAt;
                }
            }
            return new Departed(Set.of(), Set.of(), Set.of());
        }
        return remove(
                members.stream().filter(p -> p.connection.equals(connection)).toList());
    }

    Departed scan(long now, int evictionMisses) {
        if (inGrace(now)) {
            return new Departed(Set.of(), Set.of(), Set.of());
        }
        Map<String, SortedMap<Long, String>> before = groups(Member::announced);
        List<Member> leaving = new ArrayList<>();
        for (Member p : members) {
            if (!isSilent(p, now)) {
                p.alive();
            } else if (p.provisional || p.misses + 1 >= evictionMisses) {
                leaving.add(p);
            } else {
                p.misses++;
                p.hidden = p.misses == evictionMisses - 1;
            }
        }
        Departed departed = remove(leaving, before);
        forget(now);
        return departed;
    }

    private boolean isSilent(Member p, long now) {
        if (p.provisional && !p.restored) {
            return now - p.lastSeen > 30_000;
        }
        return now - p.lastSeen > p.timeout + excuse(p.lastSeen);
    }

    private long excuse(long since) {
        return everPaused && since - pausedAt <= 0 ? 30_000 : 0;
    }

    int silent(long now) {
        return inGrace(now)
                ? 0
                : (int) members.stream().filter(p -> isSilent(p, now)).count();
    }

    private Departed remove(List<Member> leaving) {
        return remove(leaving, groups(Member::announced));
    }

    private Departed remove(List<Member> leaving, Map<String, SortedMap<Long, String>> before) {
        members.removeAll(leaving);
        sweep();
        Set<BrokerAddrInfo> brokers = new HashSet<>();
        Set<ConnectionId> orphans = new HashSet<>();
        for (Member p : leaving) {
            brokers.add(new BrokerAddrInfo(p.cluster, p.addr()));
            if (!p.restored && members.stream().noneMatch(other -> other.connection.equals(p.connection))) {
                orphans.add(p.connection);
            }
        }
        return new Departed(brokers, smallestIdChanges(before), orphans);
    }

    /** What a sign of life does, and whether the broker is known. */
    boolean seen(String cluster, String addr, long now) {
        for (Member p : members) {
            if (at(p, cluster, addr) && !p.restored) {
                p.lastSeen = now;
                p.alive();
            }
        }
        return members.stream().anyMatch(p -> at(p, cluster, addr));
    }

    /** What follows from a sign of life. */
    Set<MinBrokerIdChange> changesAfterSeen(String cluster, String addr, long now) {
        Map<String, SortedMap<Long, String>> before = groups(Member::announced);
        seen(cluster, addr, now);
        return smallestIdChanges(before);
    }

    Optional<DataVersion> queryDataVersion(String cluster, String addr, long now) {
        seen(cluster, addr, now);
        return members.stream()
                .filter(p -> at(p, cluster, addr) && !p.provisional)
                .map(Member::version)
                .findFirst();
    }

    int wipe(String name) {
        return mark(name, true);
    }

    int add(String name) {
        return mark(name, false);
    }

    private int mark(String name, boolean wipe) {
        int count = 0;
        for (Map<String, Declared> rows : topics.values()) {
            Declared held = rows.get(name);
            if (held != null) {
                boolean added = held.mark() == 'a' || held.mark() == 'b';
                boolean wiped = held.mark() == 'w' || held.mark() == 'b';
                char mark = wipe ? (added ? 'b' : 'w') : wiped ? ' ' : 'a';
                rows.put(name, new Declared(held.queue(), mark, held.restored()));
                count++;
            }
        }
        return count;
    }

    /** Brokers that get their write permission back are as they declared themselves. */
    void withhold(Set<String> names) {
        for (Map<String, Declared> rows : topics.values()) {
            rows.replaceAll((name, held) -> withheld.contains(name) && !names.contains(name)
                    ? new Declared(held.queue(), ' ', held.restored())
                    : held);
        }
        withheld = names;
    }

    void deleteTopic(String topic, Optional<String> cluster) {
        for (Map<String, ? extends Map<String, ?>> table : List.of(topics, mappings)) {
            Map<String, ?> rows = table.get(topic);
            if (rows != null) {
                rows.keySet()
                        .removeIf(name -> cluster.isEmpty() || clusterOf(name).equals(cluster));
            }
        }
        sweep();
    }

    void registerTopic(String topic, List<QueueData> queues) {
        if (queues.stream().allMatch(q -> clusterOf(q.brokerName()).isPresent())) {
            for (QueueData q : queues) {
                topics.computeIfAbsent(topic, k -> new TreeMap<>()).put(q.brokerName(), new Declared(q, ' '));
            }
        }
    }

    /** Queues and mappings go with the last process of their name, a topic with its last queues. */
    private void sweep() {
        Set<String> names = new HashSet<>();
        members.forEach(p -> names.add(p.name()));
        topics.values().forEach(rows -> rows.keySet().retainAll(names));
        topics.values().removeIf(Map::isEmpty);
        mappings.values().forEach(rows -> rows.keySet().retainAll(names));
        mappings.values().removeIf(Map::isEmpty);
    }

    private static <V> void drop(Map<String, Map<String, V>> table, String topic, String name) {
        Map<String, V> rows = table.get(topic);
        if (rows != null) {
            rows.remove(name);
        }
    }

    private static boolean at(Member p, String cluster, String addr) {
        return p.cluster.equals(cluster) && p.addr().equals(addr);
    }

    // ---- what is read from them

    private Map<String, SortedMap<Long, String>> groups(Predicate<Member> chosen) {
        Map<String, SortedMap<Long, String>> groups = new TreeMap<>();
        members.stream()
                .filter(chosen)
                .forEach(p ->
                        groups.computeIfAbsent(p.name(), k -> new TreeMap<>()).put(p.id(), p.addr()));
        return groups;
    }

    private Optional<String> clusterOf(String name) {
        return members.stream()
                .filter(p -> p.name().equals(name))
                .map(p -> p.cluster)
                .findFirst();
    }

    private Optional<Member> smallestOf(String name, Predicate<Member> chosen) {
        return members.stream()
                .filter(p -> p.name().equals(name))
                .filter(chosen)
                .min((a, b) -> Long.compare(a.id(), b.id()));
    }

    private Set<MinBrokerIdChange> smallestIdChanges(Map<String, SortedMap<Long, String>> before) {
        Set<MinBrokerIdChange> changes = new HashSet<>();
        groups(Member::announced).forEach((name, group) -> {
            SortedMap<Long, String> former = before.getOrDefault(name, new TreeMap<>());
            Member smallest = smallestOf(name, Member::announced).orElseThrow();
            if (former.isEmpty()
                    || Objects.equals(former.firstKey(), group.firstKey())
                    || smallest.said.actingMaster() != ActingMaster.ENABLED) {
                return;
            }
            List<String> recipients = new ArrayList<>(group.values());
            Optional<String> haServerAddr = Optional.empty();
            Optional<String> offline = Optional.empty();
            if (group.firstKey() < former.firstKey()) {
                haServerAddr = Optional.of(smallest.said.haServerAddr());
                if (recipients.size() > 1) {
                    recipients.remove(smallest.addr());
                }
            } else {
                offline = Optional.of(Objects.requireNonNull(former.get(former.firstKey())));
            }
            changes.add(new MinBrokerIdChange(name, smallest.id(), smallest.addr(), haServerAddr, offline, recipients));
        });
        return changes;
    }

    private BrokerData group(String name, Predicate<Member> chosen, boolean substitute) {
        Member smallest = smallestOf(name, chosen).orElseThrow();
        SortedMap<Long, String> shown = new TreeMap<>(groups(chosen).getOrDefault(name, new TreeMap<>()));
        boolean acting = smallest.said.actingMaster() == ActingMaster.ENABLED;
        if (substitute && acting && smallest.id() != 0) {
            shown.remove(smallest.id());
            shown.put(0L, smallest.addr());
        }
        return new BrokerData(smallest.cluster, name, shown, acting, smallest.said.zoneName());
    }

    Optional<TopicRouteData> route(String topic, boolean supportActingMaster) {
        Map<String, Declared> rows = topics.getOrDefault(topic, Map.of());
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<QueueData> queues = new ArrayList<>();
        List<BrokerData> groups = new ArrayList<>();
        Map<String, List<String>> filterServers = new HashMap<>();
        rows.forEach((name, declared) -> {
            boolean exempt = topic.startsWith("rmq_sys_SYNC_BROKER_MEMBER_");
            Predicate<Member> visible = exempt ? Member::available : Member::shown;
            if (smallestOf(name, visible).isEmpty()) {
                return;
            }
            BrokerData group = group(name, visible, false);
            boolean noMaster = !group.brokerAddrs().containsKey(0L);
            QueueData q = declared.queue();
            int perm = q.perm();
            if (declared.mark() == 'a' || declared.mark() == 'b') {
                perm |= 6;
            }
            if (declared.mark() == 'w' || declared.mark() == 'b' || (group.enableActingMaster() && noMaster)) {
                perm &= ~2;
            }
            if (withheld.contains(name)) {
                perm &= ~2;
            }
            queues.add(new QueueData(name, q.readQueueNums(), q.writeQueueNums(), perm, q.topicSysFlag()));
            groups.add(group(name, visible, !exempt && supportActingMaster && (perm & 2) == 0));
            members.stream()
                    .filter(p -> p.name().equals(name) && !p.filterServers.isEmpty())
                    .filter(visible)
                    .forEach(p -> filterServers.put(p.addr(), p.filterServers));
        });
        if (queues.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new TopicRouteData(
                queues, groups, filterServers, new TreeMap<>(mappings.getOrDefault(topic, Map.of()))));
    }

    ClusterInfo clusterInfo() {
        SortedMap<String, BrokerData> groups = new TreeMap<>();
        SortedMap<String, SortedSet<String>> clusters = new TreeMap<>();
        for (Member p : members) {
            groups.put(p.name(), group(p.name(), q -> true, false));
            clusters.computeIfAbsent(p.cluster, k -> new TreeSet<>()).add(p.name());
        }
        return new ClusterInfo(groups, clusters);
    }

    /** The members that replication may be steered by. */
    SortedMap<Long, String> available(String name) {
        return groups(Member::available).getOrDefault(name, new TreeMap<>());
    }

    Set<String> brokersOf(String topic) {
        return topics.getOrDefault(topic, Map.of()).keySet();
    }

    Set<String> topicNames() {
        return topics.keySet();
    }

    Set<String> topicsOfCluster(String cluster) {
        Set<String> names = new LinkedHashSet<>();
        topics.forEach((topic, rows) -> {
            if (rows.keySet().stream().anyMatch(name -> clusterOf(name).equals(Optional.of(cluster)))) {
                names.add(topic);
            }
        });
        return names;
    }

    /** Topics by the system flag of their first queues: those that have all bits of one mask and none of another. */
    Set<String> topicsWithSysFlag(int has, int hasNot) {
        Set<String> names = new TreeSet<>();
        topics.forEach((topic, rows) -> {
            int flag = rows.values().iterator().next().queue().topicSysFlag();
            if ((flag & has) == has && (flag & hasNot) == 0) {
                names.add(topic);
            }
        });
        return names;
    }

    List<String> systemNames() {
        SortedSet<String> names = new TreeSet<>();
        members.forEach(p -> {
            names.add(p.cluster);
            names.add(p.name());
        });
        return List.copyOf(names);
    }

    boolean knowsSome(SystemTopics answer) {
        Collection<String> addrs = members.stream().map(Member::addr).toList();
        return answer.brokerAddr().map(addrs::contains).orElse(addrs.isEmpty());
    }

    private Optional<Master> masterOf(String name) {
        return members.stream()
                .filter(p -> p.name().equals(name) && p.id() == 0 && p.available())
                .map(p -> new Master(p.addr(), p.said.haServerAddr()))
                .findFirst();
    }

    // ---- the tables as a whole, for comparison with a replica

    /** Live rows without what heartbeats and repeated registrations change silently. */
    Map<BrokerAddrInfo, String> liveRows() {
        Map<BrokerAddrInfo, String> rows = new HashMap<>();
        for (Member p : members) {
            rows.put(
                    new BrokerAddrInfo(p.cluster, p.addr()),
                    describe(
                            p.name(),
                            p.id(),
                            p.said.haServerAddr(),
                            p.said.actingMaster() == ActingMaster.ENABLED,
                            p.said.zoneName(),
                            p.version(),
                            p.timeout,
                            p.state()));
        }
        return rows;
    }

    static String describe(BrokerLiveInfo row) {
        return describe(
                row.brokerName(),
                row.brokerId(),
                row.haServerAddr(),
                row.enableActingMaster(),
                row.zoneName(),
                row.dataVersion(),
                row.timeoutMillis(),
                row.state());
    }

    private static String describe(Object... facts) {
        return List.of(facts).toString();
    }

    Map<BrokerAddrInfo, List<String>> filterServers() {
        Map<BrokerAddrInfo, List<String>> rows = new HashMap<>();
        members.stream()
                .filter(p -> !p.filterServers.isEmpty())
                .forEach(p -> rows.put(new BrokerAddrInfo(p.cluster, p.addr()), p.filterServers));
        return rows;
    }

    Map<String, Map<String, String>> queueRows() {
        Map<String, Map<String, String>> table = new TreeMap<>();
        topics.forEach((topic, rows) ->
                rows.forEach((name, declared) -> table.computeIfAbsent(topic, k -> new TreeMap<>())
                        .put(name, declared.queue() + " " + declared.mark())));
        return table;
    }

    Set<String> withheld() {
        return withheld;
    }

    Map<String, Map<String, TopicQueueMappingInfo>> mappingRows() {
        return mappings;
    }
}
