package io.namesrv.server.config;

import io.namesrv.core.data.TableLimits;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.remoting.Nets;
import io.namesrv.server.store.RouteSnapshots;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings as the parts of the daemon use them: one small record for each theme, and a part is given the one it
 * needs. Immutable.
 *
 * <p>What a component holds that may change at run time is read from {@link LiveConfig#current()} at each use: all of
 * {@link Routes} and {@link Operators}, {@link Liveness#evictionMisses()}, {@link Liveness#evictionBrake()} and
 * {@link Requests#slowRequest()}.
 */
public record NamesrvConfig(
        Paths paths,
        Routes routes,
        Operators operators,
        Liveness liveness,
        RouteSnapshots.Settings snapshots,
        Requests requests,
        Network network,
        Limits limits,
        Shared shared,
        Stored stored,
        Admin admin) {

    /**
     * Home and files.
     *
     * @param configStorePath where what is changed at run time is kept
     * @param pidFile absent if there is to be none
     */
    public record Paths(Path rocketmqHome, Path kvConfigPath, Path configStorePath, Optional<Path> pidFile) {}

    /**
     * What the answers about routes hold, and what a registration does.
     *
     * @param routeDiffEnable whether callers that know of route versions are told them
     * @param waitForService how long after the start {@code needWaitForService} refuses routes
     */
    public record Routes(
            boolean orderMessageEnable,
            boolean returnOrderTopicConfigToBroker,
            boolean supportActingMaster,
            boolean notifyMinBrokerIdChanged,
            boolean deleteTopicWithBrokerRegistration,
            boolean enableAllTopicList,
            boolean enableTopicList,
            boolean routeDiffEnable,
            boolean needWaitForService,
            Duration waitForService) {}

    /**
     * What is made of operators' requests.
     *
     * @param orderConfStrict whether a value of an order topic that producers cannot read is refused
     * @param permWipeSticky whether a wiped write permission is withheld until it is added
     */
    public record Operators(boolean orderConfStrict, boolean permWipeSticky) {}

    /**
     * When a silent broker goes.
     *
     * @param scanInterval at least a millisecond
     * @param brokerExpiredTime the timeout of a broker that names none, at least a second
     * @param evictionMisses in how many scans in a row a broker is found silent that is removed, 1 to 3
     * @param evictionBrake whether a scan that would remove most brokers has to be confirmed by a later one
     */
    public record Liveness(
            Duration scanInterval, Duration brokerExpiredTime, int evictionMisses, boolean evictionBrake) {}

    /**
     * Who works on requests, and how long.
     *
     * @param clientThreads threads for route queries
     * @param clientQueueCapacity route queries that may wait for one
     * @param defaultThreads threads for everything else
     * @param defaultQueueCapacity requests that may wait for one of these
     * @param unregisterQueueCapacity unregistrations asked for by brokers that may wait
     * @param protocolVersion the release number in every answer
     * @param slowRequest a request that took longer is logged; zero for none
     */
    public record Requests(
            int clientThreads,
            int clientQueueCapacity,
            int defaultThreads,
            int defaultQueueCapacity,
            int unregisterQueueCapacity,
            int protocolVersion,
            Duration slowRequest) {}

    /**
     * The port and its connections.
     *
     * @param listenPort 0 for one of the system's choice
     * @param selectorThreads 0 for twice the number of processors
     * @param channelMaxIdle zero for no limit
     * @param sendBuffer bytes; 0 for the system's default
     * @param receiveBuffer bytes; 0 for the system's default
     * @param writeHighWaterMark bytes pending at which a connection is no longer read; above 0
     * @param writeLowWaterMark bytes pending at which it is again; above 0, at most the high one
     * @param onewayPermits own requests that may be on their way at one time
     * @param proxyProtocolFrom from where a PROXY header is read
     * @param shutdownWait how long a graceful stop sends callers away; zero for a plain stop
     */
    public record Network(
            String bindAddress,
            int listenPort,
            int selectorThreads,
            Duration channelMaxIdle,
            int backlog,
            int sendBuffer,
            int receiveBuffer,
            int writeHighWaterMark,
            int writeLowWaterMark,
            boolean pooledBuffers,
            int onewayPermits,
            Nets proxyProtocolFrom,
            Duration shutdownWait) {
        static final int DEFAULT_HIGH_WATER_MARK = 1 << 20;
        static final int DEFAULT_LOW_WATER_MARK = 256 << 10;
    }

    /**
     * What one frame, one body or one connection may be like; {@link Integer#MAX_VALUE} where a limit is off. Lengths are
     * in bytes.
     *
     * @param jsonMaxNumberLength digits of a number
     * @param frameDeadline from the first byte of a frame to its last; zero for none
     * @param handshakeDeadline for a TLS handshake and for a PROXY header; zero for none
     * @param channelPendingMax requests without an answer
     * @param channelOutboundMax bytes of answers that wait
     */
    public record Limits(
            int frameMaxLength,
            int headerMaxLength,
            int extFieldsMax,
            int extFieldNameMax,
            int extFieldValueMax,
            int kvValueMax,
            int jsonMaxDepth,
            int jsonMaxNumberLength,
            int bodyMaxDecompressed,
            Duration frameDeadline,
            Duration handshakeDeadline,
            int channelPendingMax,
            int channelOutboundMax) {}

    /**
     * What all connections share; {@link Integer#MAX_VALUE} and {@link Long#MAX_VALUE} where a limit is off.
     *
     * @param registrationInFlightMax bytes received and not yet answered, and what they inflate to
     * @param outboundTotalMax bytes of answers that wait
     * @param routeWaitersMax route queries that wait for a change
     */
    public record Shared(
            int connectionsMax,
            int connectionsPerIpMax,
            long registrationInFlightMax,
            long outboundTotalMax,
            int routeWaitersMax) {}

    /**
     * What is taken into the tables.
     *
     * @param names the longest names
     */
    public record Stored(TableLimits tables, KVConfigManager.Limits kv, Names names) {}

    /**
     * The longest names and addresses, in UTF-8 bytes; {@link Integer#MAX_VALUE} where a limit is off.
     *
     * @param strict whether names are confined to {@code % | A-Z a-z 0-9 _ - + . : @ #}
     */
    public record Names(boolean strict, int topicMax, int brokerMax, int clusterMax, int addressMax) {}

    /**
     * The ports for operators and scrapers.
     *
     * @param port 0 for none
     * @param portSet whether somebody asked for it, so that the daemon does not start without
     * @param token absent if none is asked for
     * @param hosts names that callers may use
     * @param connectionsMax of each of both ports
     * @param metricsPort 0 for none
     */
    public record Admin(
            int port,
            boolean portSet,
            String bindAddress,
            Optional<String> token,
            Set<String> hosts,
            int connectionsMax,
            int metricsPort,
            String metricsBindAddress) {
        /** Without the token. */
        @Override
        public String toString() {
            return "Admin[port=" + port + ", bindAddress=" + bindAddress + ", metricsPort=" + metricsPort + "]";
        }
    }

    /** The settings in the form of records. */
    static NamesrvConfig of(Settings settings) {
        return new NamesrvConfig(
                paths(settings),
                routes(settings),
                operators(settings),
                liveness(settings),
                snapshots(settings),
                requests(settings),
                network(settings),
                limits(settings),
                shared(settings),
                stored(settings),
                admin(settings));
    }

    private static Paths paths(Settings settings) {
        String pidFile = settings.value(ConfigKeys.PID_FILE);
        return new Paths(
                Path.of(settings.value(ConfigKeys.ROCKETMQ_HOME)),
                Path.of(settings.value(ConfigKeys.KV_CONFIG_PATH)),
                Path.of(settings.value(ConfigKeys.CONFIG_STORE_PATH)),
                pidFile.isBlank() ? Optional.empty() : Optional.of(Path.of(pidFile)));
    }

    private static Routes routes(Settings settings) {
        return new Routes(
                settings.value(ConfigKeys.ORDER_MESSAGE_ENABLE),
                settings.value(ConfigKeys.RETURN_ORDER_TOPIC_CONFIG_TO_BROKER),
                settings.value(ConfigKeys.SUPPORT_ACTING_MASTER),
                settings.value(ConfigKeys.NOTIFY_MIN_BROKER_ID_CHANGED),
                settings.value(ConfigKeys.DELETE_TOPIC_WITH_BROKER_REGISTRATION),
                settings.value(ConfigKeys.ENABLE_ALL_TOPIC_LIST),
                settings.value(ConfigKeys.ENABLE_TOPIC_LIST),
                settings.value(ConfigKeys.ROUTE_DIFF_ENABLE),
                settings.value(ConfigKeys.NEED_WAIT_FOR_SERVICE),
                Duration.ofSeconds(settings.value(ConfigKeys.WAIT_SECONDS_FOR_SERVICE)));
    }

    private static Operators operators(Settings settings) {
        return new Operators(
                settings.value(ConfigKeys.ORDER_CONF_CHECK).equals("strict"),
                settings.value(ConfigKeys.PERM_WIPE_STICKY));
    }

    private static Liveness liveness(Settings settings) {
        return new Liveness(
                Duration.ofMillis(settings.value(ConfigKeys.SCAN_NOT_ACTIVE_BROKER_INTERVAL)),
                Duration.ofMillis(settings.value(ConfigKeys.BROKER_EXPIRED_TIME_MILLIS)),
                settings.value(ConfigKeys.EVICTION_MISSES),
                settings.value(ConfigKeys.EVICTION_BRAKE));
    }

    private static RouteSnapshots.Settings snapshots(Settings settings) {
        return new RouteSnapshots.Settings(
                settings.value(ConfigKeys.ROUTE_SNAPSHOT_ENABLE),
                Path.of(settings.value(ConfigKeys.ROUTE_SNAPSHOT_DIR)),
                Duration.ofMinutes(settings.value(ConfigKeys.ROUTE_SNAPSHOT_FULL_INTERVAL_MINUTES)),
                settings.value(ConfigKeys.ROUTE_SNAPSHOT_CHANGE_THRESHOLD),
                Duration.ofMinutes(settings.value(ConfigKeys.ROUTE_SNAPSHOT_MAX_AGE_MINUTES)));
    }

    private static Requests requests(Settings settings) {
        return new Requests(
                settings.value(ConfigKeys.CLIENT_REQUEST_THREAD_POOL_NUMS),
                settings.value(ConfigKeys.CLIENT_REQUEST_THREAD_POOL_QUEUE_CAPACITY),
                settings.value(ConfigKeys.DEFAULT_THREAD_POOL_NUMS),
                settings.value(ConfigKeys.DEFAULT_THREAD_POOL_QUEUE_CAPACITY),
                settings.value(ConfigKeys.UN_REGISTER_BROKER_QUEUE_CAPACITY),
                settings.value(ConfigKeys.PROTOCOL_VERSION),
                Duration.ofMillis(settings.value(ConfigKeys.SLOW_REQUEST_MILLIS)));
    }

    private static Network network(Settings settings) {
        int high = settings.value(ConfigKeys.WRITE_BUFFER_HIGH_WATER_MARK);
        int low = settings.value(ConfigKeys.WRITE_BUFFER_LOW_WATER_MARK);
        boolean marksSet = high > 0 && low > 0;
        boolean graceful = settings.value(ConfigKeys.ENABLE_SHUTDOWN_GRACEFULLY);
        return new Network(
                settings.value(ConfigKeys.BIND_ADDRESS),
                settings.value(ConfigKeys.LISTEN_PORT),
                settings.value(ConfigKeys.SERVER_SELECTOR_THREADS),
                Duration.ofSeconds(settings.value(ConfigKeys.SERVER_CHANNEL_MAX_IDLE_TIME_SECONDS)),
                settings.value(ConfigKeys.SERVER_SOCKET_BACKLOG),
                settings.value(ConfigKeys.SERVER_SOCKET_SND_BUF_SIZE),
                settings.value(ConfigKeys.SERVER_SOCKET_RCV_BUF_SIZE),
                marksSet ? high : Network.DEFAULT_HIGH_WATER_MARK,
                marksSet ? low : Network.DEFAULT_LOW_WATER_MARK,
                settings.value(ConfigKeys.SERVER_POOLED_BYTE_BUF_ALLOCATOR_ENABLE),
                settings.value(ConfigKeys.SERVER_ONEWAY_SEMAPHORE_VALUE),
                Nets.parse(settings.value(ConfigKeys.PROXY_PROTOCOL_FROM)),
                graceful ? Duration.ofSeconds(settings.value(ConfigKeys.SHUTDOWN_WAIT_TIME_SECONDS)) : Duration.ZERO);
    }

    private static Limits limits(Settings settings) {
        return new Limits(
                limit(settings, LimitKeys.FRAME_MAX_LENGTH),
                limit(settings, LimitKeys.HEADER_MAX_LENGTH),
                limit(settings, LimitKeys.EXT_FIELDS_MAX),
                limit(settings, LimitKeys.EXT_FIELD_NAME_MAX),
                limit(settings, LimitKeys.EXT_FIELD_VALUE_MAX),
                limit(settings, LimitKeys.KV_VALUE_MAX),
                limit(settings, LimitKeys.JSON_MAX_DEPTH),
                limit(settings, LimitKeys.JSON_MAX_NUMBER_LENGTH),
                limit(settings, LimitKeys.BODY_MAX_DECOMPRESSED),
                Duration.ofMillis(settings.value(LimitKeys.FRAME_DEADLINE_MILLIS)),
                Duration.ofMillis(settings.value(LimitKeys.HANDSHAKE_DEADLINE_MILLIS)),
                limit(settings, LimitKeys.CHANNEL_PENDING_MAX),
                limit(settings, LimitKeys.CHANNEL_OUTBOUND_MAX));
    }

    private static Shared shared(Settings settings) {
        return new Shared(
                limit(settings, LimitKeys.CONNECTIONS_MAX),
                limit(settings, LimitKeys.CONNECTIONS_PER_IP_MAX),
                longLimit(settings, LimitKeys.REGISTRATION_IN_FLIGHT_MAX),
                longLimit(settings, LimitKeys.OUTBOUND_TOTAL_MAX),
                limit(settings, LimitKeys.ROUTE_WAITERS_MAX));
    }

    private static Stored stored(Settings settings) {
        return new Stored(
                new TableLimits(
                        limit(settings, LimitKeys.TOPICS_MAX),
                        limit(settings, LimitKeys.TOPICS_PER_BROKER_MAX),
                        limit(settings, LimitKeys.BROKERS_MAX),
                        limit(settings, LimitKeys.BROKERS_PER_GROUP_MAX),
                        limit(settings, LimitKeys.BROKERS_PER_CHANNEL_MAX),
                        limit(settings, LimitKeys.CLUSTERS_MAX),
                        longLimit(settings, LimitKeys.ROUTE_TABLES_MAX)),
                new KVConfigManager.Limits(
                        limit(settings, LimitKeys.KV_NAMESPACES_MAX),
                        limit(settings, LimitKeys.KV_KEYS_MAX),
                        longLimit(settings, LimitKeys.KV_NAMESPACE_MAX),
                        longLimit(settings, LimitKeys.KV_TOTAL_MAX)),
                new Names(
                        settings.value(ConfigKeys.NAME_CHECK).equals("strict"),
                        limit(settings, LimitKeys.TOPIC_NAME_MAX),
                        limit(settings, LimitKeys.BROKER_NAME_MAX),
                        limit(settings, LimitKeys.CLUSTER_NAME_MAX),
                        limit(settings, LimitKeys.ADDRESS_MAX)));
    }

    private static Admin admin(Settings settings) {
        String token = settings.value(ConfigKeys.ADMIN_TOKEN);
        return new Admin(
                settings.value(ConfigKeys.ADMIN_PORT),
                settings.source(ConfigKeys.ADMIN_PORT).kind() != ConfigSource.Kind.DEFAULT,
                settings.value(ConfigKeys.ADMIN_BIND_ADDRESS),
                token.isEmpty() ? Optional.empty() : Optional.of(token),
                Set.of(settings.value(ConfigKeys.ADMIN_HOSTS).strip().split("\\s*,\\s*")),
                settings.value(ConfigKeys.ADMIN_CONNECTIONS_MAX),
                settings.value(ConfigKeys.METRICS_PORT),
                settings.value(ConfigKeys.METRICS_BIND_ADDRESS));
    }

    private static int limit(Settings settings, ConfigKey<Integer> key) {
        int limit = settings.value(key);
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }

    private static long longLimit(Settings settings, ConfigKey<Long> key) {
        long limit = settings.value(key);
        return limit == 0 ? Long.MAX_VALUE : limit;
    }
}
