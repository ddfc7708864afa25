package io.namesrv.server.config;

import static io.namesrv.server.config.KeyDraft.boolKey;
import static io.namesrv.server.config.KeyDraft.choiceKey;
import static io.namesrv.server.config.KeyDraft.intKey;
import static io.namesrv.server.config.KeyDraft.longKey;
import static io.namesrv.server.config.KeyDraft.netsKey;
import static io.namesrv.server.config.KeyDraft.optionalPathKey;
import static io.namesrv.server.config.KeyDraft.pathKey;
import static io.namesrv.server.config.KeyDraft.stringKey;

/**
 * Every setting of the daemon but the limits ({@link LimitKeys}), one declaration each: the only source of names, types,
 * ranges and defaults.
 *
 * <p>Names and defaults of the keys that Apache's NameServer has are those of 5.3.3. What is read at start is fixed; a key
 * is updatable only if a change takes effect at once.
 */
final class ConfigKeys {
    // Home and files
    static final ConfigKey<String> ROCKETMQ_HOME = optionalPathKey("rocketmqHome", "")
            .fixed()
            .defaultFrom(Layer.HOME_PROPERTY)
            .doc(
                    "The directory this is installed in: by default the system property rocketmq.home.dir, else the environment"
                            + " variable ROCKETMQ_HOME; without any the daemon does not start.");
    static final ConfigKey<String> KV_CONFIG_PATH = pathKey("kvConfigPath", "${user.home}/namesrv/kvConfig.json")
            .fixed()
            .doc("The file of the key/value settings, order topics among them.");
    static final ConfigKey<String> CONFIG_STORE_PATH = pathKey(
                    "configStorePath", "${user.home}/namesrv/namesrv.properties")
            .fixed()
            .doc("The file that keeps what is changed at run time; the file given with -c, if one was.");
    static final ConfigKey<String> CONFIG_BLACK_LIST = stringKey(
                    "configBlackList", "configBlackList;configStorePath;kvConfigPath")
            .fixed()
            .doc("Keys that may not be changed at run time, parted by ';', on top of rocketmqHome and these three.");
    static final ConfigKey<String> PID_FILE = optionalPathKey("pidFile", "${user.home}/namesrv/namesrv.pid")
            .fixed()
            .doc("The file that holds the process id while the port is open; empty for none.");

    // Routes
    static final ConfigKey<Boolean> ORDER_MESSAGE_ENABLE = boolKey("orderMessageEnable", false)
            .updatable()
            .doc("Whether a route carries the order configuration of its topic.");
    static final ConfigKey<Boolean> RETURN_ORDER_TOPIC_CONFIG_TO_BROKER = boolKey(
                    "returnOrderTopicConfigToBroker", true)
            .updatable()
            .doc("Whether the answer to a registration carries the configuration of all order topics.");
    static final ConfigKey<Boolean> SUPPORT_ACTING_MASTER = boolKey("supportActingMaster", false)
            .updatable()
            .doc("Whether a route shows the slave with the smallest id as master while the master is gone.");
    static final ConfigKey<Boolean> NOTIFY_MIN_BROKER_ID_CHANGED = boolKey("notifyMinBrokerIdChanged", false)
            .updatable()
            .doc("Whether the brokers of a group are told when its smallest broker id changes.");
    static final ConfigKey<Boolean> DELETE_TOPIC_WITH_BROKER_REGISTRATION = boolKey(
                    "deleteTopicWithBrokerRegistration", false)
            .updatable()
            .doc("Whether a registration takes away the topics of its broker that it does not name.");
    static final ConfigKey<Boolean> ENABLE_ALL_TOPIC_LIST = boolKey("enableAllTopicList", true)
            .updatable()
            .doc("Whether the list of all topics (code 206) is answered.");
    static final ConfigKey<Boolean> ENABLE_TOPIC_LIST = boolKey("enableTopicList", true)
            .updatable()
            .doc("Whether the other lists of topics (codes 224, 311, 312, 313) are answered.");
    static final ConfigKey<Boolean> ROUTE_DIFF_ENABLE = boolKey("routeDiffEnable", true)
            .updatable()
            .doc(
                    "Whether a caller that says which version of a route it has is told the current one, is spared a route that"
                            + " it has, and may wait for the next. No RocketMQ client does so.");
    static final ConfigKey<Boolean> NEED_WAIT_FOR_SERVICE = boolKey("needWaitForService", false)
            .updatable()
            .doc("Whether routes are refused for the first waitSecondsForService after the start.");
    static final ConfigKey<Integer> WAIT_SECONDS_FOR_SERVICE = intKey("waitSecondsForService", 45)
            .updatable()
            .doc("Seconds after the start in which needWaitForService refuses routes.");
    static final ConfigKey<String> NAME_CHECK = choiceKey("nameCheck", "warn", "strict")
            .fixed()
            .doc("What names of topics, brokers and clusters are taken: warn takes what Apache's takes, strict only the"
                    + " characters % | A-Z a-z 0-9 _ - + . : @ #.");
    static final ConfigKey<String> ORDER_CONF_CHECK = choiceKey("orderConfCheck", "warn", "strict")
            .updatable()
            .doc(
                    "What is done with a value of an order topic that is not name:number;name:number, so that producers cannot"
                            + " read it: warn takes it, as Apache's does, with a warning, strict refuses it.");
    static final ConfigKey<Boolean> PERM_WIPE_STICKY = boolKey("permWipeSticky", false)
            .updatable()
            .doc(
                    "Whether wipeWritePerm (code 205) withholds the write permission of a broker until addWritePerm (327),"
                            + " kept on the disk and whatever the broker registers; else its next changed registration ends it.");

