package io.namesrv.core.route;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Test data with telling defaults: a 5.x master and its slave, two topics each, acting master off. */
final class Fixtures {
    static final String CLUSTER = "cluster-1";
    static final String OTHER_CLUSTER = "cluster-2";
    static final String BROKER = "broker-a";
    static final String OTHER_BROKER = "broker-b";
    static final String MASTER_ADDR = "10.0.0.1:10911";
    static final String SLAVE_ADDR = "10.0.0.2:10911";
    static final String THIRD_ADDR = "10.0.0.3:10911";
    static final ConnectionId CONNECTION = new ConnectionId(1);
    static final ConnectionId OTHER_CONNECTION = new ConnectionId(2);
    static final ConnectionId OPERATOR = new ConnectionId(99);
    static final DataVersion VERSION = new DataVersion(0, 1_700_000_000_000L, 3);
    static final DataVersion NEXT_VERSION = new DataVersion(0, 1_700_000_000_000L, 4);
    static final TopicConfig ORDERS = topic("orders");
    static final TopicConfig TBW102 = new TopicConfig("TBW102", 8, 8, 7, 0);

    private Fixtures() {}

    /** The master of broker-a. */
    static RegistrationBuilder master() {
        return new RegistrationBuilder();
    }

    /** The slave 1 of broker-a. */
    static RegistrationBuilder slave() {
        return new RegistrationBuilder().id(1).addr(SLAVE_ADDR);
    }

    /** The master of broker-b, at an address of its own. */
    static RegistrationBuilder otherMaster() {
        return new RegistrationBuilder().name(OTHER_BROKER).addr(THIRD_ADDR);
    }

    /** A topic that can be read and written, with four queues each way. */
    static TopicConfig topic(String name) {
        return new TopicConfig(name, 4, 4, 6, 0);
    }

    static TopicConfig topicWithPerm(String name, int perm) {
        return new TopicConfig(name, 4, 4, perm, 0);
    }

    static TopicConfig topicWithSysFlag(String name, int sysFlag) {
        return new TopicConfig(name, 4, 4, 6, sysFlag);
    }

    static DataVersion stateVersion(long stateVersion) {
        return new DataVersion(stateVersion, VERSION.timestamp(), VERSION.counter());
    }

    static TopicQueueMappingInfo mapping(String topic, String brokerName, long epoch) {
        return new TopicQueueMappingInfo(
                topic, "__global__", 2, brokerName, epoch, false, new TreeMap<>(Map.of(0, 0, 1, 1)));
    }

    static SortedMap<Long, String> addrs(long id, String addr) {
        return new TreeMap<>(Map.of(id, addr));
    }

    static SortedMap<Long, String> addrs(long id, String addr, long otherId, String otherAddr) {
        return new TreeMap<>(Map.of(id, addr, otherId, otherAddr));
    }

    static BrokerData group(SortedMap<Long, String> addrs) {
        return new BrokerData(CLUSTER, BROKER, addrs, false, "");
    }

    /** What one master makes of a route that nothing else takes part in. */
    static TopicRouteData route(QueueData queue, BrokerData group) {
        return new TopicRouteData(List.of(queue), List.of(group), Map.of(), new TreeMap<>());
    }

    static BrokerLiveInfo liveRow(Registration registration, long lastSeen) {
        return new BrokerLiveInfo(
                registration.clusterName(),
                registration.brokerName(),
                registration.brokerId(),
                registration.brokerAddr(),
                registration.haServerAddr(),
                registration.actingMaster() == ActingMaster.ENABLED,
                registration.zoneName(),
                registration.table().dataVersion(),
                lastSeen,
                registration.timeoutMillis(),
                CONNECTION,
                1,
                BrokerStatus.ALIVE,
                0);
    }

    /** One request 103. */
    static final class RegistrationBuilder {
        private String cluster = CLUSTER;
        private String name = BROKER;
        private long id;
        private String addr = MASTER_ADDR;
        private String haServerAddr = "";
        private ActingMaster actingMaster = ActingMaster.DISABLED;
        private String zone = "";
        private long timeoutMillis = 120_000;
        private DataVersion version = VERSION;
        private List<TopicConfig> topics = List.of(ORDERS, TBW102);
        private Set<String> skipped = Set.of();
        private List<TopicQueueMappingInfo> mappings = List.of();
        private FilterServers filterServers = FilterServers.NONE;

        RegistrationBuilder cluster(String value) {
            cluster = value;
            return this;
        }

        RegistrationBuilder name(String value) {
            name = value;
            return this;
        }

        RegistrationBuilder id(long value) {
            id = value;
            return this;
        }

        RegistrationBuilder addr(String value) {
            addr = value;
            return this;
        }

        RegistrationBuilder haServerAddr(String value) {
            haServerAddr = value;
            return this;
        }

        /** A broker of 4.x does not speak of acting masters. */
        RegistrationBuilder old() {
            return actingMaster(ActingMaster.UNSAID);
        }

        RegistrationBuilder acting() {
            return actingMaster(ActingMaster.ENABLED);
        }

