package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.server.NamesrvController;
import io.namesrv.server.config.ConfigException;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LoadedConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The real daemon on a port of its own and over a home of its own, for the time of one test. */
final class TestDaemon implements BeforeEachCallback, AfterEachCallback {
    private final Map<String, String> settings = new HashMap<>(Map.of(
            "namesrv.listenPort", "0",
            "namesrv.adminPort", "0",
            "namesrv.bindAddress", "127.0.0.1",
            "namesrv.defaultThreadPoolNums", "6",
            "namesrv.clientRequestThreadPoolNums", "2",
            "namesrv.routeSnapshotEnable", "false"));
    private Ticker ticker = Ticker.system();
    private final List<String> deaths = new CopyOnWriteArrayList<>();
    private Path home = Path.of("");
    private NamesrvController controller;
    private Peer peer;

    /** With a setting of its own. */
    TestDaemon with(String key, Object value) {
        settings.put("namesrv." + key, value.toString());
        return this;
    }

    TestDaemon with(Ticker other) {
        ticker = other;
        return this;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        home = Files.createTempDirectory("namesrv");
        start();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        try {
            assertThat(routes().invariantViolations()).isEmpty();
            assertThat(controller.routeWaiters().invariantViolations()).isEmpty();
        } finally {
            stop();
            deleteHome();
        }
    }

    private void deleteHome() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void start() throws Exception {
        controller = new NamesrvController(
                load(), new TlsContexts(TlsOptions.DEFAULT), ticker, SerializeType.JSON, deaths::add);
        if (ticker instanceof FakeTicker fake) {
            fake.whileRunning(() -> controller.tick());
        }
        controller.start();
        peer = connect();
    }

    /** The settings as they are found at a start. */
    LoadedConfig load() throws ConfigException {
        Map<String, String> properties = new HashMap<>(settings);
        properties.put("user.home", home.toString());
        properties.put("rocketmq.home.dir", home.toString());
        return new ConfigLoader(properties, Map.of()).load();
    }

    /** Stops it in order. */
    void stop() throws IOException {
        controller.close();
        peer.close();
    }

    /** Stops it and starts another one over the same home. */
    void restart() throws Exception {
        stop();
        start();
    }

    /**
     * Starts another one over the same home while this one is there, as after a kill: it finds what is on the disk. Then
     * stops the former.
     */
    void restartAsAfterKill() throws Exception {
        NamesrvController former = controller;
        Peer formerPeer = peer;
        start();
        former.close();
        formerPeer.close();
    }

    /** What has ended that it cannot live without. */
    List<String> deaths() {
        return deaths;
    }

    NamesrvController controller() {
        return controller;
    }

    RouteInfoManager routes() {
        return controller.routes();
    }

    Tables tables() {
        return Tables.of(routes());
    }

    /** The names of all groups. */
    Set<String> groups() {
        return routes().clusterInfo().brokerAddrTable().keySet();
    }

    /** Waits until a group has left. */
    void awaitGone(String brokerName) {
        soon(() -> assertThat(groups()).doesNotContain(brokerName));
    }

    void awaitSizes(TableSizes sizes) {
        soon(() -> assertThat(routes().sizes()).isEqualTo(sizes));
    }

    private static void soon(ThrowingRunnable holds) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(holds);
    }

    Path home() {
        return home;
    }

    /** A file in the directory that the daemon keeps its settings in. */
    Path file(String name) {
        return home.resolve("namesrv").resolve(name);
    }

    int port() {
        return controller.port();
    }

    Peer connect() throws IOException {
        return new Peer(port());
    }

    /** Asks over a connection that stays open, of which every test has one. */
    Reply ask(Request request) throws IOException {
        return peer.ask(request);
    }

    /** Registers brokers over that connection. */
    void register(TestBroker... brokers) throws IOException {
        for (TestBroker broker : brokers) {
            register(peer, broker);
        }
    }

    /** Registers a broker, which has to succeed. */
    static void register(Peer over, TestBroker broker) throws IOException {
        Reply reply = over.ask(broker.register());
        assertThat(List.of(reply.code(), reply.remark())).isEqualTo(List.of(0, ""));
    }
}