    // Liveness
    static final ConfigKey<Long> SCAN_NOT_ACTIVE_BROKER_INTERVAL = longKey("scanNotActiveBrokerInterval", 5000)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .doc("Milliseconds between two looks for brokers that have fallen silent.");
    static final ConfigKey<Long> BROKER_EXPIRED_TIME_MILLIS = longKey("brokerExpiredTimeMillis", 120_000)
            .in(1000, Integer.MAX_VALUE)
            .fixed()
            .doc("Milliseconds of silence after which a broker that names no timeout of its own is removed.");

    static final ConfigKey<Integer> EVICTION_MISSES = intKey("evictionMisses", 1)
            .in(1, 3)
            .updatable()
            .doc(
                    "In how many looks in a row a broker is found silent before it is removed: 1 as in Apache's. Before the"
                            + " last of them it is not shown in routes, before that it is only warned about.");
    static final ConfigKey<Boolean> EVICTION_BRAKE = boolKey("evictionBrake", false)
            .updatable()
            .doc("Whether a look that finds more than half of at least four brokers silent removes them only if one 30"
                    + " seconds later agrees.");

    // Snapshot
    static final ConfigKey<Boolean> ROUTE_SNAPSHOT_ENABLE = boolKey("routeSnapshotEnable", true)
            .fixed()
            .doc(
                    "Whether the routes are kept on the disk and known again after a restart. false is as Apache's: empty until"
                            + " the brokers have registered.");
    static final ConfigKey<String> ROUTE_SNAPSHOT_DIR = pathKey(
                    "routeSnapshotDir", "${user.home}/.rocketmq_data/namesrv/routeinfo")
            .fixed()
            .doc("The directory that they are kept in, one for each daemon.");
    static final ConfigKey<Integer> ROUTE_SNAPSHOT_FULL_INTERVAL_MINUTES = intKey(
                    "routeSnapshotFullIntervalMinutes", 10)
            .in(1, 100_000)
            .fixed()
            .doc("Minutes from one file with all routes to the next; changes are kept as they come.");
    static final ConfigKey<Integer> ROUTE_SNAPSHOT_CHANGE_THRESHOLD = intKey("routeSnapshotChangeThreshold", 100)
            .in(1, 10_000)
            .fixed()
            .doc("Changed rows that go to the disk at once; fewer wait for up to a second.");
    static final ConfigKey<Integer> ROUTE_SNAPSHOT_MAX_AGE_MINUTES = intKey("routeSnapshotMaxAgeMinutes", 60)
            .in(1, 100_000)
            .fixed()
            .doc("Minutes since the daemon was running last after which a start no longer loads what was kept.");

