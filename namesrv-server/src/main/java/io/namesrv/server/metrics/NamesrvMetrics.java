package io.namesrv.server.metrics;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.BrokerStatus;
import io.namesrv.core.data.TableStatus;
import io.namesrv.remoting.Lane;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every family of the daemon's metrics, and the page of them. What is counted where it happens is counted from the start;
 * what is looked up, is so when the page is asked for, and the families of the JVM come with the first page: a start does not
 * wait for its beans.
 */
public final class NamesrvMetrics {
    private static final double MILLIS_PER_SECOND = 1e3;

    /**
     * Where the numbers come from that are looked up. Each may be asked at any time, by any thread, and does not wait.
     *
     * @param build version, commit and java, by these names
     * @param status of the route tables
     * @param clock the milliseconds in which brokers were seen
     * @param scanAgeMillis since the last scan for silent brokers
     * @param snapshots the keeper of routes
     * @param jobFailures by the name of the job
     */
    public record Sources(
            Map<String, String> build,
            Supplier<TableStatus> status,
            Ticker clock,
            List<Lane> lanes,
            LongSupplier connections,
            LongSupplier outboundPending,
            LongSupplier bytesIn,
            LongSupplier bytesOut,
            LongSupplier scanAgeMillis,
            BooleanSupplier ready,
            SnapshotNumbers snapshots,
            Supplier<Map<String, Long>> jobFailures) {}

    /**
     * What there is to know of the snapshots of routes.
     *
     * @param lastSuccessMillis wall time of the last write; 0 for none
     */
    public record SnapshotNumbers(LongSupplier lastSuccessMillis, LongSupplier errors) {}

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final RequestFamilies requests;
    private final ConnectionFamilies connections;
    private final ChangeFamilies changes;
    private final Counter admin;
    private final long startedAtMillis;
    private boolean jvm;

    /**
     * Makes the families that are counted.
     *
     * @param lanes their names
     * @param clock of the wall
     */
    public NamesrvMetrics(List<String> lanes, Clock clock) {
        requests = new RequestFamilies(registry, lanes);
        connections = new ConnectionFamilies(registry);
        changes = new ChangeFamilies(registry);
        admin = Counter.builder()
                .name("rocketmq_namesrv_admin_requests_total")
                .help("Requests of operators and scrapers, by the status of their answer")
                .labelNames("status")
                .register(registry);
        startedAtMillis = clock.millis();
    }

    /** To be told of every request. */
    public RequestFamilies requests() {
        return requests;
    }

    /** To be told the status of every answer to an operator. */
    public IntConsumer adminRequests() {
        return status -> admin.labelValues(Integer.toString(status)).inc();
    }

    /** To be told of every connection. */
    public ConnectionFamilies connections() {
        return connections;
    }

    /** To be told of every step of the tables. */
    public ChangeFamilies changes() {
        return changes;
    }

    // ---- what is looked up

    /** Adds the families whose numbers are looked up. */
    public void lookUp(Sources from) {
        Info.builder()
                .name("rocketmq_namesrv_build_info")
                .help("What this was built from, and the Java that it runs on")
                .labelNames("version", "commit", "java")
                .register(registry)
                .addLabelValues(
                        from.build().getOrDefault("version", ""),
                        from.build().getOrDefault("commit", ""),
                        from.build().getOrDefault("java", ""));
        gauge("up", "1 as long as the daemon answers", () -> 1);
        gauge(
                "start_time_seconds",
                "When the daemon was started, in seconds since 1970",
                () -> startedAtMillis / MILLIS_PER_SECOND);
        gauge(
                "ready",
                "1 if the port is open and the daemon is not about to stop",
                () -> from.ready().getAsBoolean() ? 1 : 0);
        tables(from);
        network(from);
        gauge(
                "scan_age_seconds",
                "Time since the last scan for silent brokers was finished",
                () -> from.scanAgeMillis().getAsLong() / MILLIS_PER_SECOND);
        snapshots(from.snapshots());
        byLabel("job_failures_total", "Runs of a job that failed", "job", from.jobFailures());
    }

