package io.namesrv.server.processor;

import io.namesrv.core.data.RouteChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who waits, by topic, by broker group and by connection: plain maps behind the lock of {@link RouteWaiters}. A change of
 * the tables is looked up name by name; no look walks over all who wait.
 */
final class WaiterIndex {
    /**
     * What a change concerns of what is waited for.
     *
     * @param brokerNames groups of which some waited-for topic has queues
     */
    record Touched(Set<String> topics, Set<String> brokerNames) {
        boolean isEmpty() {
            return topics.isEmpty() && brokerNames.isEmpty();
        }
    }

    /** A topic that somebody waits for; in {@link #ofBroker} under each of its groups. */
    private static final class Topic {
        final Set<RouteWaiter> waiters = new LinkedHashSet<>();
        final Set<String> brokerNames = new HashSet<>();
    }

    private final int limit;
    private final Map<String, Topic> ofTopic = new HashMap<>();
    private final Map<String, Set<Topic>> ofBroker = new HashMap<>();
    private final Map<Long, Set<RouteWaiter>> ofConnection = new HashMap<>();
    private int size;
    private boolean closed;

    /** With room for so many. */
    WaiterIndex(int limit) {
        this.limit = limit;
    }

    int size() {
        return size;
    }

    /**
     * Takes one in; false if there is no room.
     *
     * @param brokerNames the groups that its topic has queues on
     */
    boolean add(RouteWaiter waiter, Collection<String> brokerNames) {
        if (closed || size >= limit) {
            return false;
        }
        size++;
        Topic topic = ofTopic.computeIfAbsent(waiter.topic(), name -> new Topic());
        topic.waiters.add(waiter);
        for (String name : brokerNames) {
            if (topic.brokerNames.add(name)) {
                ofBroker.computeIfAbsent(name, n -> new HashSet<>()).add(topic);
            }
        }
        ofConnection
                .computeIfAbsent(waiter.connection().id(), id -> new HashSet<>())
                .add(waiter);
        return true;
    }

    /** Takes one out; false if it is not in, since somebody else has taken it. */
    boolean remove(RouteWaiter waiter) {
        Topic topic = ofTopic.get(waiter.topic());
        if (topic == null || !topic.waiters.remove(waiter)) {
            return false;
        }
        size--;
        if (topic.waiters.isEmpty()) {
            ofTopic.remove(waiter.topic());
            topic.brokerNames.forEach(name -> removeFrom(ofBroker, name, topic));
        }
        removeFrom(ofConnection, waiter.connection().id(), waiter);
        return true;
    }

    private static <K, V> void removeFrom(Map<K, Set<V>> index, K key, V value) {
        Set<V> values = index.get(key);
        if (values != null && values.remove(value) && values.isEmpty()) {
            index.remove(key);
        }
    }

    /** Takes all of a connection out. */
    List<RouteWaiter> removeAllOf(long connectionId) {
        List<RouteWaiter> waiters = new ArrayList<>(ofConnection.getOrDefault(connectionId, Set.of()));
        waiters.forEach(this::remove);
        return waiters;
    }

    /** Takes all out, and nobody in any more. */
    List<RouteWaiter> close() {
        closed = true;
        List<RouteWaiter> waiters = all();
        waiters.forEach(this::remove);
        return waiters;
    }

    /** All, those of one topic side by side. */
    List<RouteWaiter> all() {
        List<RouteWaiter> waiters = new ArrayList<>(size);
        ofTopic.values().forEach(topic -> waiters.addAll(topic.waiters));
        return waiters;
    }

    /** What of this is waited for. */
    Touched touched(RouteChange change) {
        Touched touched = new Touched(new HashSet<>(), new HashSet<>());
        if (size > 0) {
            change.forEachTouched(
                    topic -> addIfIn(ofTopic, topic, touched.topics()),
                    name -> addIfIn(ofBroker, name, touched.brokerNames()));
        }
        return touched;
    }

    private static void addIfIn(Map<String, ?> index, String name, Set<String> found) {
        if (index.containsKey(name)) {
            found.add(name);
        }
    }

    /** Those who wait for a topic that is concerned, or that draws on a group that is; of one topic side by side. */
    List<RouteWaiter> of(Touched touched) {
        Set<Topic> topics = new LinkedHashSet<>();
        for (String name : touched.topics()) {
            Topic topic = ofTopic.get(name);
            if (topic != null) {
                topics.add(topic);
            }
        }
        touched.brokerNames().forEach(name -> topics.addAll(ofBroker.getOrDefault(name, Set.of())));
        List<RouteWaiter> waiters = new ArrayList<>();
        topics.forEach(topic -> waiters.addAll(topic.waiters));
        return waiters;
    }

    /** What does not hold between the indexes, a sentence each: for tests. */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        int inTopics = ofTopic.values().stream()
                .mapToInt(topic -> topic.waiters.size())
                .sum();
        int inConnections = ofConnection.values().stream().mapToInt(Set::size).sum();
        if (inTopics != size || inConnections != size) {
            violations.add(size + " wait, of topics " + inTopics + ", of connections " + inConnections);
        }
        Set<Topic> ofBrokers = new HashSet<>();
        ofBroker.values().forEach(ofBrokers::addAll);
        if (!ofTopic.values().containsAll(ofBrokers)) {
            violations.add("a broker has a topic that nobody waits for");
        }
        return violations;
    }
}
