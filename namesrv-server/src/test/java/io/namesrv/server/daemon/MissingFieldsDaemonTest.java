package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every request that needs fields, with each of them missing, and with fields that are no numbers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MissingFieldsDaemonTest {
    /** Code 100, whose remarks are its own, is in {@link KVConfigDaemonTest}. */
    private static final List<Request> REQUESTS = List.of(
            TestBroker.slave().register(),
            TestBroker.master().unregister(),
            TestBroker.master().queryDataVersion(),
            Request.of(904).with("clusterName", "c1").with("brokerName", "b1").with("brokerAddr", TestBroker.ADDR),
            Request.of(901).with("clusterName", "c1").with("brokerName", "b1"),
            Request.of(105).with("topic", "t1"),
            Request.of(205).with("brokerName", "b1"),
            Request.of(327).with("brokerName", "b1"),
            Request.of(216).with("topic", "t1"),
            Request.of(217).with("topic", "t9").body("""
                    {"queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":2,"writeQueueNums":3}]}"""),
            Request.of(101).with("namespace", "ns").with("key", "k"),
            Request.of(102).with("namespace", "ns").with("key", "k"),
            Request.of(219).with("namespace", "ns"),
            Request.of(224).with("cluster", "c1"));

    /** Fields of {@link #REQUESTS} that may be missing. */
    private static final List<String> OPTIONAL = List.of("haServerAddr");

    private static final List<String> NO_NUMBERS =
            List.of("abc", "1.5", "0x10", "1e3", " 1", "1_000", "-", "99999999999999999999", "9223372036854775808");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @MethodSource("requests")
    void a_request_without_one_of_its_fields_is_refused_names_it_and_changes_nothing(Request request) throws Exception {
        Tables before = populate();

        List<String> required = new ArrayList<>(request.fields().keySet());
        required.removeAll(OPTIONAL);
        for (String field : required) {
            Reply reply = daemon.ask(request.without(field));
            assertThat(reply).isEqualTo(Reply.error(1, "the custom field <" + field + "> is null"));
        }

        assertUnchanged(before);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_request_without_any_fields_is_refused_and_changes_nothing(Request request) throws Exception {
        Tables before = populate();
        Request bare = Request.of(request.code()).in(request.form()).body(request.bodyBytes());

        Reply reply = daemon.ask(bare);

        assertThat(reply.code()).isEqualTo(1);
        assertThat(reply.remark())
                .matches("the custom field <("
                        + String.join("|", request.fields().keySet()) + ")> is null");
        assertUnchanged(before);
    }

    @ParameterizedTest
    @EnumSource
    void a_broker_id_that_is_no_number_is_refused_and_named(Form form) throws Exception {
        Tables before = populate();

        for (String text : NO_NUMBERS) {
            for (Request request : List.of(
                    TestBroker.slave().register(),
                    TestBroker.master().unregister(),
                    TestBroker.master().queryDataVersion())) {
                Reply reply = daemon.ask(request.with("brokerId", text).in(form));
                assertThat(reply)
                        .isEqualTo(Reply.error(1, "the custom field <brokerId> is not a number of 64 bits: " + text));
            }
        }

        assertUnchanged(before);
    }

    @ParameterizedTest
    @EnumSource
    void an_optional_number_that_is_none_is_refused_too(Form form) throws Exception {
        Tables before = populate();

        for (String text : NO_NUMBERS) {
            Request request = TestBroker.slave().register().in(form);
            assertThat(daemon.ask(request.with("heartbeatTimeoutMillis", text)))
                    .isEqualTo(Reply.error(
                            1, "the custom field <heartbeatTimeoutMillis> is not a number of 64 bits: " + text));
            assertThat(daemon.ask(request.with("bodyCrc32", text)))
                    .isEqualTo(Reply.error(1, "the custom field <bodyCrc32> is not a number of 32 bits: " + text));
        }
        assertThat(daemon.ask(TestBroker.slave().register().in(form).with("bodyCrc32", "4294967296")))
                .isEqualTo(Reply.error(1, "the custom field <bodyCrc32> is not a number of 32 bits: 4294967296"));

        assertUnchanged(before);
    }

    static Stream<Request> requests() {
        return REQUESTS.stream().flatMap(request -> Stream.of(Form.values()).map(request::in));
    }

    private Tables populate() throws Exception {
        daemon.register(TestBroker.master());
        daemon.ask(Request.of(100).with("namespace", "ns").with("key", "k").with("value", "v"));
        return daemon.tables();
    }

    private void assertUnchanged(Tables before) throws Exception {
        assertThat(daemon.tables()).isEqualTo(before);
        assertThat(daemon.ask(Request.of(219).with("namespace", "ns")))
                .isEqualTo(Reply.json("{\"table\":{\"k\":\"v\"}}"));
    }
}
