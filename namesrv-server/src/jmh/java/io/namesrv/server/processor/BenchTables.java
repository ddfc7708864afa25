package io.namesrv.server.processor;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.route.RouteInfoManager;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Masters that all carry the same topics. */
final class BenchTables {
    private BenchTables() {}

    static RouteInfoManager empty() {
        return new RouteInfoManager(Ticker.system());
    }

    static RouteInfoManager filled(int brokers, int topics) {
        RouteInfoManager routes = empty();
        for (int broker = 0; broker < brokers; broker++) {
            routes.registerBroker(registration(broker, topics, 1, 8), connection(broker), true);
        }
        return routes;
    }

    static ConnectionId connection(int broker) {
        return new ConnectionId(broker + 1);
    }

    static String topic(int number) {
        return "bench-topic-%06d".formatted(number);
    }

    /**
     * What a master says of itself.
     *
     * @param version of its table of topics
     * @param queues of each of its topics
     */
    static Registration registration(int broker, int topics, long version, int queues) {
        List<TopicConfig> table = IntStream.range(0, topics)
                .mapToObj(number -> new TopicConfig(topic(number), queues, queues, 6, 0))
                .toList();
        return new Registration(
                "bench-cluster",
                "broker-" + broker,
                0,
                "10.0.0." + (1 + broker) + ":10911",
                "10.0.0." + (1 + broker) + ":10912",
                ActingMaster.DISABLED,
                "",
                120_000,
                new TopicTable(
                        new DataVersion(0, 1_700_000_000_000L, version), table.size(), table, Set.of(), List.of()),
                FilterServers.NONE);
    }
}
