package io.namesrv.server.admin;

import io.namesrv.core.Ticker;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.metrics.NamesrvMetrics;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two ports for HTTP: {@code adminPort}, on which everything can be asked, and {@code metricsPort}, for scrapers and
 * probes alone. Both are optional to the daemon: nothing of what brokers and clients get depends on them.
 */
public final class AdminPorts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdminPorts.class);

    /**
     * What there is to be asked.
     *
     * @param ticker the milliseconds in which brokers were seen
     * @param version facts about this program and process
     * @param status facts about what it does
     * @param snapshot facts about how routes are kept
     * @param answered told the status of each answer
     */
    public record Parts(
            RouteInfoManager routes,
            KVConfigManager kvConfig,
            LiveConfig config,
            NamesrvMetrics metrics,
            HealthChecks health,
            Ticker ticker,
            Supplier<Map<String, ?>> version,
            Supplier<Map<String, ?>> status,
            Supplier<Map<String, ?>> snapshot,
            IntConsumer answered) {}

    private final NamesrvConfig.Admin settings;
    private final Parts parts;
    private @Nullable AdminServer admin;
    private @Nullable AdminServer metrics;
    private volatile int adminPort;

    /** Opens nothing yet. */
    public AdminPorts(NamesrvConfig.Admin settings, Parts parts) {
        this.settings = settings;
        this.parts = parts;
    }

    /**
     * Opens what the settings ask for. An {@code adminPort} that nobody has set and that is taken is done without.
     *
     * @throws IOException if a port that was set cannot be opened
     */
    public void start() throws IOException {
        if (settings.port() > 0) {
            startAdmin();
        }
        if (settings.metricsPort() > 0) {
            AdminServer server = server(probes(new Endpoints()), Optional.empty(), "namesrv-metrics", true);
            InetSocketAddress address = server.start(settings.metricsBindAddress(), settings.metricsPort());
            metrics = server;
            log.info("listening for scrapers and probes address={}", address);
        }
    }

    private void startAdmin() throws IOException {
        if (settings.token().isEmpty() && !isLoopback(settings.bindAddress())) {
            throw new IOException(
                    "adminBindAddress: " + settings.bindAddress() + " (beyond loopback only with an adminToken)");
        }
        AdminServer server = server(all(), settings.token(), "namesrv-admin", false);
        try {
            InetSocketAddress address = server.start(settings.bindAddress(), settings.port());
            admin = server;
            adminPort = address.getPort();
            log.info("listening for operators admin=http://{}/", NetUtil.toSocketAddressString(address));
        } catch (IOException taken) {
            if (settings.portSet()) {
                throw new IOException(taken.getMessage() + " (set adminPort, or 0 for none)", taken);
            }
            log.warn("no port for operators: {} (set adminPort, or 0 for none)", taken.getMessage());
        }
    }

    static boolean isLoopback(String address) {
        return address.equals("localhost") || address.startsWith("127.") || address.equals("::1");
    }

    private AdminServer server(Endpoints endpoints, Optional<String> token, String thread, boolean anyHost) {
        Set<String> hosts = new HashSet<>(settings.hosts());
        hosts.add(settings.bindAddress());
        AdminGuard guard = anyHost ? AdminGuard.OPEN : new AdminGuard(hosts, token);
        return new AdminServer(new AdminHandler(endpoints, guard, parts.answered()), settings.connectionsMax(), thread);
    }

    private Endpoints probes(Endpoints endpoints) {
        new HealthPages(parts.health()).addTo(endpoints);
        return endpoints.add("/metrics", request -> {
            NamesrvMetrics.Page page = parts.metrics().page(request.headers().get("Accept"));
            return AdminAnswer.of(page.contentType(), page.body());
        });
    }

    private Endpoints all() {
        Endpoints endpoints = probes(new Endpoints());
        TablesView tables = new TablesView(parts.routes(), System::nanoTime);
        new BrokerPages(parts.routes(), tables, parts.ticker(), Clock.systemUTC()).addTo(endpoints);
        new TopicPages(
                        parts.routes(),
                        tables,
                        parts.kvConfig(),
                        () -> parts.config().current().routes().supportActingMaster())
                .addTo(endpoints);
        new SettingPages(parts.config(), parts.kvConfig()).addTo(endpoints);
        return endpoints
                .add(
                        "/api/v1/version",
                        request -> AdminAnswer.json(parts.version().get()))
                .add(
                        "/api/v1/status",
                        request -> AdminAnswer.json(parts.status().get()))
                .add(
                        "/api/v1/snapshot",
                        request -> AdminAnswer.json(parts.snapshot().get()));
    }

    /** The port that is really open; 0 if none is. */
    public int port() {
        return adminPort;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
        }
        if (metrics != null) {
            metrics.close();
        }
    }
}
