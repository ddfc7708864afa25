package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of metrics, read as strictly as a scraper reads it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MetricsDaemonTest {
    private static final int ADMIN_PORT = Http.freePort();
    private static final int METRICS_PORT = Http.freePort();

    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(?:[a-z_]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)+})? (\\S+)");

    private static final Set<String> SUFFIXES = Set.of("_bucket", "_sum", "_count", "_total", "_info");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with("adminPort", ADMIN_PORT).with("metricsPort", METRICS_PORT);

    private final Http http = new Http(METRICS_PORT);

    /** Every sample of a page by name and labels; fails where a line is not as it should be. */
    private static Map<String, Double> samples(String page) {
        Map<String, Double> samples = new HashMap<>();
        Set<String> typed = new HashSet<>();
        for (String line : page.split("\n", -1)) {
            if (line.startsWith("# TYPE ")) {
                assertThat(typed.add(line.split(" ", 4)[2]))
                        .as("typed twice: %s", line)
                        .isTrue();
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(samples.put(
                                sample.group(1) + (sample.group(2) == null ? "" : sample.group(2)),
                                Double.valueOf(sample.group(3))))
                        .as("twice: %s", line)
                        .isNull();
                assertThat(isTyped(sample.group(1), typed))
                        .as("no type: %s", line)
                        .isTrue();
            }
        }
        return samples;
    }

    private static boolean isTyped(String name, Set<String> typed) {
        return typed.contains(name)
                || SUFFIXES.stream()
                        .anyMatch(suffix -> name.endsWith(suffix)
                                && typed.contains(name.substring(0, name.length() - suffix.length())));
    }

    private Map<String, Double> scrape() throws Exception {
        HttpResponse<String> answer = http.get("/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/plain; version=0.0.4; charset=utf-8");
        return samples(answer.body());
    }

    @Test
    void the_series_that_dashboards_know_are_there_from_the_start() throws Exception {
        Map<String, Double> samples = scrape();

        assertThat(samples)
                .containsEntry("rocketmq_namesrv_rt_total{type=\"PUT\"}", 0.0)
                .containsEntry("rocketmq_namesrv_rt_total{type=\"GET\"}", 0.0)
                .containsEntry("rocketmq_namesrv_rt_total{type=\"OTHER\"}", 0.0)
                .containsEntry("rocketmq_namesrv_broker_count", 0.0)
                .containsEntry("rocketmq_namesrv_up", 1.0)
                .containsEntry("rocketmq_namesrv_ready", 1.0)
                .containsEntry("rocketmq_namesrv_evictions_total{reason=\"expired\"}", 0.0)
                .containsEntry("rocketmq_namesrv_queue_rejected_total{lane=\"routes\"}", 0.0)
                .containsEntry("rocketmq_namesrv_connections_closed_total{reason=\"bad_frame\"}", 0.0)
                .containsEntry("rocketmq_namesrv_snapshot_errors_total", 0.0);
        assertThat(samples.keySet()).anyMatch(name -> name.startsWith("rocketmq_namesrv_build_info{"));
        assertThat(samples)
                .containsKeys(
                        "rocketmq_namesrv_start_time_seconds",
                        "rocketmq_namesrv_scan_age_seconds",
                        "rocketmq_namesrv_connections",
                        "rocketmq_namesrv_outbound_pending_bytes",
                        "rocketmq_namesrv_snapshot_last_success_seconds",
                        "rocketmq_namesrv_broker_last_seen_max_age_seconds",
                        "rocketmq_namesrv_queue_size{lane=\"liveness\"}",
                        "jvm_memory_used_bytes{area=\"heap\"}",
                        "jvm_threads_current",
                        "process_cpu_seconds_total",
                        "process_open_fds",
                        "process_max_fds",
                        "process_resident_memory_bytes",
                        "process_start_time_seconds");
    }

    @Test
    void requests_and_tables_are_counted() throws Exception {
        daemon.register(master());
        daemon.ask(Request.of(105).with("topic", "t1"));
        daemon.ask(Request.of(105).with("topic", "t1"));
        daemon.ask(Request.of(105).with("topic", "none"));
        daemon.ask(Request.of(4711));

        await().untilAsserted(() -> assertThat(scrape())
                .containsEntry("rocketmq_namesrv_requests_total{code=\"103\",result=\"0\",type=\"PUT\"}", 1.0)
                .containsEntry("rocketmq_namesrv_requests_total{code=\"105\",result=\"0\",type=\"GET\"}", 2.0)
                .containsEntry("rocketmq_namesrv_requests_total{code=\"105\",result=\"17\",type=\"GET\"}", 1.0)
                .containsEntry("rocketmq_namesrv_requests_total{code=\"unknown\",result=\"3\",type=\"OTHER\"}", 1.0)
                .containsEntry("rocketmq_namesrv_answer_cache_total{result=\"hit\"}", 2.0)
                .containsEntry("rocketmq_namesrv_answer_cache_total{result=\"miss\"}", 1.0)
                .containsEntry("rocketmq_namesrv_request_seconds_count{type=\"GET\"}", 3.0)
                .containsEntry("rocketmq_namesrv_request_seconds_bucket{type=\"GET\",le=\"+Inf\"}", 3.0)
                .containsEntry("rocketmq_namesrv_broker_count", 1.0)
                .containsEntry("rocketmq_namesrv_broker_state_count{state=\"ALIVE\"}", 1.0)
                .containsEntry("rocketmq_namesrv_topic_count", 2.0)
                .containsEntry("rocketmq_namesrv_cluster_count", 1.0)
                .containsEntry("rocketmq_namesrv_group_count", 1.0)
                .containsEntry("rocketmq_namesrv_route_changes_total{kind=\"register\"}", 1.0));
        assertThat(scrape().get("rocketmq_namesrv_rt_total{type=\"PUT\"}")).isPositive();
        assertThat(scrape().get("rocketmq_namesrv_bytes_total{direction=\"in\"}"))
                .isGreaterThan(500);
        assertThat(scrape().get("rocketmq_namesrv_bytes_total{direction=\"out\"}"))
                .isGreaterThan(500);
    }

    @Test
    void open_metrics_comes_where_it_is_asked_for() throws Exception {
        HttpResponse<String> answer = http.get("/metrics", "Accept", "application/openmetrics-text; version=1.0.0");

        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .startsWith("application/openmetrics-text; version=1.0.0");
        assertThat(answer.body()).endsWith("# EOF\n").contains("# TYPE rocketmq_namesrv_requests counter");
        samples(answer.body());
    }

    @Test
    void the_port_for_scrapers_has_nothing_else() throws Exception {
        assertThat(http.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(http.get("/api/v1/brokers").statusCode()).isEqualTo(404);
        assertThat(new Http(ADMIN_PORT).get("/metrics").statusCode()).isEqualTo(200);
    }
}
