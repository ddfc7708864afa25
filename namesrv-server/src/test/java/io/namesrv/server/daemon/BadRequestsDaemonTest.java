package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableSizes;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes that nobody serves, bodies that cannot be read, requests that want no answer, and frames that are none. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class BadRequestsDaemonTest {
    /** All codes of a NameServer. */
    private static final List<Integer> CODES = List.of(
            100, 101, 102, 103, 104, 105, 106, 205, 206, 216, 217, 219, 224, 304, 311, 312, 313, 318, 319, 322, 327,
            901, 904);

    private static final Request QUEUES = Request.of(217).with("topic", "t1");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource
    void a_code_that_nobody_serves_is_3_and_named_after_a_blank(Form form) throws Exception {
        for (int code : new int[] {9999, 0, -7, 10, 11, 34, 207, 218, 305, 310, 905, 906, 32767, -32768}) {
            assertThat(daemon.ask(Request.of(code).in(form)))
                    .isEqualTo(Reply.error(3, " request type " + code + " not supported"));
        }
        assertThat(daemon.ask(Request.of(1_000_000))).isEqualTo(Reply.error(3, " request type 1000000 not supported"));
    }

    @ParameterizedTest
    @EnumSource
    void any_opaque_comes_back(Form form) throws Exception {
        for (int opaque : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            try (Peer peer = daemon.connect()) {
                peer.sendAsIs(Request.of(105).with("topic", "t9").in(form).opaque(opaque));
                assertThat(peer.next().code()).isEqualTo(17);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void a_registration_whose_body_cannot_be_read_is_refused_and_changes_nothing(String what, byte[] body)
            throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            for (TestBroker broker : List.of(master().counter(9), slave().name("b2"))) {
                Reply reply = daemon.ask(broker.register().body(body).in(form));
                assertThat(reply.code()).as(what).isEqualTo(1);
                assertThat(reply.remark())
                        .startsWith("the body cannot be read: ")
                        .doesNotContain("Exception");
                assertThat(reply.body()).isEmpty();
            }
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    static Stream<Object[]> unreadable() {
        String table = "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"t1\":";
        byte[] compressed = Compressed.of("t1 4 4 6 SINGLE_TAG", "t2 4 4 6 SINGLE_TAG");
        byte[] flipped = compressed.clone();
        flipped[flipped.length - 1] ^= 1;
        return Stream.of(
                new Object[] {"no JSON", utf8("{not json")},
                new Object[] {"a list", utf8("[]")},
                new Object[] {"cut off", utf8(table + "{\"topicName\":\"t1\"")},
                new Object[] {"a tail", utf8("{}x")},
                new Object[] {"a second object", utf8("{}{}")},
                new Object[] {"a list for a topic", utf8(table + "[]}}}")},
                new Object[] {"text for a number", utf8(table + "{\"topicName\":\"t1\",\"perm\":\"six\"}}}}")},
                new Object[] {"a fraction", utf8(table + "{\"topicName\":\"t1\",\"readQueueNums\":1.5}}}}")},
                new Object[] {"no UTF-8", (table + "{\"topicName\":\"t\u00ff\"}}}}").getBytes(ISO_8859_1)},
                new Object[] {"too deep", utf8("{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}")},
                new Object[] {"no number for an id", utf8(mapping("\"one\":1"))},
                new Object[] {"zlib that ends too early", Arrays.copyOf(compressed, compressed.length / 2)},
                new Object[] {"zlib with a wrong checksum", flipped},
                new Object[] {"no zlib after its first byte", utf8("x not zlib")},
                new Object[] {"zlib of nothing", Compressed.deflated(new byte[0])},
                new Object[] {"zlib with a negative count", Compressed.deflated(new byte[] {-1, -1, -1, -1})},
                new Object[] {"zlib that promises 2 GiB", Compressed.deflated(new byte[] {127, -1, -1, -1, '{', '}'})},
                new Object[] {"zlib of 80 MiB", Compressed.deflated(new byte[80 << 20])});
    }

    private static String mapping(String ids) {
        return "{\"topicConfigSerializeWrapper\":{\"topicQueueMappingInfoMap\":{\"t1\":{\"topic\":\"t1\",\"bname\":"
                + "\"b1\",\"currIdMap\":{" + ids + "}}}}}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{nope",
                "[]",
                "{\"queueDatas\":{}}",
                "{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":\"x\"}]}",
                "{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":16}]}",
                "{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":6,\"readQueueNums\":-1}]}",
                "{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":6}]} x",
            })
    void queues_of_a_single_topic_that_cannot_be_read_are_refused_and_change_nothing(String body) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            Reply reply = daemon.ask(QUEUES.body(body).in(form));
            assertThat(reply.code()).isEqualTo(1);
            assertThat(reply.remark()).matches("(the body cannot be read: |queueDatas: ).+");
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nope", "[]", "{\"counter\":\"x\"}", "{\"counter\":1}x"})
    void a_data_version_that_cannot_be_read_is_refused_and_changes_nothing(String body) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            Reply reply = daemon.ask(master().queryDataVersion().body(body).in(form));
            assertThat(reply.code()).isEqualTo(1);
            assertThat(reply.remark()).startsWith("data version: ");
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void null_in_a_registration_is_the_same_as_missing() throws Exception {
        for (String body : List.of(
                "{\"topicConfigSerializeWrapper\":null,\"filterServerList\":null}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":null,\"dataVersion\":null,"
                        + "\"topicQueueMappingInfoMap\":null}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":null,\"b\":null}}}",
                "{}")) {
            assertThat(daemon.ask(master().register().body(body))).isEqualTo(Reply.SUCCESS);
            assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_one_way_request_is_ever_answered(Form form) throws Exception {
        List<Request> requests = new ArrayList<>();
        requests.add(master().register());
        requests.add(master().queryDataVersion());
        requests.add(master().heartbeat());
        IntStream.of(9999, -1, 905).forEach(code -> requests.add(Request.of(code)));
        CODES.forEach(code -> requests.add(Request.of(code)));
        requests.add(master().register().body("{nope"));
        requests.add(
                master().topics(new Topic("t1")).name("b2").addr("10.0.0.2:1").register());
        requests.add(Request.of(105).with("topic", "t1"));
        requests.add(Request.of(105).with("topic", "no-such"));
        requests.add(Request.of(318).body("kvConfigPath=x"));

        try (Peer peer = daemon.connect()) {
            peer.sendAll(
                    requests.stream().map(request -> request.oneway().in(form)).toList());
            Reply answered = peer.ask(Request.of(322).in(form));
            // An orderly stop answers all that was taken, so what has not been answered then never is.
            daemon.stop();

            assertThat(answered.remark()).startsWith("the custom field <");
            assertThat(peer.rest()).isEmpty();
        }
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void a_frame_that_is_an_answer_is_dropped(Form form) throws Exception {
        try (Peer peer = daemon.connect()) {
            peer.sendAll(List.of(
                    master().register().flag(1).in(form),
                    Request.of(9999).flag(1).in(form),
                    master().register().flag(3).in(form)));
            Reply answered = peer.ask(Request.of(322).in(form));
            daemon.stop();

            assertThat(answered.code()).isEqualTo(1);
            assertThat(peer.rest()).isEmpty();
        }
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("brokenFrames")
    void a_frame_that_is_none_ends_its_connection_and_no_other(String what, byte[] bytes) throws Exception {
        try (Peer peer = daemon.connect()) {
            peer.writeRaw(bytes);
            assertThat(peer.isEnded()).as(what).isTrue();
        }
        assertThat(daemon.ask(Request.of(106)).code()).isZero();
    }

    static Stream<Object[]> brokenFrames() {
        return Stream.of(
                new Object[] {"length 0", ints(0, 0)},
                new Object[] {"length below 0", ints(-1, 0)},
                new Object[] {"too long", ints(16_777_213, 10)},
                new Object[] {"a header beyond the frame", ints(8, 5, 0)},
                new Object[] {"a header of length 0", ints(4, 0)},
                new Object[] {"an unknown form", ints(8, 2 << 24 | 4, 0)},
                new Object[] {"a header that is no JSON", ints(8, 4, 0x7b7b7b7b)},
                new Object[] {"a binary header that is too short", ints(8, 1 << 24 | 4, 0)},
                new Object[] {"HTTP", utf8("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")});
    }

    private static byte[] ints(int... values) {
        return Request.bytes(out -> {
            for (int value : values) {
                out.writeInt(value);
            }
        });
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}
