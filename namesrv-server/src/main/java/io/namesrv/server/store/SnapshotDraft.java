package io.namesrv.server.store;

import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.server.store.SafeFile.BadContentException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** A snapshot that is being put together, from a full file and the changes after it. Takes whatever a file may say. */
final class SnapshotDraft {
    private static final class Group {
        String cluster = "";
        boolean actingMaster;
        String zoneName = "";
        final SortedMap<Long, SnapshotRow> members = new TreeMap<>();
    }

    private static final int PROGRESS = 10_000;

    private final IntConsumer progress;
    private final KnownQueues known = new KnownQueues();

    /** broker → topics that have, or had, queues of it; made when it is first needed. */
    private Optional<Map<String, Set<String>>> topicsOf = Optional.empty();

    private final Map<String, Group> groups = new TreeMap<>();
    private final Map<String, List<TopicQueue>> topics = new LinkedHashMap<>();
    private final Map<String, Map<String, TopicQueueMappingInfo>> mappings = new HashMap<>();

    /**
     * Makes an empty one.
     *
     * @param progress told how many topics a full file had so far, every now and then
     */
    SnapshotDraft(IntConsumer progress) {
        this.progress = progress;
    }

    /** Takes the payload of a full file. */
    void addAll(JsonCursor cursor) {
        cursor.beginObject();
        while (cursor.nextMember()) {
            switch (cursor.name()) {
                case "groups" -> each(cursor, this::addGroup);
                case "topics" -> each(cursor, this::addTopic);
                case "mappings" -> each(cursor, row -> putMapping(row.mapping()));
                default -> cursor.skip();
            }
        }
    }

    private interface Taker {
        void take(SnapshotRow row);
    }

    private void each(JsonCursor cursor, Taker taker) {
        cursor.beginArray();
        while (cursor.nextElement()) {
            taker.take(SnapshotRow.of(cursor, known));
        }
    }

    private void addGroup(SnapshotRow row) {
        Group group = putGroup(row);
        row.members.forEach(member -> group.members.put(member.id, member));
    }

    private void addTopic(SnapshotRow row) {
        topics.put(row.topic, row.queues);
        if (topics.size() % PROGRESS == 0) {
            progress.accept(topics.size());
        }
    }

    /** A cursor over a part of a file's content. */
    JsonCursor cursor(byte[] content, int offset, int length) {
        return JsonCursor.sharing(known.texts, content, offset, length, SnapshotRow.MAX_DEPTH);
    }

    /**
     * Takes one change, which is all that is left of the text.
     *
     * @param n the number that it must have
     */
    void apply(JsonCursor cursor, long n) throws BadContentException {
        SnapshotRow change = SnapshotRow.of(cursor, known);
        cursor.end();
        if (change.n != n) {
            throw new BadContentException("line " + n + " has the number " + change.n);
        }
        switch (change.op) {
            case "putMember" -> putMember(change);
            case "removeMember" -> removeMember(change);
            case "putFilterServers" -> putFilterServers(change);
            case "group" -> {
                if (change.removed) {
                    dropGroup(change.brokerName);
                } else {
                    putGroup(change);
                }
            }
            case "putQueue" -> putQueue(change.topic, known.share(change.queue()));
            case "putQueues" -> {
                TopicQueue queue = known.share(change.queue());
                change.topics.forEach(topic -> putQueue(topic, queue));
            }
            case "removeQueue" -> removeQueue(change.topic, change.brokerName);
            case "putMapping" -> putMapping(change.mapping());
            case "removeMapping" -> removeMapping(change.topic, change.bname);
            default -> throw new BadContentException("line " + n + " is of no known kind");
        }
    }

    private void putMember(SnapshotRow change) {
        Group group = group(change.brokerName);
        group.cluster = change.cluster;
        for (SnapshotRow member : List.copyOf(group.members.values())) {
            if (member.addr.equals(change.addr)) {
                change.filterServers = member.filterServers; // a change of theirs is one of its own
                group.members.remove(member.id);
            }
        }
        group.members.put(change.id, change);
    }

    private void removeMember(SnapshotRow change) {
        Group group = group(change.brokerName);
        if (group.cluster.equals(change.cluster)) {
            group.members.values().removeIf(member -> member.addr.equals(change.addr));
        }
    }

    private void putFilterServers(SnapshotRow change) {
        for (Group group : groups.values()) {
            for (SnapshotRow member : group.members.values()) {
                if (group.cluster.equals(change.cluster) && member.addr.equals(change.addr)) {
                    member.filterServers = change.filterServers;
                }
            }
        }
    }

    private Group putGroup(SnapshotRow row) {
        Group group = group(row.brokerName);
        group.cluster = row.cluster;
        group.actingMaster = row.enableActingMaster;
        group.zoneName = row.zoneName;
        return group;
    }

    private Group group(String brokerName) {
        return groups.computeIfAbsent(brokerName, name -> new Group());
    }

    private void putQueue(String topic, TopicQueue queue) {
        List<TopicQueue> queues = topics.computeIfAbsent(topic, name -> new ArrayList<>(1));
        for (int i = 0; i < queues.size(); i++) {
            if (queues.get(i).brokerName().equals(queue.brokerName())) {
                queues.set(i, queue);
                return;
            }
        }
        queues.add(queue);
        topicsOf.ifPresent(index -> index.computeIfAbsent(queue.brokerName(), name -> new HashSet<>())
                .add(topic));
    }

    private void removeQueue(String topic, String brokerName) {
        List<TopicQueue> queues = topics.getOrDefault(topic, List.of());
        if (!queues.isEmpty() && queues.removeIf(row -> row.brokerName().equals(brokerName)) && queues.isEmpty()) {
            topics.remove(topic);
        }
    }

    private void removeMapping(String topic, String brokerName) {
        Map<String, TopicQueueMappingInfo> rows = mappings.getOrDefault(topic, Map.of());
        if (rows.containsKey(brokerName)) {
            rows.remove(brokerName);
            if (rows.isEmpty()) {
                mappings.remove(topic);
            }
        }
    }

    private void dropGroup(String brokerName) {
        groups.remove(brokerName);
        Set<String> had = index().getOrDefault(brokerName, Set.of());
        had.forEach(topic -> removeQueue(topic, brokerName));
        index().remove(brokerName);
        List.copyOf(mappings.keySet()).forEach(topic -> removeMapping(topic, brokerName));
    }

    private Map<String, Set<String>> index() {
        if (topicsOf.isEmpty()) {
            Map<String, Set<String>> index = new HashMap<>();
            topics.forEach((topic, queues) ->
                    queues.forEach(queue -> index.computeIfAbsent(queue.brokerName(), name -> new HashSet<>())
                            .add(topic)));
            topicsOf = Optional.of(index);
        }
        return topicsOf.get();
    }

    private void putMapping(TopicQueueMappingInfo mapping) {
        mappings.computeIfAbsent(mapping.topic(), topic -> new TreeMap<>()).put(mapping.bname(), mapping);
    }

    /** What has been put together. */
    RouteSnapshot finish() {
        List<Member> members = new ArrayList<>();
        groups.forEach((name, group) -> group.members
                .values()
                .forEach(
                        member -> members.add(member.member(group.cluster, name, group.actingMaster, group.zoneName))));
        List<Topic> rows = new ArrayList<>(topics.size());
        topics.forEach((topic, queues) -> rows.add(new Topic(topic, List.copyOf(queues))));
        List<TopicQueueMappingInfo> mapped = new ArrayList<>();
        mappings.values().forEach(byName -> mapped.addAll(byName.values()));
        return new RouteSnapshot(0, members, rows, mapped);
    }
}
