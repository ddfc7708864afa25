package io.namesrv.core.route;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Makes steps at random, over alphabets so small that they meet again and again. */
final class RandomSteps {
    static final List<String> CLUSTERS = List.of("c1", "c2");
    static final List<String> NAMES = List.of("b1", "b2", "b3");
    static final List<String> ADDRS = List.of("a1", "a2", "a3", "a4", "a5");
    static final List<String> TOPICS = List.of("t1", "t2", "t3", "TBW102", "rmq_sys_SYNC_BROKER_MEMBER_b1");
    private static final List<Long> TIMEOUTS = List.of(5_000L, 20_000L, 120_000L);
    private static final List<DataVersion> VERSIONS =
            List.of(DataVersion.NONE, new DataVersion(0, 7, 1), new DataVersion(1, 7, 1), new DataVersion(1, 7, 2));

    /** One thing that happens to the tables. */
    sealed interface Step {}

    record Register(Registration registration, ConnectionId from, boolean deleteMissing) implements Step {}

    record Unregister(String cluster, String name, String addr) implements Step {}

    record Close(ConnectionId connection) implements Step {}

    record Scan(long millisLater, int evictionMisses) implements Step {}

    record Pause(long millis) implements Step {}

    record Restart() implements Step {}

    record Heartbeat(String cluster, String addr) implements Step {}

    record Query(String cluster, String addr) implements Step {}

    record Wipe(String name) implements Step {}

    record Add(String name) implements Step {}

    record Withhold(Set<String> names) implements Step {}

    record DeleteTopic(String topic) implements Step {}

    record DeleteTopicInCluster(String topic, String cluster) implements Step {}

    record RegisterTopic(String topic, List<QueueData> queues) implements Step {}

    record OrderConfig(String topic) implements Step {}

    private final Random random;
    private final List<Register> sent = new ArrayList<>();

    RandomSteps(long seed) {
        this.random = new Random(seed);
    }

    Step next() {
        int dice = random.nextInt(100);
        if (dice < 42) {
            return register();
        }
        if (dice < 52) {
            return sent.isEmpty() ? register() : sent.get(sent.size() - 1 - random.nextInt(Math.min(4, sent.size())));
        }
        if (dice < 58) {
            return new Unregister(one(CLUSTERS), one(NAMES), one(ADDRS));
        }
        if (dice < 63) {
            return new Close(connection());
        }
        if (dice < 71) {
            return new Scan(random.nextInt(15_000), 1 + random.nextInt(3));
        }
        if (dice < 73) {
            return random.nextInt(3) == 0 ? new Restart() : new Pause(5_001 + random.nextInt(200_000));
        }
        if (dice < 77) {
            return new Heartbeat(one(CLUSTERS), one(ADDRS));
        }
        if (dice < 81) {
            return new Query(one(CLUSTERS), one(ADDRS));
        }
        if (dice < 84) {
            return new Wipe(one(NAMES));
        }
        if (dice < 87) {
            return new Add(one(NAMES));
        }
        if (dice < 89) {
            return withhold();
        }
        if (dice < 92) {
            return new DeleteTopic(one(TOPICS));
        }
        if (dice < 95) {
            return new DeleteTopicInCluster(one(TOPICS), one(CLUSTERS));
        }
        return dice < 98 ? new RegisterTopic(one(TOPICS), queues()) : new OrderConfig(one(TOPICS));
    }

    private Withhold withhold() {
        Set<String> names = new HashSet<>(NAMES);
        names.removeIf(name -> random.nextInt(2) == 0);
        return new Withhold(names);
    }

    private Register register() {
        String name = one(NAMES);
        List<TopicConfig> topics = new ArrayList<>();
        Set<String> skipped = new HashSet<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            topics.add(new TopicConfig(one(TOPICS), 4, 1 + random.nextInt(2), random.nextInt(16), random.nextInt(4)));
        }
        if (random.nextInt(8) == 0) {
            skipped.add(one(TOPICS));
        }
        List<TopicQueueMappingInfo> mappings = new ArrayList<>();
        while (random.nextInt(4) == 0) {
            mappings.add(new TopicQueueMappingInfo(
                    one(TOPICS),
                    "__global__",
                    2,
                    random.nextInt(4) == 0 ? one(NAMES) : name,
                    random.nextInt(3),
                    false,
                    new TreeMap<>(Map.of(0, random.nextInt(2)))));
        }
        TopicTable table = new TopicTable(one(VERSIONS), topics.size() + skipped.size(), topics, skipped, mappings);
        Registration registration = new Registration(
                one(CLUSTERS),
                name,
                random.nextInt(3),
                one(ADDRS),
                one(List.of("", "ha1", "ha2")),
                one(List.of(ActingMaster.values())),
                one(List.of("", "z1")),
                one(TIMEOUTS),
                table,
                one(List.of(
                        FilterServers.NONE,
                        FilterServers.UNSTATED,
                        new FilterServers(true, List.of("f1")),
                        new FilterServers(true, List.of("f1", "f2")))));
        Register step = new Register(registration, connection(), random.nextInt(4) == 0);
        sent.add(step);
        return step;
    }

    private List<QueueData> queues() {
        List<QueueData> queues = new ArrayList<>();
        for (int count = random.nextInt(3); count > 0; count--) {
            queues.add(new QueueData(one(NAMES), 2, 2, random.nextInt(16), random.nextInt(4)));
        }
        return queues;
    }

    private ConnectionId connection() {
        return new ConnectionId(1 + random.nextInt(5));
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
