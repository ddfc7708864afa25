package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.processor.OrderTopicCheck;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is put for order topics: taken with a warning by default, refused with orderConfCheck=strict. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OrderTopicDaemonTest {
    private static final Request STRICT = Request.of(318).body("orderConfCheck=strict");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with("orderMessageEnable", true);

    @Test
    void a_value_that_producers_cannot_read_is_taken_shown_and_warned_about() throws Exception {
        daemon.register(master());

        Reply put;
        List<String> lines;
        try (LogLines log = new LogLines(OrderTopicCheck.class)) {
            put = daemon.ask(put("t1", "b1:4;b2"));
            lines = log.all();
        }

        assertThat(put).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(Request.of(105).with("topic", "t1")).body()).contains("\"orderTopicConf\":\"b1:4;b2\"");
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith(
                        "WARN order topic has a value that producers cannot read, taken, orderConfCheck=strict would"
                                + " refuse it topic=t1 part=\"b2\" (expected: name:number;name:number) from=127.0.0.1:")
                .endsWith(" unlogged=0");
    }

    @Test
    void strict_refuses_it_from_the_moment_it_is_set_and_changes_nothing() throws Exception {
        daemon.ask(put("t1", "b1:4"));
        assertThat(daemon.ask(STRICT)).isEqualTo(Reply.SUCCESS);

        Reply refused = daemon.ask(put("t1", "b1:4;b2:x"));
        Reply kept = daemon.ask(get("t1"));
        daemon.ask(Request.of(318).body("orderConfCheck=warn"));
        Reply taken = daemon.ask(put("t1", "b1:4;b2:x"));

        assertThat(refused)
                .isEqualTo(Reply.error(
                        1,
                        "order topic t1: \"b2:x\" is not name:number (expected: name:number;name:number;"
                                + " orderConfCheck=strict)"));
        assertThat(kept).isEqualTo(Reply.SUCCESS.with("value", "b1:4"));
        assertThat(taken).isEqualTo(Reply.SUCCESS);
    }

    /** updateTopic -o true of one broker, of a cluster with one and with two, of none to write to; updateOrderConf. */
    @ParameterizedTest
    @ValueSource(strings = {"b1:8", "b1:8;b2:8", "b1:0", ""})
    void strict_takes_what_mqadmin_puts_and_what_is_deleted(String value) throws Exception {
        daemon.ask(STRICT);

        assertThat(daemon.ask(put("t1", value))).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(
                        Request.of(102).with("namespace", "ORDER_TOPIC_CONFIG").with("key", "t1")))
                .isEqualTo(Reply.SUCCESS);
    }

    @Test
    void strict_looks_at_no_other_namespace() throws Exception {
        daemon.ask(STRICT);

        assertThat(daemon.ask(put("t1", "x").with("namespace", "ns"))).isEqualTo(Reply.SUCCESS);
    }

    @Test
    void what_the_file_holds_is_looked_at_when_the_daemon_starts() throws Exception {
        daemon.ask(put("t1", "b1:4"));
        daemon.ask(put("t2", "b1"));
        daemon.ask(put("t3", ";"));
        daemon.ask(STRICT);

        List<String> lines;
        try (LogLines log = new LogLines(OrderTopicCheck.class)) {
            daemon.restart();
            lines = log.all();
        }

        assertThat(lines)
                .containsExactly("WARN order topics have values that producers cannot read number=2 first topic=t2"
                        + " part=\"b1\" (expected: name:number;name:number)");
        assertThat(daemon.ask(get("t2"))).isEqualTo(Reply.SUCCESS.with("value", "b1"));
    }

    private static Request put(String topic, String value) {
        return Request.of(100)
                .with("namespace", "ORDER_TOPIC_CONFIG")
                .with("key", topic)
                .with("value", value);
    }

    private static Request get(String topic) {
        return Request.of(101).with("namespace", "ORDER_TOPIC_CONFIG").with("key", topic);
    }
}
