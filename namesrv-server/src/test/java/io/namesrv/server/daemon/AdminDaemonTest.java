package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The port for operators: what it tells, and what it refuses. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdminDaemonTest {
    private static final int PORT = Http.freePort();

    @RegisterExtension
    final TestDaemon daemon =
            new TestDaemon().with("adminPort", PORT).with("adminHosts", "localhost,127.0.0.1,[::1],ns1");

    private final Http http = new Http(PORT);

    // ---- probes

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/live", "/readyz", "/ready"})
    void a_daemon_that_serves_lives_and_is_ready(String path) throws Exception {
        HttpResponse<String> answer = http.get(path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("ok\n");
    }

    @Test
    void each_check_is_told_where_it_is_asked_for() throws Exception {
        assertThat(http.get("/readyz?verbose").body())
                .contains("[+]scanner last ", "[+]port open", "[+]needWaitForService routes are answered")
                .endsWith("ok\n");
        JSONObject health = http.json("/healthz");
        assertThat(health.getString("status")).isEqualTo("ok");
        assertThat(names(health.getJSONArray("checks"), "name"))
                .containsExactly("scanner", "port", "needWaitForService", "snapshot", "queues", "memory");
    }

    @Test
    void a_daemon_short_of_memory_is_degraded_and_ready() throws Exception {
        daemon.controller().memoryIsShort(true);

        assertThat(http.json("/healthz").getString("status")).isEqualTo("degraded");
        assertThat(http.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(http.get("/readyz").statusCode()).isEqualTo(200);
    }

    // ---- the tables

    @Test
    void brokers_are_told_with_their_state() throws Exception {
        daemon.register(master());
        daemon.register(slave());

        JSONObject page = http.json("/api/v1/brokers");

        assertThat(page.getIntValue("total")).isEqualTo(2);
        JSONObject first = page.getJSONArray("items").getJSONObject(0);
        assertThat(first.getString("cluster")).isEqualTo("c1");
        assertThat(first.getString("name")).isEqualTo("b1");
        assertThat(first.getString("role")).isEqualTo("master");
        assertThat(first.getString("addr")).isEqualTo(TestBroker.ADDR);
        assertThat(first.getString("haAddr")).isEqualTo(TestBroker.HA);
        assertThat(first.getString("state")).isEqualTo("ALIVE");
        assertThat(first.getLongValue("ageMs")).isBetween(0L, 60_000L);
        assertThat(first.getLongValue("timeoutMs")).isEqualTo(120_000);
        assertThat(first.getString("lastSeen")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(first.getIntValue("topics")).isEqualTo(2);
        assertThat(http.json("/api/v1/brokers?q=nobody").getIntValue("total")).isZero();
    }

    @Test
    void a_group_is_told_with_its_members_and_topics() throws Exception {
        daemon.register(master());
        daemon.register(slave());

        JSONObject group = http.json("/api/v1/brokers/b1");

        assertThat(group.getString("cluster")).isEqualTo("c1");
        assertThat(names(group.getJSONArray("members"), "role")).containsExactly("master", "slave");
        assertThat(group.getJSONArray("topics")).hasSize(2);
        assertError(http.get("/api/v1/brokers/b2"), 404, "broker_not_found");
    }

    @Test
    void clusters_are_told_in_numbers_and_with_their_groups() throws Exception {
        daemon.register(master());

        JSONObject cluster = http.json("/api/v1/clusters").getJSONArray("items").getJSONObject(0);
        assertThat(cluster.getString("name")).isEqualTo("c1");
        assertThat(cluster.getIntValue("groups")).isEqualTo(1);
        assertThat(cluster.getIntValue("brokers")).isEqualTo(1);
        assertThat(cluster.getIntValue("topics")).isEqualTo(2);
        assertThat(cluster.getJSONObject("states").getIntValue("ALIVE")).isEqualTo(1);
        assertThat(names(http.json("/api/v1/clusters/c1").getJSONArray("members"), "name"))
                .containsExactly("b1");
        assertError(http.get("/api/v1/clusters/c2"), 404, "cluster_not_found");
    }

    @Test
    void topics_come_in_pages() throws Exception {
        daemon.register(master());

        JSONObject first = http.json("/api/v1/topics?limit=1");
        JSONObject second = http.json("/api/v1/topics?limit=1&cursor=" + first.getString("next"));

        assertThat(first.getIntValue("total")).isEqualTo(2);
        assertThat(first.getString("next")).isEqualTo("1");
        assertThat(second.get("next")).isNull();
        assertThat(names(first.getJSONArray("items"), "topic"))
                .doesNotContainAnyElementsOf(names(second.getJSONArray("items"), "topic"));
        assertError(http.get("/api/v1/topics?limit=0"), 400, "bad_request");
        assertError(http.get("/api/v1/topics?cursor=x"), 400, "bad_request");
    }

    @Test
    void the_list_of_topics_is_sent_again_only_when_it_has_changed() throws Exception {
        daemon.register(master());
        HttpResponse<String> first = http.get("/api/v1/topics");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = http.get("/api/v1/topics", "If-None-Match", tag);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(same.headers().firstValue("ETag")).contains(tag);

        daemon.register(master().name("b2").addr("10.0.0.9:10911"));
        await().untilAsserted(() -> assertThat(
                        http.get("/api/v1/topics", "If-None-Match", tag).statusCode())
                .isEqualTo(200));
    }

    @Test
    void a_topic_is_told_as_a_client_gets_it() throws Exception {
        daemon.register(master());
        daemon.ask(Request.of(205).with("brokerName", "b1"));

        JSONObject topic = http.json("/api/v1/topics/t1");

        JSONObject queue = topic.getJSONArray("queues").getJSONObject(0);
        assertThat(queue.getIntValue("perm")).isEqualTo(4);
        assertThat(queue.getIntValue("declaredPerm")).isEqualTo(6);
        assertThat(topic.getJSONArray("brokers").getJSONObject(0).getJSONObject("addrs"))
                .containsEntry("0", TestBroker.ADDR);
        assertThat(topic.get("orderConf")).isNull();
    }

    @Test
    void of_an_unknown_topic_similar_names_are_told() throws Exception {
        daemon.register(master());

        HttpResponse<String> answer = http.get("/api/v1/topics/T1");

        assertError(answer, 404, "topic_not_found");
        assertThat(answer.body()).contains("similar names: t1");
    }

    // ---- the daemon itself

    @Test
    void the_daemon_tells_what_it_is_and_does() throws Exception {
        daemon.register(master());

        JSONObject version = http.json("/api/v1/version");
        assertThat(version.getString("name")).isEqualTo("namesrv");
        assertThat(version.getIntValue("protocolVersion")).isEqualTo(479);
        assertThat(version.getString("listen"))
                .isEqualTo("127.0.0.1:" + daemon.controller().port());
        JSONObject status = http.json("/api/v1/status");
        assertThat(status).containsKeys("tableVersion", "connections", "requests", "memory", "snapshot");
        assertThat(http.json("/api/v1/snapshot").getBooleanValue("enabled")).isFalse();
    }

    @Test
    void settings_are_told_with_their_source_and_without_secrets() throws Exception {
        JSONObject setting =
                http.json("/api/v1/config?q=adminPort").getJSONArray("items").toJavaList(JSONObject.class).stream()
                        .filter(item -> item.getString("key").equals("adminPort"))
                        .findFirst()
                        .orElseThrow();

        assertThat(setting.getString("value")).isEqualTo(Integer.toString(PORT));
        assertThat(setting.getString("default")).isEqualTo("19876");
        assertThat(setting.getString("source")).isEqualTo("system property namesrv.adminPort");
        assertThat(setting.getBooleanValue("mutable")).isFalse();
        assertThat(http.get("/api/v1/config?q=adminToken").body()).contains("\"value\":\"***\"");
    }

    @Test
    void key_value_settings_are_told() throws Exception {
        daemon.ask(Request.of(100).with("namespace", "ns").with("key", "k").with("value", "v"));

        assertThat(http.json("/api/v1/kv").getJSONObject("ns")).containsEntry("k", "v");
    }

    // ---- what is refused

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
    void nothing_can_be_changed(String method) throws Exception {
        HttpResponse<String> answer = http.send(method, "/api/v1/status");

        assertError(answer, 405, "method_not_allowed");
        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/api", "/api/v1/", "/api/v1/../../etc/passwd", "/%2e%2e/etc/passwd", "/api/v1/topics/"})
    void there_is_no_other_page(String path) throws Exception {
        String answer = http.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 404 ").contains("no_such_page");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "LOCALHOST:1,200",
        "127.0.0.1,200",
        "[::1]:80,200",
        "ns1,200",
        "evil.example,403",
        "'',403"
    })
    void a_name_that_is_not_ours_is_refused(String host, int status) throws Exception {
        String answer = http.raw("GET /livez HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void a_header_that_is_too_long_is_refused() throws Exception {
        String answer = http.raw("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(9_000) + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400 ").contains("bad_request");
    }

    @Test
    void a_body_that_is_too_long_is_refused() throws Exception {
        String answer = http.raw(
                "POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n"
                        + "x".repeat(1_000));

        assertThat(answer).startsWith("HTTP/1.1 413 ");
    }

    @Test
    void requests_that_come_together_are_answered_in_their_order() throws Exception {
        String answer = http.raw("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200)
                + "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer.split("HTTP/1.1 200 ", -1)).hasSize(201);
        assertThat(answer).contains("HTTP/1.1 404 ").endsWith("}}");
    }

    @Test
    void answers_are_for_no_other_page_and_not_kept() throws Exception {
        HttpResponse<String> answer = http.get("/api/v1/status");

        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .contains("default-src 'self'; frame-ancestors 'none'");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        HttpResponse<String> head = http.send("HEAD", "/livez");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    private static List<String> names(JSONArray items, String member) {
        return items.toJavaList(JSONObject.class).stream()
                .map(item -> item.getString(member))
                .toList();
    }

    private static void assertError(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains("\"error\":{\"code\":\"" + code + "\"", "\"message\":\"", "\"hint\":\"");
    }
}
