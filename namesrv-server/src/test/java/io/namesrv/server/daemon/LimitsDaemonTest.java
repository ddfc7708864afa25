package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.namesrv.core.data.TableSizes;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Each limit of the tables, of key/value settings and of what is on its way: reached, refused, and others served. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class LimitsDaemonTest {
    private static final int ERROR = 1;
    private static final int BUSY = 2;

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon()
            .with("topicsMax", 8)
            .with("topicsPerBrokerMax", 5)
            .with("brokersMax", 4)
            .with("brokersPerChannelMax", 3)
            .with("clustersMax", 2)
            .with("topicNameMax", 20)
            .with("brokerNameMax", 10)
            .with("clusterNameMax", 12)
            .with("addressMax", 30)
            .with("jsonMaxNumberLength", 20)
            .with("kvNamespacesMax", 2)
            .with("kvKeysMax", 3)
            .with("kvValueMax", 100)
            .with("kvTotalMax", 200)
            .with("connectionsMax", 12)
            .with("registrationInFlightMax", 400_000);

    private static Topic[] topics(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> new Topic(prefix + i)).toArray(Topic[]::new);
    }

    /** A broker without topics. */
    private static TestBroker bare(int number) {
        return numbered(number).topics(new Topic[0]);
    }

    private void assertRefused(TestBroker broker, String limit, int max) throws Exception {
        Reply refused =
                Reply.error(ERROR, "register broker failed, " + limit + ": the limit of " + max + " is reached");
        try (Peer other = daemon.connect()) {
            assertThat(other.ask(broker.register())).isEqualTo(refused);
        }
        assertThat(daemon.groups()).doesNotContain(broker.name());
    }

    // ---- tables

    @Test
    void a_registration_with_a_topic_too_many_is_refused_and_the_topics_there_are_can_be_renewed() throws Exception {
        daemon.register(master(), numbered(5).topics(topics("a", 5)));

        assertRefused(numbered(2).topics(topics("b", 2)), "topicsMax", 8);
        daemon.register(master().counter(2), numbered(5).topics(topics("a", 5)).counter(2));
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 2, 2, 7));
        assertThat(daemon.ask(Request.of(105).with("topic", "a4")).code()).isZero();
    }

    @Test
    void topics_of_one_broker_are_limited_in_one_registration_and_in_several() throws Exception {
        daemon.register(master());

        Reply atOnce = daemon.ask(master().counter(2).topics(topics("a", 6)).register());
        Reply bitByBit = daemon.ask(master().counter(2).topics(topics("a", 4)).register());

        assertThat(atOnce)
                .isEqualTo(Reply.error(ERROR, "the body cannot be read: more than 5 topics (topicsPerBrokerMax)"));
        assertThat(bitByBit)
                .isEqualTo(Reply.error(ERROR, "register broker failed, topicsPerBrokerMax: the limit of 5 is reached"));
        daemon.register(master().counter(2).topics(topics("a", 3)));
    }

    @Test
    void a_topic_too_many_is_not_registered_alone_either() throws Exception {
        daemon.register(master().topics(topics("a", 5)));
        Request request = Request.of(217)
                .with("topic", "sixth")
                .body("{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":6,\"readQueueNums\":1,\"writeQueueNums\":1}]}");

        assertThat(daemon.ask(request))
                .isEqualTo(Reply.error(ERROR, "register topic failed, topicsPerBrokerMax: the limit of 5 is reached"));
        assertThat(daemon.ask(request.with("topic", "a1"))).isEqualTo(Reply.SUCCESS);
    }

    @Test
    void a_broker_too_many_is_refused_until_one_leaves() throws Exception {
        daemon.register(master());
        try (Peer container = daemon.connect()) {
            for (int i = 2; i <= 4; i++) {
                TestDaemon.register(container, bare(i));
            }
            assertRefused(bare(5), "brokersMax", 4);
            TestDaemon.register(container, bare(3).counter(2));
        }
        daemon.awaitGone("b3");
        daemon.register(bare(5));
    }

    @Test
    void one_connection_carries_a_container_of_brokers_and_no_more() throws Exception {
        daemon.register(bare(1), bare(2), bare(3));

        Reply refused = daemon.ask(bare(4).register());

        assertThat(refused)
                .isEqualTo(
                        Reply.error(ERROR, "register broker failed, brokersPerChannelMax: the limit of 3 is reached"));
        daemon.register(bare(2).counter(2));
        try (Peer other = daemon.connect()) {
            TestDaemon.register(other, bare(4));
        }
    }

    @Test
    void a_cluster_too_many_is_refused() throws Exception {
        daemon.register(master(), numbered(5).cluster("c2"));

        assertRefused(numbered(2).cluster("c3"), "clustersMax", 2);
        daemon.register(numbered(2).cluster("c2"));
    }

    @Test
    void names_that_are_too_long_are_passed_over_or_refused() throws Exception {
        daemon.register(master().topics(new Topic("t".repeat(20)), new Topic("t".repeat(21))));

        assertThat(daemon.routes().allTopicList()).containsExactly("t".repeat(20));
        assertThat(daemon.ask(master().name("b".repeat(11)).register()))
                .isEqualTo(Reply.error(ERROR, "the custom field <brokerName> has more than 10 bytes (brokerNameMax)"));
        assertThat(daemon.ask(master().cluster("c".repeat(13)).register()))
                .isEqualTo(
                        Reply.error(ERROR, "the custom field <clusterName> has more than 12 bytes (clusterNameMax)"));
        assertThat(daemon.ask(master().addr("h".repeat(30) + ":1").register()))
                .isEqualTo(Reply.error(ERROR, "the custom field <brokerAddr> has more than 30 bytes (addressMax)"));
    }

    @Test
    void numbers_that_are_too_long_are_refused_in_a_body() throws Exception {
        Reply reply = daemon.ask(
                master().version("{\"counter\":" + "1".repeat(21) + "}").register());

        assertThat(reply.code()).isEqualTo(ERROR);
        daemon.register(master());
    }

    @Test
    void a_timeout_out_of_range_is_clamped_and_said_once_per_broker() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.namesrv.server.processor.RegistrationProcessor");
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        lines.start();
        try {
            daemon.register(
                    master().with("heartbeatTimeoutMillis", 1),
                    master().with("heartbeatTimeoutMillis", 1).counter(2),
                    numbered(2).with("heartbeatTimeoutMillis", 10_000_000));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(before);
        }

        assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
                .filteredOn(line -> line.startsWith("heartbeatTimeoutMillis"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("asked=1 taken=1000 ", "name=b1 "),
                        line -> assertThat(line).contains("asked=10000000 taken=600000 ", "name=b2 "));
    }

    // ---- key/value settings

    private Reply put(String namespace, String key, String value) throws Exception {
        return daemon.ask(
                Request.of(100).with("namespace", namespace).with("key", key).with("value", value));
    }

    @Test
    void key_value_settings_are_limited_in_every_way_and_those_there_are_can_be_replaced() throws Exception {
        assertThat(put("A", "a", "1")).isEqualTo(Reply.SUCCESS);
        assertThat(put("B", "b", "1")).isEqualTo(Reply.SUCCESS);

        assertThat(put("C", "c", "1")).isEqualTo(Reply.error(ERROR, "kvNamespacesMax: the limit of 2 is reached"));
        assertThat(put("B", "c", "1")).isEqualTo(Reply.SUCCESS);
        assertThat(put("B", "d", "1")).isEqualTo(Reply.error(ERROR, "kvKeysMax: the limit of 3 is reached"));
        assertThat(put("A", "a", "v".repeat(101)))
                .isEqualTo(Reply.error(ERROR, "the value has more than 100 bytes (kvValueMax)"));
        assertThat(put("A", "a", "v".repeat(100))).isEqualTo(Reply.SUCCESS);
        assertThat(put("B", "b", "v".repeat(100)))
                .isEqualTo(Reply.error(ERROR, "kvTotalMax: the limit of 200 is reached"));
        assertThat(put("B", "b", "2")).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(Request.of(101).with("namespace", "B").with("key", "b")))
                .isEqualTo(Reply.SUCCESS.with("value", "2"));
    }

    @Test
    void a_remark_carries_at_most_512_characters_of_its_caller() throws Exception {
        Reply reply =
                daemon.ask(Request.of(101).with("namespace", "n".repeat(5000)).with("key", "k".repeat(5000)));

        assertThat(reply.remark().replaceAll("[^nk]", "").length()).isBetween(400, 530);
    }

    // ---- what is on its way

    @Test
    void registrations_without_room_to_inflate_wait_without_a_thread_and_are_answered_busy() throws Exception {
        byte[] large = Compressed.of("t".repeat(450_000));
        List<Peer> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                Peer peer = daemon.connect();
                waiting.add(peer);
                peer.send(numbered(i).register().body(large));
            }
            daemon.register(master());
            daemon.register(master().counter(2));

            for (Peer peer : waiting) {
                Reply reply = peer.next();
                assertThat(reply.code()).isEqualTo(BUSY);
                assertThat(reply.remark()).contains("registrationInFlightMax");
            }
            assertThat(daemon.groups()).containsExactly("b1");
        } finally {
            for (Peer peer : waiting) {
                peer.close();
            }
        }
    }

    @Test
    void bytes_that_are_never_completed_cost_the_connections_that_hold_most() throws Exception {
        try (Peer first = daemon.connect();
                Peer second = daemon.connect()) {
            first.writeRaw(partial(300_000));
            second.writeRaw(partial(150_000));
            assertThat(first.isEnded()).isTrue();
            daemon.register(master());
        }
    }

    /** The beginning of a frame of a MiB. */
    private static byte[] partial(int bytes) {
        return Request.bytes(out -> {
            out.writeInt(1 << 20);
            out.writeInt(100);
            out.write(new byte[bytes - 8]);
        });
    }

    @Test
    void a_connection_too_many_is_closed_and_those_there_are_go_on() throws Exception {
        List<Peer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 11; i++) {
                Peer peer = daemon.connect();
                peers.add(peer);
                assertThat(peer.ask(Request.of(106)).code()).isZero();
            }
            try (Peer tooMany = daemon.connect()) {
                assertThat(tooMany.isEnded()).isTrue();
            }
            daemon.register(master());
            assertThat(peers.get(10).ask(Request.of(106)).code()).isZero();
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }
}
