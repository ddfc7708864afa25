package io.namesrv.core.route;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.RegisterTopicResult.Done;
import io.namesrv.core.data.RegisterTopicResult.LimitReached;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The rules by which operators and brokers change topics one by one, apart from registrations. */
final class TopicEdits {
    private TopicEdits() {}

    /** Codes 205 and 327: changes the mark of all topics of a broker. */
    static PermReport mark(
            RouteTables tables, String brokerName, UnaryOperator<TopicQueue> mark, Cause cause, ConnectionId from) {
        RouteStep step = new RouteStep(tables);
        int topics = mark(tables, step, brokerName, mark);
        return new PermReport(topics, step.finish(cause, Optional.of(from)));
    }

    private static int mark(RouteTables tables, RouteStep step, String brokerName, UnaryOperator<TopicQueue> mark) {
        List<TopicRow> rows = tables.topicQueueTable.rowsOf(brokerName);
        BrokerTopics.Finder finder = new BrokerTopics.Finder(brokerName);
        for (TopicRow row : rows) {
            TopicQueue held = finder.in(row);
            if (held != null) {
                step.putQueue(row, held, mark.apply(held));
            }
        }
        return rows.size();
    }

    /**
     * Withholds the write permission of these brokers, known or not, and of no others. The topics of one that gets it back
     * are as it declared them, as 327 leaves them after 205.
     *
     * @param brokerNames immutable
     */
    static RouteChange withholdWrite(RouteTables tables, Set<String> brokerNames) {
        RouteStep step = new RouteStep(tables);
        SortedSet<String> givenBack = new TreeSet<>(tables.writeWithheld);
        givenBack.removeIf(brokerNames::contains);
        step.withholdWrite(brokerNames);
        givenBack.forEach(brokerName -> mark(tables, step, brokerName, TopicQueue::asDeclared));
        return step.finish(Cause.KV_CHANGED, Optional.empty());
    }

    /** Code 216: takes a topic off all brokers, or off those of one cluster, its mappings included. */
    static RouteChange delete(RouteTables tables, String topic, Optional<String> cluster, ConnectionId from) {
        RouteStep step = new RouteStep(tables);
        for (String brokerName : holders(tables, topic)) {
            boolean named = cluster.isEmpty()
                    || tables.group(brokerName)
                            .filter(group -> group.cluster().equals(cluster.get()))
                            .isPresent();
            if (named) {
                step.removeQueue(topic, brokerName);
                step.removeMapping(topic, brokerName);
            }
        }
        return step.finish(Cause.TOPIC_DELETED, Optional.of(from));
    }

    private static SortedSet<String> holders(RouteTables tables, String topic) {
        SortedSet<String> names = new TreeSet<>();
        TopicRow row = tables.topicQueueTable.get(topic);
        if (row != null) {
            row.queues().forEach(queue -> names.add(queue.brokerName()));
        }
        names.addAll(tables.topicQueueMappingInfoTable
                .getOrDefault(topic, new TreeMap<>())
                .keySet());
        return names;
    }

    /** After a change of order configurations, which are key/value settings: their topics' answers are others now. */
    static RouteChange orderConfigChanged(RouteTables tables, Collection<String> topics) {
        RouteStep step = new RouteStep(tables);
        topics.forEach(step::orderConfigChanged);
        return step.finish(Cause.ORDER_CONFIG, Optional.empty());
    }

    /** Code 217: gives a topic these queues, all of them or, if a broker name is unknown, none. */
    static RegisterTopicResult register(
            RouteTables tables, TableLimits limits, String topic, List<QueueData> queues, ConnectionId from) {
        RouteStep step = new RouteStep(tables);
        boolean known = queues.stream().allMatch(queue -> tables.brokerAddrTable.containsKey(queue.brokerName()));
        if (known && !queues.isEmpty()) {
            Optional<ReachedLimit> reached = new TableRoom(tables, limits).reachedBy(topic, queues);
            if (reached.isPresent()) {
                return new LimitReached(reached.get());
            }
            queues.forEach(queue -> step.putQueue(topic, new TopicQueue(queue, Mark.NONE)));
        }
        return new Done(step.finish(Cause.TOPIC_REGISTERED, Optional.of(from)));
    }
}
