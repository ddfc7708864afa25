package io.namesrv.server.config;

import static io.namesrv.server.config.KeyDraft.intKey;
import static io.namesrv.server.config.KeyDraft.longKey;

import java.util.List;

/**
 * The limits on what peers may send and on what is kept for them: settings as those of {@link ConfigKeys}, read at start,
 * and 0 switches one off.
 */
final class LimitKeys {
    // One frame, one body
    static final ConfigKey<Integer> FRAME_MAX_LENGTH = intKey("frameMaxLength", 16_777_216)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.frameMaxLength")
            .doc("Bytes of a request; a longer one closes its connection.");
    static final ConfigKey<Integer> HEADER_MAX_LENGTH = intKey("headerMaxLength", 1_048_576)
            .fixed()
            .doc("Bytes of a request's header; a longer one closes its connection.");
    static final ConfigKey<Integer> EXT_FIELDS_MAX =
            intKey("extFieldsMax", 256).fixed().doc("Fields of a header; a request with more is refused.");
    static final ConfigKey<Integer> EXT_FIELD_NAME_MAX = intKey("extFieldNameMax", 256)
            .fixed()
            .doc("Bytes of a field's name; a request with a longer one is refused.");
    static final ConfigKey<Integer> EXT_FIELD_VALUE_MAX = intKey("extFieldValueMax", 65_536)
            .fixed()
            .doc(
                    "Bytes of a field's value, those of key/value settings aside; a request with a longer one is refused.");
    static final ConfigKey<Integer> JSON_MAX_DEPTH = intKey("jsonMaxDepth", 32)
            .in(0, 1024)
            .fixed()
            .doc("Levels of nesting in JSON; a deeper body is refused, a deeper header closes its connection.");
    static final ConfigKey<Integer> JSON_MAX_NUMBER_LENGTH = intKey("jsonMaxNumberLength", 64)
            .fixed()
            .doc("Digits of a number in JSON, of whose exponent at most 3; more are treated as too deep a nesting is.");
    static final ConfigKey<Integer> BODY_MAX_DECOMPRESSED = intKey("bodyMaxDecompressed", 67_108_864)
            .fixed()
            .doc("Bytes of a compressed body once it is inflated; a larger one is refused.");
    static final ConfigKey<Integer> FRAME_DEADLINE_MILLIS = intKey("frameDeadlineMillis", 30_000)
            .fixed()
            .doc("Milliseconds from the first byte of a request to its last; a slower one closes its connection.");
    static final ConfigKey<Integer> HANDSHAKE_DEADLINE_MILLIS = intKey("handshakeDeadlineMillis", 10_000)
            .fixed()
            .doc("Milliseconds for a TLS handshake, and for a PROXY header; a slower one closes its connection.");

    // Connections
    static final ConfigKey<Integer> CONNECTIONS_MAX = intKey("connectionsMax", 20_000)
            .fixed()
            .doc("Connections at a time, but at most 85 % of the system's limit of open files, of which 64 are left for"
                    + " files; one beyond is closed as soon as it is accepted.");
    static final ConfigKey<Integer> CONNECTIONS_PER_IP_MAX = intKey("connectionsPerIpMax", 10_000)
            .fixed()
            .doc(
                    "Connections of one address at a time, where whole clusters may stand behind a load balancer; one beyond"
                            + " is closed.");
    static final ConfigKey<Integer> CHANNEL_PENDING_MAX = intKey("channelPendingMax", 1024)
            .fixed()
            .doc("Requests taken from one connection and not yet answered; at that number it is not read.");
    static final ConfigKey<Integer> ROUTE_WAITERS_MAX = intKey("routeWaitersMax", 10_000)
            .fixed()
            .doc(
                    "Route queries that wait for a change (routeWaitMillis), all connections together; one more is answered at"
                            + " once.");
    static final ConfigKey<Integer> CHANNEL_OUTBOUND_MAX = intKey("channelOutboundMax", 8_388_608)
            .fixed()
            .doc(
                    "Bytes of answers that wait for one connection, or one answer if that is larger; with more before it the"
                            + " next answer closes the connection.");
    static final ConfigKey<Long> OUTBOUND_TOTAL_MAX = longKey("outboundTotalMax", 134_217_728)
            .fixed()
            .doc("Bytes of answers that wait for all connections together; beyond, those that have most are closed.");
    static final ConfigKey<Long> REGISTRATION_IN_FLIGHT_MAX = longKey("registrationInFlightMax", 268_435_456)
            .fixed()
            .doc(
                    "Bytes received by all connections together and not yet answered, and as many more that registrations grow"
                            + " to as they are read. A registration waits 3 seconds for room and is then answered busy; where more is"
                            + " received, the connection that holds most is closed.");

