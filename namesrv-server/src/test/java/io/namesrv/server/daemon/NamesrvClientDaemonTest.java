package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.core.data.TopicRouteData;
import io.namesrv.remoting.netty.ClientOptions;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.server.client.KVWrite;
import io.namesrv.server.client.NamesrvClient;
import io.namesrv.server.client.NamesrvClientOptions;
import io.namesrv.server.client.PrintRoute;
import io.namesrv.server.client.RouteAnswer;
import io.namesrv.server.client.RouteVersion;
import io.namesrv.server.client.TopicRoute;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The client against the daemon: what it reads is what the tables hold. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class NamesrvClientDaemonTest {
    private static final NamesrvClientOptions PATIENT =
            NamesrvClientOptions.DEFAULT.withRequestTimeout(Duration.ofSeconds(20));

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with("orderMessageEnable", "true");

    private String address() {
        return "127.0.0.1:" + daemon.port();
    }

    private NamesrvClient client() {
        return new NamesrvClient(address(), PATIENT, Optional::empty);
    }

    private void registerSome() throws IOException {
        daemon.register(
                master().name("b-ü").with("__ZONE_NAME", "zöne").filterServers("10.0.0.1:1"),
                slave().name("b-ü").with("enableActingMaster", "true"),
                TestBroker.numbered(2)
                        .cluster("c2")
                        .mapping("""
                        {"bname":"b2","currIdMap":{"0":0,"1":1},"dirty":false,"epoch":5,"scope":"__global__",\
                        "topic":"t1","totalQueues":2}""")
                        .topics(new TestBroker.Topic("t1").queues(8).perm(4).sysFlag(3), new TestBroker.Topic("t3")));
    }

    @ParameterizedTest
    @EnumSource
    void routes_clusters_and_topics_are_those_of_the_tables(SerializeType form) throws Exception {
        registerSome();
        TopicRouteData route = daemon.routes().pickupTopicRouteData("t1", false).orElseThrow();
        NamesrvClientOptions options = PATIENT.withRemoting(ClientOptions.DEFAULT.withSerializeType(form));
        try (NamesrvClient client = new NamesrvClient(address(), options, Optional::empty)) {
            client.putKVConfig("ORDER_TOPIC_CONFIG", "t1", "b2:8").join();

            assertThat(client.route("t1").join())
                    .isEqualTo(new RouteAnswer.Found(address(), new TopicRoute(route, "b2:8"), Optional.empty()));
            assertThat(client.route("unknown").join()).isEqualTo(new RouteAnswer.NoRoute(address(), Optional.empty()));
            assertThat(client.clusterInfo().join()).isEqualTo(daemon.routes().clusterInfo());
            assertThat(client.topicList().join()).containsExactlyInAnyOrder("t1", "t2", "t3");
            assertThat(client.askAllForClusterInfo().join().given().get(address()))
                    .extracting(answer -> answer.value())
                    .isEqualTo(daemon.routes().clusterInfo());
            assertThat(client.askAllForRoute("t1").join().union()).contains(new TopicRoute(route, "b2:8"));
        }
    }

    @Test
    void whoever_knows_a_version_is_told_what_is_new_and_may_wait_for_it() throws Exception {
        registerSome();
        try (NamesrvClient client = client()) {
            RouteAnswer first = client.route("t3", RouteVersion.NONE).join();
            assertThat(first).isInstanceOf(RouteAnswer.Found.class);
            RouteVersion known = first.version().orElseThrow();
            assertThat(client.route("t3", known).join())
                    .isEqualTo(new RouteAnswer.Unchanged(address(), first.version()));
            RouteAnswer absent = client.route("t4", RouteVersion.NONE).join();

            CompletableFuture<RouteAnswer> changed = client.route("t3", known, Duration.ofSeconds(20));
            CompletableFuture<RouteAnswer> appeared =
                    client.route("t4", absent.version().orElseThrow(), Duration.ofSeconds(20));
            await().until(() -> daemon.controller().routeWaiters().waiting() == 2);
            daemon.register(TestBroker.numbered(2)
                    .cluster("c2")
                    .counter(9)
                    .topics(new TestBroker.Topic("t3").queues(2), new TestBroker.Topic("t4")));

            assertThat(changed.join()).isInstanceOf(RouteAnswer.Found.class);
            assertThat(changed.join().version()).isNotEqualTo(first.version());
            assertThat(appeared.join()).isInstanceOf(RouteAnswer.Found.class);
        }
    }

    @Test
    void key_value_settings_are_written_read_and_deleted() {
        String large = "ü\"\n".repeat(20_000);
        try (NamesrvClient client = client()) {
            assertThat(client.getKVConfig("n", "k").join()).isEmpty();
            assertThat(client.getKVListByNamespace("n").join()).isEmpty();

            KVWrite put = client.putKVConfig("n", "k", large).join();

            assertThat(put.everywhere()).isTrue();
            assertThat(put.acknowledged()).containsOnlyKeys(address());
            assertThat(client.getKVConfig("n", "k").join()).contains(large);
            assertThat(client.getKVListByNamespace("n").join()).contains(new TreeMap<>(Map.of("k", large)));
            assertThat(client.deleteKVConfig("n", "k").join().everywhere()).isTrue();
            assertThat(client.getKVConfig("n", "k").join()).isEmpty();
        }
    }

    @Test
    void tls_is_spoken_to_a_daemon_that_takes_it() throws Exception {
        TlsOptions usual = TlsOptions.DEFAULT;
        Optional<SslContext> context = new TlsContexts(
                        new TlsOptions(usual.mode(), true, usual.clientAuth(), usual.server(), true, usual.client()))
                .client();
        try (NamesrvClient client = new NamesrvClient(address(), PATIENT, () -> context)) {
            assertThat(client.topicList().join()).isEmpty();
        }
    }

    @Test
    void a_restart_of_the_daemon_costs_a_new_connection_and_no_answer() throws Exception {
        daemon.register(master());
        String former = address();
        try (NamesrvClient client = client()) {
            assertThat(client.topicList().join()).hasSize(2);
            daemon.restart();
            String list = former + ";" + address();
            try (NamesrvClient both = new NamesrvClient(list, PATIENT, Optional::empty)) {
                assertThat(both.topicList().join()).isEmpty();
                assertThat(both.servers()).extracting(state -> state.server()).containsExactly(address(), former);
            }
        }
    }

    @Test
    void the_example_of_the_document_does_what_it_says() throws Exception {
        daemon.register(master());
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream usual = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            PrintRoute.main(new String[] {address(), "t1"});
        } finally {
            System.setOut(usual);
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("b1 {0=" + TestBroker.ADDR + "}"),
                        line -> assertThat(line).matches(address() + " answered in \\d+ ms"),
                        line -> assertThat(line).isEqualTo("they agree"));
    }

    @Test
    void the_document_quotes_the_example() throws IOException {
        Path root = Path.of(System.getProperty("basedir", "."), "..").normalize();
        String example =
                Files.readString(root.resolve("namesrv-server/src/test/java/io/namesrv/server/client/PrintRoute.java"));

        assertThat(Files.readString(root.resolve("docs/client.md"))).contains("```java\n" + example + "```\n");
    }
}