    // Requests
    static final ConfigKey<Integer> CLIENT_REQUEST_THREAD_POOL_NUMS =
            intKey("clientRequestThreadPoolNums", 8).in(1, 4096).fixed().doc("Threads that answer route queries.");
    static final ConfigKey<Integer> CLIENT_REQUEST_THREAD_POOL_QUEUE_CAPACITY = intKey(
                    "clientRequestThreadPoolQueueCapacity", 50_000)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .doc("Route queries that may wait for a thread; one more is answered busy.");
    static final ConfigKey<Integer> DEFAULT_THREAD_POOL_NUMS = intKey("defaultThreadPoolNums", 16)
            .in(1, 4096)
            .fixed()
            .doc("Threads for all other requests. If the file sets serverWorkerThreads and not this key, it is that"
                    + " number, but at least 16: the request threads of a 4.9 file.");
    static final ConfigKey<Integer> DEFAULT_THREAD_POOL_QUEUE_CAPACITY = intKey(
                    "defaultThreadPoolQueueCapacity", 10_000)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .doc("Other requests that may wait for a thread; one more is answered busy.");
    static final ConfigKey<Integer> UN_REGISTER_BROKER_QUEUE_CAPACITY = intKey("unRegisterBrokerQueueCapacity", 3000)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .doc(
                    "Unregistrations that brokers ask for and that may wait; one more is refused. A broker that is cut off or"
                            + " falls silent is always removed.");
    static final ConfigKey<Integer> PROTOCOL_VERSION =
            intKey("protocolVersion", 479).fixed().doc("The RocketMQ release number that every answer carries.");
    static final ConfigKey<Integer> SLOW_REQUEST_MILLIS = intKey("slowRequestMillis", 100)
            .updatable()
            .doc("Milliseconds from arrival to answer after which a request is logged as slow; 0 logs none.");

    // Network
    static final ConfigKey<String> BIND_ADDRESS =
            stringKey("bindAddress", "0.0.0.0").fixed().doc("The address to listen on.");
    static final ConfigKey<Integer> LISTEN_PORT = intKey("listenPort", 9876)
            .in(0, 65535)
            .fixed()
            .doc("TCP port brokers and clients connect to; 0 lets the system choose.");
    static final ConfigKey<Integer> SERVER_SELECTOR_THREADS = intKey("serverSelectorThreads", 3)
            .in(0, 4096)
            .fixed()
            .doc("Threads that read and write the connections; 0 for twice the number of processors.");
    static final ConfigKey<Integer> SERVER_CHANNEL_MAX_IDLE_TIME_SECONDS = intKey(
                    "serverChannelMaxIdleTimeSeconds", 120)
            .fixed()
            .doc(
                    "Seconds without a byte after which a connection is closed; 0 for never. Under 35 healthy brokers, which"
                            + " speak every 30 seconds, are cut off.");
    static final ConfigKey<Integer> SERVER_SOCKET_BACKLOG = intKey("serverSocketBacklog", 1024)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.socket.backlog")
            .doc("Connections that may wait to be accepted.");
    static final ConfigKey<Integer> SERVER_SOCKET_SND_BUF_SIZE = intKey("serverSocketSndBufSize", 0)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.socket.sndbuf.size")
            .doc("Bytes of a connection's send buffer; 0 for the system's default.");
    static final ConfigKey<Integer> SERVER_SOCKET_RCV_BUF_SIZE = intKey("serverSocketRcvBufSize", 0)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.socket.rcvbuf.size")
            .doc("Bytes of a connection's receive buffer; 0 for the system's default.");
    static final ConfigKey<Integer> WRITE_BUFFER_HIGH_WATER_MARK = intKey("writeBufferHighWaterMark", 0)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.write.buffer.high.water.mark")
            .doc("Bytes of answers on their way at which a connection is no longer read; takes effect if both marks are"
                    + " above 0, else 1048576.");
    static final ConfigKey<Integer> WRITE_BUFFER_LOW_WATER_MARK = intKey("writeBufferLowWaterMark", 0)
            .fixed()
            .defaultFrom("com.rocketmq.remoting.write.buffer.low.water.mark")
            .doc("Bytes of answers on their way at which it is read again; takes effect if both marks are above 0, else"
                    + " 262144.");
    static final ConfigKey<Boolean> SERVER_POOLED_BYTE_BUF_ALLOCATOR_ENABLE = boolKey(
                    "serverPooledByteBufAllocatorEnable", true)
            .fixed()
            .doc("Whether the buffers of connections are pooled.");
    static final ConfigKey<Integer> SERVER_ONEWAY_SEMAPHORE_VALUE = intKey("serverOnewaySemaphoreValue", 256)
            .in(1, Integer.MAX_VALUE)
            .fixed()
            .doc("Notifications to brokers that may be on their way at one time.");
    static final ConfigKey<Boolean> ENABLE_SHUTDOWN_GRACEFULLY = boolKey("enableShutdownGracefully", false)
            .fixed()
            .doc(
                    "Whether a stop sends callers away (code 1500) for shutdownWaitTimeSeconds before it closes the port.");
    static final ConfigKey<Integer> SHUTDOWN_WAIT_TIME_SECONDS =
            intKey("shutdownWaitTimeSeconds", 30).fixed().doc("Seconds that enableShutdownGracefully waits.");

