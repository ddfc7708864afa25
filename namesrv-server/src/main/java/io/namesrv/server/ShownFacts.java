package io.namesrv.server;

import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.TableStatus;
import io.namesrv.remoting.netty.RemotingServer;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.metrics.StatusView;
import io.namesrv.server.store.RouteSnapshots;
import io.netty.util.Version;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Facts about the daemon for whoever asks for them by HTTP. */
final class ShownFacts {
    private final NamesrvConfig config;
    private final RemotingServer server;
    private final RequestWatch watch;
    private final StatusView status;
    private final RouteSnapshots snapshots;
    private final IntSupplier port;
    private final Clock clock;
    private final Instant startedAt;

    ShownFacts(
            NamesrvConfig config,
            RemotingServer server,
            RequestWatch watch,
            StatusView status,
            RouteSnapshots snapshots,
            IntSupplier port,
            Clock clock) {
        this.config = config;
        this.server = server;
        this.watch = watch;
        this.status = status;
        this.snapshots = snapshots;
        this.port = port;
        this.clock = clock;
        this.startedAt = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** This program and process. */
    Map<String, Object> version() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", "namesrv");
        facts.putAll(BuildVersion.facts());
        facts.put(
                "netty",
                Version.identify().values().stream()
                        .findFirst()
                        .map(Version::artifactVersion)
                        .orElse("unknown"));
        facts.put("protocolVersion", config.requests().protocolVersion());
        facts.put("startedAt", startedAt.toString());
        facts.put("uptimeMs", Duration.between(startedAt, clock.instant()).toMillis());
        facts.put("pid", ProcessHandle.current().pid());
        facts.put("listen", config.network().bindAddress() + ":" + port.getAsInt());
        return facts;
    }

    /** What it does. */
    Map<String, Object> status() {
        TableStatus now = status.status();
        Map<String, Object> states = new LinkedHashMap<>();
        for (BrokerStatus state : BrokerStatus.values()) {
            states.put(state.name(), now.in(state));
        }
        Map<String, Object> memory = new LinkedHashMap<>();
        Runtime runtime = Runtime.getRuntime();
        memory.put("heapUsed", runtime.totalMemory() - runtime.freeMemory());
        memory.put("heapMax", runtime.maxMemory());
        memory.put("tables", now.bytes());
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tableVersion", now.version());
        facts.put("clusters", now.sizes().clusters());
        facts.put("groups", now.sizes().groups());
        facts.put("brokers", now.sizes().brokers());
        facts.put("topics", now.sizes().topics());
        facts.put("states", states);
        facts.put("connections", server.connections().size());
        facts.put("pending", server.pending());
        facts.put("outboundPendingBytes", server.outbound());
        facts.put("requests", watch.requests());
        facts.put("memory", memory);
        facts.put("snapshot", snapshot());
        return facts;
    }

    /** How routes are kept over a restart. */
    Map<String, @Nullable Object> snapshot() {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        long last = snapshots.lastSuccess();
        facts.put("enabled", snapshots.isOn());
        facts.put("fails", snapshots.fails());
        facts.put("errors", snapshots.errors());
        facts.put("lastWrite", last == 0 ? null : Instant.ofEpochMilli(last).toString());
        facts.put("ageMs", last == 0 ? null : clock.millis() - last);
        return facts;
    }
}
