package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code 105 with routeVersion. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RouteVersionDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");
    private static final Request WIPE = Request.of(205).with("brokerName", "b1");
    private static final Request ADD = Request.of(327).with("brokerName", "b1");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    /** A step that another one may alter an answer by. */
    @FunctionalInterface
    private interface Step {
        void take() throws IOException;
    }

    private static String version(Reply reply) {
        String version = reply.fields().get("routeVersion");
        assertThat(version).matches("[0-9a-z]{8}--?\\d+");
        return version;
    }

    /** The version of t1, which a caller that has none is told with the whole answer. */
    private String version() throws IOException {
        Reply reply = daemon.ask(ROUTE.with("routeVersion", "0"));
        assertThat(reply.body().isEmpty()).isEqualTo(reply.code() == 17);
        return version(reply);
    }

    private void assertMoves(String what, Step step) throws IOException {
        String before = version();

        step.take();

        Reply after = daemon.ask(ROUTE.with("routeVersion", before));
        assertThat(version(after)).as(what).isNotEqualTo(before);
        assertThat(after.fields()).as(what).doesNotContainKey("routeUnchanged");
        assertThat(version()).as(what).isEqualTo(version(after));
        Reply plain = daemon.ask(ROUTE);
        assertThat(after).as(what).isEqualTo(plain.with("routeVersion", version(after)));
    }

    @ParameterizedTest
    @EnumSource
    void a_caller_with_the_current_version_gets_no_body(Form form) throws Exception {
        daemon.register(master());
        Reply plain = daemon.ask(ROUTE.in(form));

        Reply first = daemon.ask(ROUTE.in(form).with("routeVersion", "0"));
        Reply second = daemon.ask(ROUTE.in(form).with("routeVersion", version(first)));

        assertThat(plain.fields()).isEmpty();
        assertThat(first).isEqualTo(plain.with("routeVersion", version(first)));
        assertThat(second)
                .isEqualTo(Reply.SUCCESS.with("routeVersion", version(first)).with("routeUnchanged", "true"));
    }

    @Test
    void an_empty_version_in_a_json_header_is_none_and_in_a_binary_one_the_field_is_not_there() throws Exception {
        daemon.register(master());

        Reply json = daemon.ask(ROUTE.with("routeVersion", ""));
        Reply binary = daemon.ask(ROUTE.in(Form.ROCKETMQ).with("routeVersion", ""));

        assertThat(json.fields()).containsOnlyKeys("routeVersion");
        assertThat(binary.fields()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void code_17_carries_a_version_too_and_is_never_left_out(Form form) throws Exception {
        Reply plain = daemon.ask(ROUTE.in(form));

        Reply first = daemon.ask(ROUTE.in(form).with("routeVersion", "0"));
        Reply second = daemon.ask(ROUTE.in(form).with("routeVersion", version(first)));

        assertThat(plain.fields()).isEmpty();
        assertThat(first).isEqualTo(plain.with("routeVersion", version(first)));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void whatever_alters_the_answer_moves_the_version() throws Exception {
        TestBroker member = slave().with("enableActingMaster", true);
        daemon.register(master().topics(new Topic("t2"), new Topic("t3")));

        assertMoves("the topic appears", () -> daemon.register(master().counter(2)));
        assertMoves(
                "its queues are others",
                () -> daemon.register(master().counter(3).topics(new Topic("t1").queues(8), new Topic("t2"))));
        assertMoves("a slave joins", () -> daemon.register(member));
        assertMoves("the master is away", () -> daemon.ask(master().unregister()));
        assertMoves("the master is back", () -> daemon.register(master()));
        assertMoves("the slave leaves", () -> daemon.ask(member.unregister()));
        assertMoves(
                "another group joins",
                () -> daemon.register(TestBroker.numbered(2).topics(new Topic("t1"), new Topic("t4"))));
        assertMoves("a zone", () -> daemon.register(master().with("__ZONE_NAME", "z1")));
        assertMoves("filter servers come", () -> daemon.register(master().filterServers("10.0.0.9:1")));
        assertMoves("filter servers change", () -> daemon.register(master().filterServers("10.0.0.9:2")));
        assertMoves("a wipe", () -> daemon.ask(WIPE));
        assertMoves("an add", () -> daemon.ask(ADD));
        assertMoves(
                "another address",
                () -> daemon.register(master().addr("10.0.0.7:10911").stateVersion(1)));
        assertMoves("the topic is deleted", () -> daemon.ask(Request.of(216).with("topic", "t1")));
        assertMoves(
                "it is back",
                () -> daemon.register(master().addr("10.0.0.7:10911").stateVersion(2)));
    }

    @Test
    void what_does_not_concern_the_topic_leaves_its_version() throws Exception {
        daemon.register(master());
        String before = version();

        daemon.register(master().counter(2));
        daemon.register(master().counter(3).topics(new Topic("t1"), new Topic("t2").queues(16)));
        daemon.register(TestBroker.numbered(2));
        daemon.ask(master().heartbeat());

        assertThat(version()).isEqualTo(before);
    }

    @Test
    void the_order_configuration_is_part_of_the_route() throws Exception {
        daemon.register(master());
        Request put = Request.of(100).with("namespace", "ORDER_TOPIC_CONFIG").with("key", "t1");
        Request delete = Request.of(102).with("namespace", "ORDER_TOPIC_CONFIG").with("key", "t1");
        daemon.ask(Request.of(318).body("orderMessageEnable=true"));

        assertMoves("put", () -> daemon.ask(put.with("value", "b1:4")));
        assertMoves("put anew", () -> daemon.ask(put.with("value", "b1:8")));
        String before = version();
        daemon.ask(put.with("key", "t2").with("value", "b1:8"));
        daemon.ask(put.with("namespace", "another").with("value", "b1:8"));
        daemon.ask(put.with("value", "b1:8"));
        assertThat(version()).isEqualTo(before);
        assertMoves("delete", () -> daemon.ask(delete));
    }

    @ParameterizedTest
    @ValueSource(strings = {"supportActingMaster=true", "orderMessageEnable=true"})
    void a_change_of_settings_that_alters_answers_moves_all_versions(String setting) throws Exception {
        daemon.register(master());
        Reply unknown = daemon.ask(ROUTE.with("topic", "unknown").with("routeVersion", "0"));

        assertMoves(setting, () -> daemon.ask(Request.of(318).body(setting)));

        assertThat(daemon.ask(ROUTE.with("topic", "unknown").with("routeVersion", version(unknown))))
                .isNotEqualTo(unknown);
        String before = version();
        daemon.ask(Request.of(318).body(setting));
        daemon.ask(Request.of(318).body("slowRequestMillis=7"));
        assertThat(version()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void where_it_is_switched_off_the_fields_are_ignored(Form form) throws Exception {
        daemon.register(master());
        String before = version();
        Request asked = ROUTE.in(form).with("routeVersion", before);
        Reply plain = daemon.ask(ROUTE.in(form));

        daemon.ask(Request.of(318).body("routeDiffEnable=false"));

        assertThat(daemon.ask(asked)).isEqualTo(plain);
        assertThat(daemon.ask(asked.with("routeWaitMillis", "30000"))).isEqualTo(plain);
        assertThat(daemon.ask(asked.with("routeWaitMillis", "soon"))).isEqualTo(plain);
        assertThat(daemon.ask(asked.with("topic", "unknown")).fields()).isEmpty();

        daemon.ask(Request.of(318).body("routeDiffEnable=true"));
        assertThat(version()).isNotEqualTo(before);
    }

    @Test
    void a_version_covers_the_route_of_all_zones() throws Exception {
        Request zone = ROUTE.with("__ZONE_MODE", "true").with("__ZONE_NAME", "z1");
        daemon.register(master().with("__ZONE_NAME", "z1"));
        String before = version();
        assertThat(daemon.ask(zone.with("routeVersion", before)).fields()).containsKey("routeUnchanged");

        daemon.register(TestBroker.numbered(2).with("__ZONE_NAME", "z2").topics(new Topic("t1"), new Topic("t3")));

        Reply after = daemon.ask(zone.with("routeVersion", before));
        assertThat(after).isEqualTo(daemon.ask(zone).with("routeVersion", version()));
        assertThat(version()).isNotEqualTo(before);
    }

    @Test
    void a_wait_that_is_no_number_is_refused_and_one_without_a_version_is_not_there() throws Exception {
        daemon.register(master());
        Reply plain = daemon.ask(ROUTE);
        Request asked = ROUTE.with("routeVersion", version());

        for (String garbage : List.of("soon", "", "1.5", "99999999999999999999")) {
            assertThat(daemon.ask(asked.with("routeWaitMillis", garbage)))
                    .isEqualTo(Reply.error(
                            1, "the custom field <routeWaitMillis> is not a number of 64 bits: " + garbage));
            assertThat(daemon.ask(ROUTE.with("routeWaitMillis", garbage))).isEqualTo(plain);
        }
        for (String none : List.of("0", "-1", "-9223372036854775808")) {
            assertThat(daemon.ask(asked.with("routeWaitMillis", none)).fields()).containsKey("routeUnchanged");
        }
    }

    @Test
    void versions_of_two_runs_are_different() throws Exception {
        daemon.register(master());
        String before = version();

        daemon.restart();
        daemon.register(master());

        assertThat(daemon.ask(ROUTE.with("routeVersion", before)).body()).isNotEmpty();
        assertThat(version()).isNotEqualTo(before);
    }
}
