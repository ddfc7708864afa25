package io.namesrv.server.config;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All keys by theme, as the documentation shows them, and by name. */
final class ConfigSections {
    /** A theme of the documentation and the keys that belong to it, in the order they are shown. */
    record Section(String title, List<ConfigKey<?>> keys) {}

    /** The sections in the order of the documentation; their keys are all there are. */
    static final List<Section> SECTIONS = List.of(
            new Section(
                    "Home and files",
                    List.of(
                            ConfigKeys.ROCKETMQ_HOME,
                            ConfigKeys.KV_CONFIG_PATH,
                            ConfigKeys.CONFIG_STORE_PATH,
                            ConfigKeys.CONFIG_BLACK_LIST,
                            ConfigKeys.PID_FILE)),
            new Section(
                    "Routes",
                    List.of(
                            ConfigKeys.ORDER_MESSAGE_ENABLE,
                            ConfigKeys.RETURN_ORDER_TOPIC_CONFIG_TO_BROKER,
                            ConfigKeys.SUPPORT_ACTING_MASTER,
                            ConfigKeys.NOTIFY_MIN_BROKER_ID_CHANGED,
                            ConfigKeys.DELETE_TOPIC_WITH_BROKER_REGISTRATION,
                            ConfigKeys.ENABLE_ALL_TOPIC_LIST,
                            ConfigKeys.ENABLE_TOPIC_LIST,
                            ConfigKeys.ROUTE_DIFF_ENABLE,
                            ConfigKeys.NEED_WAIT_FOR_SERVICE,
                            ConfigKeys.WAIT_SECONDS_FOR_SERVICE,
                            ConfigKeys.NAME_CHECK,
                            ConfigKeys.ORDER_CONF_CHECK,
                            ConfigKeys.PERM_WIPE_STICKY)),
            new Section(
                    "Liveness",
                    List.of(
                            ConfigKeys.SCAN_NOT_ACTIVE_BROKER_INTERVAL,
                            ConfigKeys.BROKER_EXPIRED_TIME_MILLIS,
                            ConfigKeys.EVICTION_MISSES,
                            ConfigKeys.EVICTION_BRAKE)),
            new Section(
                    "Snapshot",
                    List.of(
                            ConfigKeys.ROUTE_SNAPSHOT_ENABLE,
                            ConfigKeys.ROUTE_SNAPSHOT_DIR,
                            ConfigKeys.ROUTE_SNAPSHOT_FULL_INTERVAL_MINUTES,
                            ConfigKeys.ROUTE_SNAPSHOT_CHANGE_THRESHOLD,
                            ConfigKeys.ROUTE_SNAPSHOT_MAX_AGE_MINUTES)),
            new Section(
                    "Requests",
                    List.of(
                            ConfigKeys.CLIENT_REQUEST_THREAD_POOL_NUMS,
                            ConfigKeys.CLIENT_REQUEST_THREAD_POOL_QUEUE_CAPACITY,
                            ConfigKeys.DEFAULT_THREAD_POOL_NUMS,
                            ConfigKeys.DEFAULT_THREAD_POOL_QUEUE_CAPACITY,
                            ConfigKeys.UN_REGISTER_BROKER_QUEUE_CAPACITY,
                            ConfigKeys.PROTOCOL_VERSION,
                            ConfigKeys.SLOW_REQUEST_MILLIS)),
            new Section(
                    "Network",
                    List.of(
                            ConfigKeys.BIND_ADDRESS,
                            ConfigKeys.LISTEN_PORT,
                            ConfigKeys.SERVER_SELECTOR_THREADS,
                            ConfigKeys.SERVER_CHANNEL_MAX_IDLE_TIME_SECONDS,
                            ConfigKeys.SERVER_SOCKET_BACKLOG,
                            ConfigKeys.SERVER_SOCKET_SND_BUF_SIZE,
                            ConfigKeys.SERVER_SOCKET_RCV_BUF_SIZE,
                            ConfigKeys.WRITE_BUFFER_HIGH_WATER_MARK,
                            ConfigKeys.WRITE_BUFFER_LOW_WATER_MARK,
                            ConfigKeys.SERVER_POOLED_BYTE_BUF_ALLOCATOR_ENABLE,
                            ConfigKeys.SERVER_ONEWAY_SEMAPHORE_VALUE,
                            ConfigKeys.PROXY_PROTOCOL_FROM,
                            ConfigKeys.ENABLE_SHUTDOWN_GRACEFULLY,
                            ConfigKeys.SHUTDOWN_WAIT_TIME_SECONDS)),
            new Section(
                    "Operation",
                    List.of(
                            ConfigKeys.ADMIN_PORT,
                            ConfigKeys.ADMIN_BIND_ADDRESS,
                            ConfigKeys.ADMIN_TOKEN,
                            ConfigKeys.ADMIN_HOSTS,
                            ConfigKeys.ADMIN_CONNECTIONS_MAX,
                            ConfigKeys.METRICS_PORT,
                            ConfigKeys.METRICS_BIND_ADDRESS)),
            new Section("Limits", List.copyOf(LimitKeys.ALL)),
            new Section(
                    "For files of Apache's",
                    List.of(
                            ConfigKeys.PRODUCT_ENV_NAME,
                            ConfigKeys.CLUSTER_TEST,
                            ConfigKeys.ENABLE_CONTROLLER_IN_NAMESRV,
                            ConfigKeys.SERVER_WORKER_THREADS,
                            ConfigKeys.SERVER_NETTY_WORKER_GROUP_ENABLE,
                            ConfigKeys.SERVER_CALLBACK_EXECUTOR_THREADS,
                            ConfigKeys.SERVER_ASYNC_SEMAPHORE_VALUE,
                            ConfigKeys.USE_EPOLL_NATIVE_SELECTOR)));

    private static final SortedMap<String, ConfigKey<?>> BY_NAME = byName();

    private ConfigSections() {}

    /** Every key there is, in the order of names. */
    static Collection<ConfigKey<?>> keys() {
        return BY_NAME.values();
    }

    /** The key of that name, which is compared with case. */
    static Optional<ConfigKey<?>> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private static SortedMap<String, ConfigKey<?>> byName() {
        SortedMap<String, ConfigKey<?>> keys = new TreeMap<>();
        for (Section section : SECTIONS) {
            for (ConfigKey<?> key : section.keys()) {
                if (keys.put(key.name(), key) != null) {
                    throw new IllegalStateException("declared twice: " + key.name());
                }
            }
        }
        return Collections.unmodifiableSortedMap(keys);
    }
}