    static final ConfigKey<String> PROXY_PROTOCOL_FROM = netsKey("proxyProtocolFrom")
            .fixed()
            .doc(
                    "The nets, parted by commas, whose connections may begin with a PROXY header (version 1 or 2) that names the"
                            + " client; from all others such a header closes the connection.");

    // Operation
    static final ConfigKey<Integer> ADMIN_PORT = intKey("adminPort", 19876)
            .in(0, 65535)
            .fixed()
            .doc(
                    "TCP port for operators: HTTP, read-only; 0 for none. One that was set and is taken ends the start, the"
                            + " default one is done without.");
    static final ConfigKey<String> ADMIN_BIND_ADDRESS = stringKey("adminBindAddress", "127.0.0.1")
            .fixed()
            .doc("The address that adminPort listens on; beyond loopback only with an adminToken.");
    static final ConfigKey<String> ADMIN_TOKEN = stringKey("adminToken", "")
            .secret()
            .fixed()
            .doc("What callers of adminPort have to bring as Authorization: Bearer; empty for nothing.");
    static final ConfigKey<String> ADMIN_HOSTS = stringKey("adminHosts", "localhost,127.0.0.1,[::1]")
            .fixed()
            .doc(
                    "Names, parted by commas, by which adminPort may be asked (the Host header); adminBindAddress is one of"
                            + " them always.");
    static final ConfigKey<Integer> ADMIN_CONNECTIONS_MAX = intKey("adminConnectionsMax", 64)
            .in(1, 10_000)
            .fixed()
            .doc("Connections to adminPort, and to metricsPort, beyond which one more is answered 503.");
    static final ConfigKey<Integer> METRICS_PORT = intKey("metricsPort", 0)
            .in(0, 65535)
            .fixed()
            .doc("TCP port for scrapers and probes alone (/metrics, /livez, /readyz, /healthz); 0 for none.");
    static final ConfigKey<String> METRICS_BIND_ADDRESS =
            stringKey("metricsBindAddress", "127.0.0.1").fixed().doc("The address that metricsPort listens on.");

    // Taken so that a file of Apache's can stay as it is
    static final ConfigKey<String> PRODUCT_ENV_NAME = stringKey("productEnvName", "center")
            .updatable()
            .doc("Shown and kept; nothing here reads it (Apache's: for cluster tests).");
    static final ConfigKey<Boolean> CLUSTER_TEST = boolKey("clusterTest", false)
            .fixed()
            .refusing(
                    true,
                    "not supported: the cluster test of Apache's NameServer is not part of this one; leave it false")
            .doc("Only false: the cluster test of Apache's NameServer is not part of this one.");
    static final ConfigKey<Boolean> ENABLE_CONTROLLER_IN_NAMESRV = boolKey("enableControllerInNamesrv", false)
            .fixed()
            .refusing(
                    true,
                    "not supported: this name server holds no HA controller; run Apache's own, bin/mqcontroller, beside"
                            + " it and leave this false")
            .doc("Only false: the HA controller is a process of its own, Apache's bin/mqcontroller.");
    static final ConfigKey<Integer> SERVER_WORKER_THREADS = intKey("serverWorkerThreads", 8)
            .in(1, 4096)
            .fixed()
            .doc("Frames are decoded by the serverSelectorThreads; sets defaultThreadPoolNums, see there.");
    static final ConfigKey<Boolean> SERVER_NETTY_WORKER_GROUP_ENABLE = boolKey("serverNettyWorkerGroupEnable", true)
            .fixed()
            .doc("No effect: frames are always decoded by the threads that read them.");
    static final ConfigKey<Integer> SERVER_CALLBACK_EXECUTOR_THREADS = intKey("serverCallbackExecutorThreads", 0)
            .in(Integer.MIN_VALUE, Integer.MAX_VALUE)
            .fixed()
            .doc("No effect: the daemon's own requests are one-way and have no callbacks.");
    static final ConfigKey<Integer> SERVER_ASYNC_SEMAPHORE_VALUE = intKey("serverAsyncSemaphoreValue", 64)
            .in(Integer.MIN_VALUE, Integer.MAX_VALUE)
            .fixed()
            .doc("No effect: the daemon's own requests are one-way, see serverOnewaySemaphoreValue.");
    static final ConfigKey<Boolean> USE_EPOLL_NATIVE_SELECTOR = boolKey("useEpollNativeSelector", false)
            .fixed()
            .doc("No effect: epoll is used wherever the system has it.");

    private ConfigKeys() {}
}