        RegistrationBuilder actingMaster(ActingMaster value) {
            actingMaster = value;
            return this;
        }

        RegistrationBuilder zone(String value) {
            zone = value;
            return this;
        }

        RegistrationBuilder timeoutMillis(long value) {
            timeoutMillis = value;
            return this;
        }

        RegistrationBuilder version(DataVersion value) {
            version = value;
            return this;
        }

        RegistrationBuilder topics(TopicConfig... values) {
            topics = List.of(values);
            return this;
        }

        RegistrationBuilder topics(List<TopicConfig> values) {
            topics = values;
            return this;
        }

        /** Names of topics that the body has but that broke a rule. */
        RegistrationBuilder skipped(String... values) {
            skipped = Set.of(values);
            return this;
        }

        RegistrationBuilder mappings(TopicQueueMappingInfo... values) {
            mappings = List.of(values);
            return this;
        }

        RegistrationBuilder mappings(List<TopicQueueMappingInfo> values) {
            mappings = values;
            return this;
        }

        RegistrationBuilder filterServers(String... values) {
            return filterServers(new FilterServers(true, List.of(values)));
        }

        RegistrationBuilder filterServers(FilterServers value) {
            filterServers = value;
            return this;
        }

        Registration build() {
            return new Registration(
                    cluster,
                    name,
                    id,
                    addr,
                    haServerAddr,
                    actingMaster,
                    zone,
                    timeoutMillis,
                    new TopicTable(version, topics.size() + skipped.size(), topics, skipped, mappings),
                    filterServers);
        }
    }

    /** Tables with a clock of their own, and what tests ask of them again and again. */
    static final class Bench {
        final FakeTicker ticker = new FakeTicker();
        final RouteInfoManager routes;

        Bench() {
            this(TableLimits.NONE);
        }

        Bench(TableLimits limits) {
            routes = new RouteInfoManager(new PauseClock(ticker), limits);
        }

        /** Gives a topic queues of its own; there must be room for it. */
        RouteChange registerTopic(String topic, List<QueueData> queues) {
            if (routes.registerTopic(topic, queues, OPERATOR) instanceof RegisterTopicResult.Done done) {
                return done.change();
            }
            throw new AssertionError("no room for " + topic);
        }

        /** Registers over {@link #CONNECTION}; it must be accepted. */
        Registered register(RegistrationBuilder broker) {
            return register(broker, CONNECTION);
        }

        Registered register(RegistrationBuilder broker, ConnectionId from) {
            return accepted(routes.registerBroker(broker.build(), from, false));
        }

        /** Registers with deleteTopicWithBrokerRegistration. */
        Registered registerDeletingMissing(RegistrationBuilder broker) {
            return accepted(routes.registerBroker(broker.build(), CONNECTION, true));
        }

        RegisterBrokerResult offer(RegistrationBuilder broker) {
            return routes.registerBroker(broker.build(), OTHER_CONNECTION, false);
        }

        private static Registered accepted(RegisterBrokerResult result) {
            if (result instanceof Registered registered) {
                return registered;
            }
            throw new AssertionError("not accepted: " + result);
        }

        TopicRouteData route(String topic) {
            return routes.pickupTopicRouteData(topic, false).orElseThrow();
        }

        TopicRouteData actingRoute(String topic) {
            return routes.pickupTopicRouteData(topic, true).orElseThrow();
        }

        /** Permission as shown of the topic on broker-a; absent if it has no queues there. */
        Optional<Integer> perm(String topic) {
            return routes.pickupTopicRouteData(topic, false)
                    .flatMap(route -> route.queueDatas().stream()
                            .filter(queue -> queue.brokerName().equals(BROKER))
                            .findFirst())
                    .map(QueueData::perm);
        }

        SortedMap<Long, String> members(String brokerName) {
            return routes.brokerMemberGroup("", brokerName).brokerAddrs();
        }

        List<String> topics() {
            return routes.allTopicList().stream().sorted().toList();
        }

        Picture picture() {
            return Picture.of(routes);
        }
    }

    /** Everything that can be read from the tables without leaving a trace. */
    record Picture(
            long version,
            TableSizes sizes,
            ClusterInfo clusters,
            Map<String, TopicRouteData> routes,
            Map<String, TopicRouteData> actingRoutes,
            Map<String, Long> topicVersions,
            List<String> violations) {
        static Picture of(RouteInfoManager routes) {
            Map<String, TopicRouteData> plain = new TreeMap<>();
            Map<String, TopicRouteData> acting = new TreeMap<>();
            Map<String, Long> versions = new TreeMap<>();
            for (String topic : new ArrayList<>(routes.allTopicList())) {
                plain.put(topic, routes.pickupTopicRouteData(topic, false).orElseThrow());
                acting.put(topic, routes.pickupTopicRouteData(topic, true).orElseThrow());
                versions.put(topic, routes.topicVersion(topic));
            }
            return new Picture(
                    routes.version(),
                    routes.sizes(),
                    routes.clusterInfo(),
                    plain,
                    acting,
                    versions,
                    routes.invariantViolations());
        }
    }
}