    private void tables(Sources from) {
        Supplier<TableStatus> status = from.status();
        gauge(
                "broker_count",
                "Brokers that are alive, or were found silent once",
                () -> status.get().in(BrokerStatus.ALIVE) + status.get().in(BrokerStatus.SUSPECT));
        gauge(
                "broker_provisional_count",
                "Brokers that are but remembered",
                () -> status.get().in(BrokerStatus.PROVISIONAL));
        GaugeWithCallback.builder()
                .name(name("broker_state_count"))
                .help("Brokers by state")
                .labelNames("state")
                .callback(series -> {
                    TableStatus now = status.get();
                    for (BrokerStatus state : BrokerStatus.values()) {
                        series.call(now.in(state), state.name());
                    }
                })
                .register(registry);
        gauge("topic_count", "Topics", () -> status.get().sizes().topics());
        gauge("cluster_count", "Clusters", () -> status.get().sizes().clusters());
        gauge("group_count", "Broker groups", () -> status.get().sizes().groups());
        gauge(
                "broker_last_seen_max_age_seconds",
                "Time since the sign of life of the broker that was heard least lately",
                () -> {
                    TableStatus now = status.get();
                    return now.oldestSeen().isEmpty()
                            ? 0
                            : Math.max(
                                            0,
                                            from.clock().millis()
                                                    - now.oldestSeen().getAsLong())
                                    / MILLIS_PER_SECOND;
                });
    }

    private void network(Sources from) {
        GaugeWithCallback.builder()
                .name(name("queue_size"))
                .help("Requests that wait for a thread of their lane")
                .labelNames("lane")
                .callback(series -> from.lanes().forEach(lane -> series.call(lane.waiting(), lane.name())))
                .register(registry);
        gauge("connections", "Connections that are open", () ->
                (double) from.connections().getAsLong());
        gauge("outbound_pending_bytes", "Bytes of answers that wait to be sent", () ->
                (double) from.outboundPending().getAsLong());
        CounterWithCallback.builder()
                .name(name("bytes_total"))
                .help("Bytes read from connections, and of answers sent to them")
                .labelNames("direction")
                .callback(series -> {
                    series.call((double) from.bytesIn().getAsLong(), "in");
                    series.call((double) from.bytesOut().getAsLong(), "out");
                })
                .register(registry);
    }

    private void snapshots(SnapshotNumbers from) {
        gauge(
                "snapshot_last_success_seconds",
                "When the routes were written last, in seconds since 1970; 0 for never",
                () -> from.lastSuccessMillis().getAsLong() / MILLIS_PER_SECOND);
        CounterWithCallback.builder()
                .name(name("snapshot_errors_total"))
                .help("Writes of the routes that failed")
                .callback(series -> series.call((double) from.errors().getAsLong()))
                .register(registry);
    }

    private static String name(String rest) {
        return "rocketmq_namesrv_" + rest;
    }

    private void gauge(String rest, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name(rest))
                .help(help)
                .callback(series -> series.call(value.getAsDouble()))
                .register(registry);
    }

    private void byLabel(String rest, String help, String label, Supplier<Map<String, Long>> counts) {
        CounterWithCallback.builder()
                .name(name(rest))
                .help(help)
                .labelNames(label)
                .callback(series -> counts.get().forEach((value, count) -> series.call((double) count, value)))
                .register(registry);
    }

    // ---- the page

    /** A page of metrics. */
    public static final class Page {
        private final String contentType;
        private final byte[] body;

        private Page(String contentType, byte[] body) {
            this.contentType = contentType;
            this.body = body;
        }

        /** As HTTP has it. */
        public String contentType() {
            return contentType;
        }

        /** The text, UTF-8; not to be changed. */
        public byte[] body() {
            return body;
        }
    }

    /** The page of all families, in the format that the scraper's Accept header asks for. */
    public Page page(@Nullable String accept) {
        withJvm();
        ExpositionFormatWriter writer = formats.findWriter(accept == null ? "" : accept.toLowerCase(Locale.ROOT));
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
        try {
            writer.write(out, registry.scrape());
        } catch (IOException impossible) {
            throw new IllegalStateException("written to memory", impossible);
        }
        return new Page(writer.getContentType(), out.toByteArray());
    }

    private synchronized void withJvm() {
        if (!jvm) {
            jvm = true;
            JvmMetrics.builder().register(registry);
        }
    }
}
