package io.namesrv.server.admin;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicState;
import io.namesrv.core.route.RouteInfoManager;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables as the pages show them: copied every 250 ms at most, whoever asks and however often, so that no number of
 * consoles comes to the lock of the routes more often. The copy of the topics is made anew only if the tables have changed.
 */
final class TablesView {
    private static final Duration AGE_MAX = Duration.ofMillis(250);

    private static final String BROKER = "broker ";
    private static final String CLUSTER = "cluster ";

    private static final Comparator<BrokerLiveInfo> BY_NAME = Comparator.comparing(BrokerLiveInfo::clusterName)
            .thenComparing(BrokerLiveInfo::brokerName)
            .thenComparing(BrokerLiveInfo::brokerId);

    /**
     * A copy of something.
     *
     * @param version of the tables, at the time or before it
     */
    record Copied<T>(T value, long version) {}

    /** A copy that is made again when it is old. */
    private final class Copy<T> {
        private final Function<RouteInfoManager, T> maker;
        private final boolean byVersion;
        private @Nullable Copied<T> last;
        private long madeAt;

        Copy(Function<RouteInfoManager, T> maker, boolean byVersion) {
            this.maker = maker;
            this.byVersion = byVersion;
        }

        synchronized Copied<T> get() {
            long now = nanoTime.getAsLong();
            Copied<T> made = last;
            if (made != null && now - madeAt < AGE_MAX.toNanos()) {
                return made;
            }
            long current = routes.publishedVersion();
            if (made == null || !byVersion || made.version() != current) {
                made = new Copied<>(maker.apply(routes), current);
                last = made;
            }
            madeAt = now;
            return made;
        }
    }

    private final RouteInfoManager routes;
    private final LongSupplier nanoTime;
    private final Copy<List<BrokerLiveInfo>> brokers =
            new Copy<>(tables -> tables.brokers().stream().sorted(BY_NAME).toList(), false);
    private final Copy<ClusterInfo> clusters = new Copy<>(RouteInfoManager::clusterInfo, true);
    private final Copy<List<TopicState>> topics = new Copy<>(
            tables -> tables.topics().stream()
                    .sorted(Comparator.comparing(TopicState::topic))
                    .toList(),
            true);

    /** Of this process: version numbers begin anew with each start. */
    private final String epoch = Long.toHexString(ThreadLocalRandom.current().nextLong());

    private final Copy<Map<String, Integer>> topicCounts = new Copy<>(tables -> countTopics(), true);

    TablesView(RouteInfoManager routes, LongSupplier nanoTime) {
        this.routes = routes;
        this.nanoTime = nanoTime;
    }

    /** In order of cluster, name and id. */
    List<BrokerLiveInfo> brokers() {
        return brokers.get().value();
    }

    ClusterInfo clusters() {
        return clusters.get().value();
    }

    /** In order of names. */
    List<TopicState> topics() {
        return topics.get().value();
    }

    /** The same with their version. */
    Copied<List<TopicState>> versionedTopics() {
        return topics.get();
    }

    /** What is the same as long as that copy is, and never again after a start, as an ETag. */
    String tag(Copied<?> copy) {
        return "\"" + epoch + "-" + copy.version() + "\"";
    }

    /** How many topics have queues of a broker group. */
    int topicsOfBroker(String brokerName) {
        return topicCounts.get().value().getOrDefault(BROKER + brokerName, 0);
    }

    /** How many topics have queues of a cluster's broker groups. */
    int topicsOfCluster(String cluster) {
        return topicCounts.get().value().getOrDefault(CLUSTER + cluster, 0);
    }

    /** All in one walk, of which there is one for each version at most. */
    private Map<String, Integer> countTopics() {
        Map<String, BrokerData> groups = clusters().brokerAddrTable();
        Map<String, Integer> counts = new HashMap<>();
        Set<String> clustersOfTopic = new HashSet<>();
        for (TopicState topic : topics()) {
            clustersOfTopic.clear();
            for (TopicQueue queue : topic.queues()) {
                counts.merge(BROKER + queue.brokerName(), 1, Integer::sum);
                BrokerData group = groups.get(queue.brokerName());
                if (group != null && clustersOfTopic.add(group.cluster())) {
                    counts.merge(CLUSTER + group.cluster(), 1, Integer::sum);
                }
            }
        }
        return counts;
    }
}
