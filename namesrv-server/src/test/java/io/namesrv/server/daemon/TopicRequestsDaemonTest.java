package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Topic lists, and topics one by one: codes 206, 216, 217, 224, 304 and 311 to 313. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class TopicRequestsDaemonTest {
    private static final Reply NO_TOPICS = Reply.json("{\"topicList\":[]}");
    private static final Request DELETE = Request.of(216).with("topic", "t1");
    private static final Request REGISTER = Request.of(217).with("topic", "t9");
    private static final String QUEUES = """
            {"brokerDatas":[],"filterServerTable":{},"queueDatas":[
              {"brokerName":"b1","perm":6,"readQueueNums":2,"topicSysFlag":1,"writeQueueNums":3}]}""";

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @CsvSource({
        "206, '\"plain\",\"unit\",\"sub\",\"both\",\"other\"'",
        "224, '\"plain\",\"unit\",\"sub\",\"both\"'",
        "311, '\"unit\",\"both\"'",
        "312, '\"sub\",\"both\"'",
        "313, '\"sub\"'",
    })
    void a_list_has_each_of_its_topics_once(int code, String topics) throws Exception {
        Request request = Request.of(code).with("cluster", "c1");
        Reply empty = daemon.ask(request);
        daemon.register(
                master().topics(
                                new Topic("plain"),
                                new Topic("unit").sysFlag(1),
                                new Topic("sub").sysFlag(2),
                                new Topic("both").sysFlag(3)),
                TestBroker.numbered(2).topics(new Topic("plain").sysFlag(3), new Topic("unit")),
                TestBroker.numbered(3).cluster("c2").topics(new Topic("other"), new Topic("plain")));

        for (Form form : Form.values()) {
            assertThat(daemon.ask(request.in(form))).isEqualTo(Reply.json("{\"topicList\":[" + topics + "]}"));
        }
        assertThat(empty).isEqualTo(NO_TOPICS);
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_cluster_has_no_topics(Form form) throws Exception {
        daemon.register(master());

        assertThat(daemon.ask(Request.of(224).with("cluster", "c2").in(form))).isEqualTo(NO_TOPICS);
    }

    @ParameterizedTest
    @EnumSource
    void the_system_topics_are_clusters_and_brokers_with_an_address_to_ask(Form form) throws Exception {
        Reply empty = daemon.ask(Request.of(304).in(form));
        daemon.register(master());

        Reply reply = daemon.ask(Request.of(304).in(form));

        assertThat(empty).isEqualTo(NO_TOPICS);
        assertThat(reply).isEqualTo(Reply.json("{\"brokerAddr\":\"10.0.0.1:10911\",\"topicList\":[\"b1\",\"c1\"]}"));
    }

    @ParameterizedTest
    @EnumSource
    void a_deleted_topic_is_gone_everywhere(Form form) throws Exception {
        daemon.register(master(), TestBroker.numbered(2).topics(new Topic("t1"), new Topic("t3")));

        Reply reply = daemon.ask(DELETE.in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.routes().allTopicList()).containsExactlyInAnyOrder("t2", "t3");
    }

    @ParameterizedTest
    @EnumSource
    void a_topic_deleted_in_one_cluster_stays_in_another(Form form) throws Exception {
        daemon.register(master(), TestBroker.numbered(2).cluster("c2").topics(new Topic("t1"), new Topic("t3")));

        Reply reply = daemon.ask(DELETE.with("clusterName", "c1").in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(Request.of(105).with("topic", "t1"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.1.0.3:10911"},"brokerName":"b2","cluster":"c2",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b2","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}"""));
    }

    @ParameterizedTest
    @EnumSource
    void deleting_what_is_not_there_is_a_success_and_nothing_else(Form form) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        assertThat(daemon.ask(DELETE.with("topic", "t9").in(form))).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(DELETE.with("clusterName", "c9").in(form))).isEqualTo(Reply.SUCCESS);

        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void a_deleted_topic_that_its_broker_keeps_comes_back_with_its_next_registration() throws Exception {
        daemon.register(master());
        daemon.ask(DELETE);

        daemon.register(master());

        assertThat(daemon.routes().allTopicList()).containsExactlyInAnyOrder("t1", "t2");
    }

    @ParameterizedTest
    @EnumSource
    void a_single_topic_can_be_registered_for_known_brokers(Form form) throws Exception {
        daemon.register(master());

        Reply reply = daemon.ask(REGISTER.body(QUEUES).in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(Request.of(105).with("topic", "t9"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":2,"topicSysFlag":1,"writeQueueNums":3}]}"""));
    }

    @ParameterizedTest
    @EnumSource
    void a_single_topic_with_one_unknown_broker_is_not_registered_at_all(Form form) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        Reply reply = daemon.ask(REGISTER.with("topic", "t1")
                .body("{\"queueDatas\":[{\"brokerName\":\"b1\",\"perm\":4,\"readQueueNums\":9,\"writeQueueNums\":9},"
                        + "{\"brokerName\":\"b9\",\"perm\":6,\"readQueueNums\":1,\"writeQueueNums\":1}]}")
                .in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            value = {"{}", "{\"queueDatas\":[]}", "{\"queueDatas\":null}", "''"},
            delimiter = ';')
    void a_single_topic_without_queues_is_a_success_and_nothing_else(String body) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            assertThat(daemon.ask(REGISTER.body(body).in(form))).isEqualTo(Reply.SUCCESS);
        }

        assertThat(daemon.tables()).isEqualTo(before);
    }
}
