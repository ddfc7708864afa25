package io.namesrv.server;

import io.namesrv.core.PauseClock;
import io.namesrv.core.Ticker;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.netty.Entrance;
import io.namesrv.remoting.netty.OnewaySender;
import io.namesrv.remoting.netty.RemotingServer;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.server.admin.AdminPorts;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.LoadedConfig;
import io.namesrv.server.config.MemoryCeiling;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.job.BrokerScanner;
import io.namesrv.server.job.Jobs;
import io.namesrv.server.job.MemoryWatch;
import io.namesrv.server.job.PauseWatch;
import io.namesrv.server.job.ScanWatch;
import io.namesrv.server.metrics.NamesrvMetrics;
import io.namesrv.server.metrics.StatusView;
import io.namesrv.server.processor.NamesrvProcessors;
import io.namesrv.server.processor.OrderTopicCheck;
import io.namesrv.server.processor.RouteAnswerCache;
import io.namesrv.server.processor.RouteAnswers;
import io.namesrv.server.processor.RouteEpoch;
import io.namesrv.server.processor.RouteWaiters;
import io.namesrv.server.processor.ServiceWait;
import io.namesrv.server.route.MinBrokerIdNotifier;
import io.namesrv.server.route.OrderTopicWatch;
import io.namesrv.server.route.RouteEffects;
import io.namesrv.server.route.WithheldWritePerms;
import io.namesrv.server.store.HomeLock;
import io.namesrv.server.store.KVConfigFile;
import io.namesrv.server.store.RouteSnapshots;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon: every part, wired in the constructor, started from the inside out with the port last, stopped in reverse.
 *
 * <p>The constructor starts no thread that does anything yet and opens no port; it takes the lock on the files and reads the
 * key/value settings.
 */
