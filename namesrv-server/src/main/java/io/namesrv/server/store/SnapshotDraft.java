package io.namesrv.server.store;

import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.SharedQueues;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.server.store.SnapshotJson.Fields;
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
        final SortedMap<Long, Fields> members = new TreeMap<>();
    }

    private static final int PROGRESS = 10_000;

    private final IntConsumer progress;
    private final SharedQueues shared = new SharedQueues();

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
                case "mappings" -> each(cursor, fields -> putMapping(fields.mapping()));
                default -> cursor.skip();
            }
        }
    }

    private interface Taker {
        void take(Fields fields);
    }

    private static void each(JsonCursor cursor, Taker taker) {
        cursor.beginArray();
        while (cursor.nextElement()) {
            taker.take(Fields.of(cursor));
        }
    }

    private void addGroup(Fields fields) {
        Group group = putGroup(fields);
        fields.members.forEach(member -> group.members.put(member.number("id"), member));
    }

    private void addTopic(Fields fields) {
        List<TopicQueue> queues = new ArrayList<>(fields.queues.size());
        fields.queues.forEach(queue -> queues.add(shared.share(queue)));
        topics.put(fields.text("topic"), queues);
        if (topics.size() % PROGRESS == 0) {
            progress.accept(topics.size());
        }
    }

    /** Takes one change; false for a kind that is not known. */
    boolean apply(Fields change) {
        switch (change.text("op")) {
            case "putMember" -> putMember(change);
            case "removeMember" -> removeMember(change);
            case "putFilterServers" -> putFilterServers(change);
            case "group" -> {
                if (change.flag("removed")) {
                    dropGroup(change.text("brokerName"));
                } else {
                    putGroup(change);
                }
            }
            case "putQueue" -> putQueue(change.text("topic"), shared.share(change.queue()));
            case "removeQueue" -> removeQueue(change.text("topic"), change.text("brokerName"));
            case "putMapping" -> putMapping(change.mapping());
            case "removeMapping" -> removeMapping(change.text("topic"), change.text("bname"));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void putMember(Fields change) {
        Group group = group(change.text("brokerName"));
        group.cluster = change.text("cluster");
        for (Fields member : List.copyOf(group.members.values())) {
            if (member.text("addr").equals(change.text("addr"))) {
                change.filterServers.addAll(member.filterServers); // a change of theirs is one of its own
                group.members.remove(member.number("id"));
            }
        }
        group.members.put(change.number("id"), change);
    }

    private void removeMember(Fields change) {
        Group group = group(change.text("brokerName"));
        if (group.cluster.equals(change.text("cluster"))) {
            group.members.values().removeIf(member -> member.text("addr").equals(change.text("addr")));
        }
    }

    private void putFilterServers(Fields change) {
        for (Group group : groups.values()) {
            for (Fields member : group.members.values()) {
                if (group.cluster.equals(change.text("cluster"))
                        && member.text("addr").equals(change.text("addr"))) {
                    member.filterServers.clear();
                    member.filterServers.addAll(change.filterServers);
                }
            }
        }
    }

    private Group putGroup(Fields fields) {
        Group group = group(fields.text("brokerName"));
        group.cluster = fields.text("cluster");
        group.actingMaster = fields.flag("enableActingMaster");
        group.zoneName = fields.text("zoneName");
        return group;
    }

    private Group group(String brokerName) {
        return groups.computeIfAbsent(brokerName, name -> new Group());
    }

    private void putQueue(String topic, TopicQueue queue) {
        List<TopicQueue> queues = topics.computeIfAbsent(topic, name -> new ArrayList<>(1));
        queues.removeIf(row -> row.brokerName().equals(queue.brokerName()));
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
