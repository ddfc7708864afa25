package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteChange.WritePermEdit;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A copy of the tables that knows nothing but the edits of each step: what a snapshot or a watcher will hold. Each edit
 * must find the row it says it found.
 */
final class RouteReplica {
    private final Map<BrokerAddrInfo, String> liveRows = new HashMap<>();
    private final Map<String, BrokerData> groups = new TreeMap<>();
    private final Map<String, Map<String, String>> queues = new TreeMap<>();
    private final Map<String, Map<String, TopicQueueMappingInfo>> mappings = new TreeMap<>();
    private final Map<BrokerAddrInfo, List<String>> filterServers = new HashMap<>();
    private final Set<String> withheld = new TreeSet<>();
    private long version;

    /** After a restart: what was kept is what it holds but for the states of the members. */
    void restart(NaiveRoutes model, long versionNow) {
        liveRows.putAll(model.liveRows());
        version = versionNow;
    }

    void apply(RouteChange change) {
        assertThat(change.version()).isEqualTo(change.isEmpty() ? version : version + 1);
        version = change.version();
        for (Edit edit : change.edits()) {
            apply(edit);
        }
    }

    private void apply(Edit edit) {
        if (edit instanceof MemberEdit member) {
            Optional<String> before = member.before().map(NaiveRoutes::describe);
            Optional<String> after = member.after().map(NaiveRoutes::describe);
            BrokerAddrInfo key =
                    member.after().or(member::before).map(BrokerLiveInfo::key).orElseThrow();
            replace(liveRows, key, before, after);
        } else if (edit instanceof GroupEdit group) {
            String name =
                    group.after().or(group::before).map(BrokerData::brokerName).orElseThrow();
            replace(groups, name, group.before(), group.after());
        } else if (edit instanceof QueueEdit queue) {
            String name =
                    queue.after().or(queue::before).map(TopicQueue::brokerName).orElseThrow();
            replaceIn(
                    queues,
                    queue.topic(),
                    name,
                    queue.before().map(RouteReplica::describe),
                    queue.after().map(RouteReplica::describe));
        } else if (edit instanceof MappingEdit mapping) {
            String name = mapping.after()
                    .or(mapping::before)
                    .map(TopicQueueMappingInfo::bname)
                    .orElseThrow();
            replaceIn(mappings, mapping.topic(), name, mapping.before(), mapping.after());
        } else if (edit instanceof FilterServerEdit servers) {
            replace(
                    filterServers,
                    servers.broker(),
                    Optional.of(servers.before()).filter(list -> !list.isEmpty()),
                    Optional.of(servers.after()).filter(list -> !list.isEmpty()));
        } else if (edit instanceof WritePermEdit perm) {
            String name = perm.brokerName();
            assertThat(perm.withheld() ? withheld.add(name) : withheld.remove(name))
                    .as("an edit of the write permission of " + name)
                    .isTrue();
        }
    }

    private static <K, V> void replace(Map<K, V> table, K key, Optional<V> before, Optional<V> after) {
        if (before.equals(after) || !before.equals(Optional.ofNullable(table.get(key)))) {
            throw new AssertionError(
                    "an edit of " + key + " from " + before + " to " + after + " where " + table.get(key) + " is");
        }
        after.ifPresentOrElse(row -> table.put(key, row), () -> table.remove(key));
    }

    private static <V> void replaceIn(
            Map<String, Map<String, V>> table, String topic, String name, Optional<V> before, Optional<V> after) {
        Map<String, V> rows = table.computeIfAbsent(topic, key -> new TreeMap<>());
        replace(rows, name, before, after);
        if (rows.isEmpty()) {
            table.remove(topic);
        }
    }

    private static String describe(TopicQueue queue) {
        char mark = switch (queue.mark()) {
            case NONE -> ' ';
            case WIPED -> 'w';
            case ADDED -> 'a';
            case ADDED_THEN_WIPED -> 'b';
        };
        return queue.declared() + " " + mark;
    }

    /** The tables are those of the model, row by row. */
    void assertEqualTo(NaiveRoutes model) {
        assertThat(liveRows).as("replayed live rows").isEqualTo(model.liveRows());
        assertThat(groups).as("replayed groups").isEqualTo(model.clusterInfo().brokerAddrTable());
        assertThat(queues).as("replayed queues").isEqualTo(model.queueRows());
        assertThat(mappings).as("replayed mappings").isEqualTo(model.mappingRows());
        assertThat(filterServers).as("replayed filter servers").isEqualTo(model.filterServers());
        assertThat(withheld).as("replayed write permissions").isEqualTo(model.withheld());
    }
}