public final class NamesrvController implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NamesrvController.class);

    /** The longest wait for what is in flight, in the network and on the disk, when the daemon stops. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    /** What a stop may take in all; what sends callers away beforehand is not part of it. */
    static final Duration WHOLE_STOP_LIMIT = Duration.ofSeconds(9);

    private static final Duration TICK_INTERVAL = Duration.ofMillis(500);

    /** How long memory may be short without a collection. */
    private static final Duration COLLECTION_INTERVAL = Duration.ofSeconds(30);

    /** How often the files of TLS are looked at, as Apache's programs do. */
    private static final Duration TLS_FILES_INTERVAL = Duration.ofMillis(500);

    private final NamesrvConfig config;
    private final TlsContexts tls;
    private final PauseClock clock;
    private final PauseWatch pauseWatch;
    private final HomeLock homeLock;
    private final RouteSnapshots snapshots;
    private final RouteInfoManager routes;
    private final LiveConfig liveConfig;
    private final RequestWatch watch;
    private final NamesrvProcessors.Lanes lanes;
    private final ExecutorService fileWriter;
    private final Jobs ticks = new Jobs("namesrv-tick-0");
    private final Jobs fileJobs = new Jobs("namesrv-watch-0");
    private final Jobs snapshotJobs = new Jobs("namesrv-snapshot-0");
    private final OnewaySender sender;
    private final RouteWaiters routeWaiters;
    private final RequestDispatcher dispatcher;
    private final BrokerConnections brokerConnections;
    private final RemotingServer server;
    private final BrokerScanner scanner;
    private final ScanWatch scanWatch;
    private final MemoryWatch memoryWatch;
    private final NamesrvMetrics metrics;
    private final AdminPorts adminPorts;
    private final Lifecycle lifecycle = new Lifecycle();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int boundPort;
    private volatile boolean ready;
    private volatile long stopDeadline;

    /**
     * Wires the parts.
     *
     * @param tls contexts for TLS, in and out
     * @param ticker the clock that liveness is judged by; pauses of this process are found and taken out here
     * @param serializeType the form of the requests that the daemon itself sends
     * @param died told what has ended that the daemon cannot live without; whoever is told ends the process
     * @throws IOException if the key/value settings are there and cannot be read
     */
    public NamesrvController(
            LoadedConfig loaded, TlsContexts tls, Ticker ticker, SerializeType serializeType, Consumer<String> died)
            throws IOException {
        this.tls = tls;
        clock = new PauseClock(ticker);
        pauseWatch = new PauseWatch(clock);
        config = loaded.config();
        boundPort = config.network().listenPort();
        liveConfig = new LiveConfig(loaded);
        watch = new RequestWatch(liveConfig);
        lanes = RemotingSettings.lanes(config.requests());
        List<Lane> allLanes = List.of(lanes.liveness(), lanes.routes(), lanes.bulk());
        metrics = new NamesrvMetrics(allLanes.stream().map(Lane::name).toList(), Clock.systemUTC());
        fileWriter = Executors.newSingleThreadExecutor(work -> daemonThread(work, "namesrv-files"));
        sender = new OnewaySender(RemotingSettings.onewayOptions(config, serializeType), tls::client);
        routes = new RouteInfoManager(clock, config.stored().tables());
        homeLock = HomeLock.take(
                config.paths().kvConfigPath(),
                "kvConfigPath",
                "key/value settings and settings cannot be changed here");
        snapshots = snapshots(config, routes, clock);
        HomeLock.warn(List.of(homeLock, snapshots.lock()));
        KVConfigFile kvFile = new KVConfigFile(config.paths().kvConfigPath());
        KVConfigManager kvConfig = new KVConfigManager(
                kvFile.load(), kvFile, fileWriter, config.stored().kv());
        RouteEpoch epoch = new RouteEpoch(Clock.systemUTC());
        RouteAnswers answers = new RouteAnswers(routes, kvConfig, liveConfig, epoch);
        RouteAnswerCache answerCache = new RouteAnswerCache(
                routes,
                epoch,
                MemoryCeiling.routeAnswersMax(Runtime.getRuntime().maxMemory()));
        routeWaiters = new RouteWaiters(answers, lanes.routes(), config.shared().routeWaitersMax());
        Consumer<RouteChange> toldOfChanges = routeWaiters::changed;
        RouteEffects effects =
                new RouteEffects(new MinBrokerIdNotifier(sender, liveConfig), toldOfChanges.andThen(metrics.changes()));
        brokerConnections = new BrokerConnections(routes, effects);
        WithheldWritePerms.follow(kvConfig, routes, effects);
        kvConfig.addListener(new OrderTopicWatch(routes, effects));
        liveConfig.addListener(routeWaiters::settingsChanged);
        OrderTopicCheck orderTopics =
                new OrderTopicCheck(() -> liveConfig.current().operators().orderConfStrict());
        orderTopics.checkLoaded(kvConfig);
        CountingAdmission admission =
                new CountingAdmission(config.shared().registrationInFlightMax(), "registrationInFlightMax");
        ServiceWait serviceWait = new ServiceWait(liveConfig, clock);
        dispatcher = new RequestDispatcher(
                NamesrvProcessors.table(
                        new NamesrvProcessors.Parts(
                                routes,
                                kvConfig,
                                orderTopics,
                                liveConfig,
                                effects,
                                answers,
                                answerCache,
                                routeWaiters,
                                serviceWait,
                                this::port,
                                admission,
                                fileWriter,
                                homeLock.refusal()),
                        lanes),
                watch.and(metrics.requests()),
                config.requests().protocolVersion());
        server = new RemotingServer(
                RemotingSettings.socketOptions(config.network()),
                new Entrance(
                        Optional.of(tls),
                        config.network().proxyProtocolFrom(),
                        config.limits().handshakeDeadline()),
                RemotingSettings.connectionLimits(config),
                dispatcher,
                brokerConnections.and(routeWaiters).and(metrics.connections()),
                admission);
        server.onDeath(died);
        scanner = new BrokerScanner(
                routes,
                effects,
                connection -> server.close(connection.value(), CloseReason.EVICTED),
                clock,
                () -> liveConfig.current().liveness());
        scanWatch = new ScanWatch(scanner, config.liveness().scanInterval(), clock, died);
        memoryWatch = new MemoryWatch(this::memoryIsShort);
        StatusView status = new StatusView(routes);
        ShownFacts facts = new ShownFacts(config, server, watch, status, snapshots, this::port, Clock.systemUTC());
        metrics.lookUp(new NamesrvMetrics.Sources(
                BuildVersion.facts(),
                status::status,
                clock,
                allLanes,
                () -> server.connections().size(),
                server::outbound,
                admission::arrivedSoFar,
                server::sentSoFar,
                this::scanAgeMillis,
                this::isReady,
                new NamesrvMetrics.SnapshotNumbers(snapshots::lastSuccess, snapshots::errors),
                () -> Map.of(
                        "ticks", ticks.failures(),
                        "files", fileJobs.failures(),
                        "snapshots", snapshotJobs.failures())));
        adminPorts = new AdminPorts(
                config.admin(),
                new AdminPorts.Parts(
                        routes,
                        kvConfig,
                        liveConfig,
                        metrics,
                        DaemonHealth.checks(
                                this::isReady,
                                serviceWait::leftMillis,
                                this::scanAgeMillis,
                                snapshots::fails,
                                allLanes),
                        clock,
                        facts::version,
                        facts::status,
                        facts::snapshot,
                        metrics.adminRequests()));
    }

    private static RouteSnapshots snapshots(NamesrvConfig config, RouteInfoManager routes, Ticker clock) {
        RouteSnapshots.Settings settings = config.snapshots();
        HomeLock lock = settings.enable()
                ? HomeLock.take(
                        settings.directory().resolve("routes"),
                        "routeSnapshotDir",
                        "no route snapshot is read or kept here")
                : HomeLock.none();
        return new RouteSnapshots(settings, routes, lock, clock, BuildVersion.text());
    }

    private static Thread daemonThread(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts everything; the port is open when this returns.
     *
     * @return the address it listens on
     * @throws IOException if the port cannot be bound; what had been started is stopped again then
     */
    public InetSocketAddress start() throws IOException {
        lifecycle.started("lock on files", homeLock);
        lifecycle.started("route snapshots", snapshots);
        loadRoutes();
        lifecycle.started("writer of route snapshots", this::closeSnapshotJobs);
        snapshotJobs.every(RouteSnapshots.LOOK, "route snapshot", snapshots);
        lifecycle.started("file writer", this::closeFileWriter);
        lifecycle.started("notifications", () -> sender.close(left()));
        lifecycle.started("timer of waits", routeWaiters);
        lifecycle.started("lanes", this::closeLanes);
        lifecycle.started("ticks", ticks);
        tick();
        ticks.every(TICK_INTERVAL, "tick", pauseWatch);
        lifecycle.started("broker scan", scanWatch);
        scanWatch.start();
        ticks.every(TICK_INTERVAL, "watch on the scan", scanWatch);
        lifecycle.started("watch on files", fileJobs);
        lifecycle.started("watch on memory", memoryWatch);
        fileJobs.every(COLLECTION_INTERVAL, "watch on memory", memoryWatch);
        if (tls.followsFiles()) {
            fileJobs.every(TLS_FILES_INTERVAL, "TLS files", tls::reload);
        }
        lifecycle.started("remoting", this::stopServer);
        try {
            InetSocketAddress address = startServer();
            boundPort = address.getPort();
            snapshots.serving();
            lifecycle.started("ports for operators", adminPorts);
            adminPorts.start();
            config.paths().pidFile().ifPresent(path -> lifecycle.started("pid file", PidFile.write(path)));
            lifecycle.started("callers", this::sendAway);
            ready = true;
            fileJobs.soon("watch on memory", memoryWatch::start);
            fileJobs.soon("TLS contexts", tls::prepare);
            return address;
        } catch (IOException failed) {
            close();
            throw failed;
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private InetSocketAddress startServer() throws IOException {
        try {
            return server.start();
        } catch (IOException failed) {
            throw new IOException(failed.getMessage() + " (set listenPort, or stop the other process)", failed);
        }
    }

    private void closeSnapshotJobs() {
        snapshotJobs.close();
        snapshotJobs.awaitEnd();
    }

    private void loadRoutes() {
        boolean loaded = snapshots.start(config.liveness().brokerExpiredTime()).isPresent();
        if (loaded && config.routes().needWaitForService()) {
            log.info("needWaitForService makes callers wait for routes that are known from the snapshot");
        }
    }

    private void sendAway() {
        ready = false;
        brokerConnections.stopping();
        Duration sendAway = config.network().shutdownWait();
        if (!sendAway.isZero()) {
            dispatcher.sendAway();
        }
        routeWaiters.answerAll(); // after it, so that newer callers that ask again go away
        sleep(sendAway);
    }

    private void stopServer() {
        stopDeadline = System.nanoTime() + WHOLE_STOP_LIMIT.toNanos();
        server.stop(STOP_LIMIT);
        watch.report();
    }

    private static void sleep(Duration duration) {
        try {
            TimeUnit.MILLISECONDS.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeLanes() {
        lanes.liveness().close(left());
        lanes.routes().close(left());
        lanes.bulk().close(left());
    }

    /** What is left of the time for a stop, less a second for the parts still to come; 10 ms at least. */
    private Duration left() {
        long nanos = stopDeadline - System.nanoTime() - Duration.ofSeconds(1).toNanos();
        return Duration.ofNanos(Math.max(nanos, Duration.ofMillis(10).toNanos()));
    }

    private void closeFileWriter() throws InterruptedException {
        fileWriter.shutdown();
        if (!fileWriter.awaitTermination(left().toMillis(), TimeUnit.MILLISECONDS)) {
            log.error("a file was still being written when the daemon stopped");
        }
    }

    /** Stops everything in order: takes no more, answers what was taken, keeps what is to be kept. Idempotent. */
    @Override
    public void close() {
        lifecycle.close();
        stopped.countDown();
    }

    /** Waits until the daemon has been stopped. All its threads are daemon threads, so somebody has to. */
    void awaitStop() throws InterruptedException {
        stopped.await();
    }

    /** The port it listens on; before the start, the setting. */
    public int port() {
        return boundPort;
    }

    /** The port for operators that is open; 0 if none is. */
    public int adminPort() {
        return adminPorts.port();
    }

    /** The route tables. */
    public RouteInfoManager routes() {
        return routes;
    }

    /** What keeps the routes over a restart. */
    public RouteSnapshots snapshots() {
        return snapshots;
    }

    /** The route queries that wait for a change. */
    public RouteWaiters routeWaiters() {
        return routeWaiters;
    }

    /** Whether the port is open and the daemon is not about to stop. */
    public boolean isReady() {
        return ready;
    }

    /** Milliseconds since the last scan for silent brokers was finished; pauses of this process do not count. */
    public long scanAgeMillis() {
        return scanWatch.ageMillis();
    }

    /** How often this process was found to have been stopped for a while. */
    public long pauses() {
        return clock.read().pauses();
    }

    /** One scan for silent brokers, now. */
    public void scanNow() {
        scanner.run();
    }

    /** Does something at the beginning of each scan from now on: for tests, which let scans fail. */
    public void beforeScans(Runnable hook) {
        scanner.before(hook);
    }

    /** One tick of the clock of liveness, beside those that come by themselves: for tests, whose time goes faster. */
    public void tick() {
        pauseWatch.run();
    }

    /** Refuses lists and admin requests for lack of memory, or no longer so: what the watch on memory does, and tests. */
    public void memoryIsShort(boolean now) {
        lanes.bulk().shut(now);
    }
}