    // Tables
    static final ConfigKey<Integer> TOPICS_MAX = intKey("topicsMax", 500_000)
            .fixed()
            .doc(
                    "Topics; a registration that would add more is refused, those that are there stay and can be renewed.");
    static final ConfigKey<Integer> TOPICS_PER_BROKER_MAX = intKey("topicsPerBrokerMax", 100_000)
            .fixed()
            .doc("Topics of one broker name, and of one registration; a registration with more is refused.");
    static final ConfigKey<Integer> BROKERS_MAX =
            intKey("brokersMax", 10_000).fixed().doc("Brokers; the registration of one more is refused.");
    static final ConfigKey<Integer> BROKERS_PER_GROUP_MAX = intKey("brokersPerGroupMax", 1000)
            .fixed()
            .doc("Brokers of one name, a master and its slaves; the registration of one more is refused.");
    static final ConfigKey<Integer> BROKERS_PER_CHANNEL_MAX = intKey("brokersPerChannelMax", 64)
            .fixed()
            .doc(
                    "Brokers that live on one connection, as those of a broker container do; the registration of one more is"
                            + " refused.");
    static final ConfigKey<Integer> CLUSTERS_MAX =
            intKey("clustersMax", 1000).fixed().doc("Clusters; a registration that would add one more is refused.");
    static final ConfigKey<Long> ROUTE_TABLES_MAX = longKey("routeTablesMax", 536_870_912)
            .fixed()
            .doc(
                    "Bytes that all topics, queues, brokers, filter servers and mappings together take of the heap, about: 200 a"
                            + " topic, 30 more for each broker that has it, 150 more where a broker gives it other numbers of"
                            + " queues than any other; what would add more is refused.");
    static final ConfigKey<Integer> TOPIC_NAME_MAX = intKey("topicNameMax", 512)
            .fixed()
            .doc("Bytes of a topic's name; a topic with a longer one is passed over.");
    static final ConfigKey<Integer> BROKER_NAME_MAX = intKey("brokerNameMax", 255)
            .fixed()
            .doc("Bytes of a broker's name; a registration with a longer one is refused.");
    static final ConfigKey<Integer> CLUSTER_NAME_MAX = intKey("clusterNameMax", 255)
            .fixed()
            .doc("Bytes of a cluster's name; a registration with a longer one is refused.");
    static final ConfigKey<Integer> ADDRESS_MAX =
            intKey("addressMax", 255).fixed().doc("Bytes of an address; a registration with a longer one is refused.");

    // Key/value settings
    static final ConfigKey<Integer> KV_NAMESPACES_MAX = intKey("kvNamespacesMax", 1000)
            .fixed()
            .doc("Namespaces of key/value settings; a put that would add one more is refused.");
    static final ConfigKey<Integer> KV_KEYS_MAX = intKey("kvKeysMax", 100_000)
            .fixed()
            .doc("Keys of all namespaces together; a put that would add one more is refused.");
    static final ConfigKey<Integer> KV_VALUE_MAX = intKey("kvValueMax", 1_048_576)
            .fixed()
            .doc("Bytes of a value, as far as headerMaxLength lets it; a put of a longer one is refused.");
    static final ConfigKey<Long> KV_NAMESPACE_MAX = longKey("kvNamespaceMax", 4_194_304)
            .fixed()
            .doc(
                    "Bytes, as JSON, of the keys and values of one namespace, which is one answer; a put that would add more is"
                            + " refused.");
    static final ConfigKey<Long> KV_TOTAL_MAX = longKey("kvTotalMax", 67_108_864)
            .fixed()
            .doc("Bytes, as JSON, of all namespaces, keys and values together; a put that would add more is refused.");

    /** All of them, in the order of the documentation. */
    static final List<ConfigKey<? extends Number>> ALL = List.of(
            FRAME_MAX_LENGTH,
            HEADER_MAX_LENGTH,
            EXT_FIELDS_MAX,
            EXT_FIELD_NAME_MAX,
            EXT_FIELD_VALUE_MAX,
            JSON_MAX_DEPTH,
            JSON_MAX_NUMBER_LENGTH,
            BODY_MAX_DECOMPRESSED,
            FRAME_DEADLINE_MILLIS,
            HANDSHAKE_DEADLINE_MILLIS,
            CONNECTIONS_MAX,
            CONNECTIONS_PER_IP_MAX,
            CHANNEL_PENDING_MAX,
            ROUTE_WAITERS_MAX,
            CHANNEL_OUTBOUND_MAX,
            OUTBOUND_TOTAL_MAX,
            REGISTRATION_IN_FLIGHT_MAX,
            TOPICS_MAX,
            TOPICS_PER_BROKER_MAX,
            BROKERS_MAX,
            BROKERS_PER_GROUP_MAX,
            BROKERS_PER_CHANNEL_MAX,
            CLUSTERS_MAX,
            ROUTE_TABLES_MAX,
            TOPIC_NAME_MAX,
            BROKER_NAME_MAX,
            CLUSTER_NAME_MAX,
            ADDRESS_MAX,
            KV_NAMESPACES_MAX,
            KV_KEYS_MAX,
            KV_VALUE_MAX,
            KV_NAMESPACE_MAX,
            KV_TOTAL_MAX);

    private LimitKeys() {}
}
