package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableSizes;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.util.zip.CRC32;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Code 103: what it answers, and what it leaves in the tables. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RegisterBrokerDaemonTest {
    private static final String BELL = "\u0007";
    private static final Request CLUSTERS = Request.of(106);

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource
    void a_master_is_answered_without_fields_and_body(Form form) throws Exception {
        Reply reply = daemon.ask(master().register().in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void a_slave_is_told_its_master_and_where_it_replicates_from(Form form) throws Exception {
        daemon.register(master());

        Reply reply = daemon.ask(slave().register().in(form));

        assertThat(reply)
                .isEqualTo(Reply.SUCCESS.with("masterAddr", TestBroker.ADDR).with("haServerAddr", TestBroker.HA));
    }

    @ParameterizedTest
    @EnumSource
    void a_slave_of_a_master_without_replication_address_is_told_the_master_alone(Form form) throws Exception {
        assertThat(daemon.ask(master().register().without("haServerAddr"))).isEqualTo(Reply.SUCCESS);

        Reply reply = daemon.ask(slave().register().in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("masterAddr", TestBroker.ADDR));
    }

    @Test
    void a_slave_without_a_master_is_told_nothing() throws Exception {
        assertThat(daemon.ask(slave().register())).isEqualTo(Reply.SUCCESS);
    }

    @Test
    void a_master_is_told_nothing_of_itself() throws Exception {
        daemon.register(slave());

        assertThat(daemon.ask(master().register())).isEqualTo(Reply.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource
    void the_answer_carries_the_order_topics_once_there_are_any(Form form) throws Exception {
        Reply without = daemon.ask(master().register().in(form));
        daemon.ask(Request.of(100)
                .with("namespace", "ORDER_TOPIC_CONFIG")
                .with("key", "t1")
                .with("value", "b1:4"));

        Reply with = daemon.ask(master().register().in(form));

        assertThat(without).isEqualTo(Reply.SUCCESS);
        assertThat(with).isEqualTo(Reply.json("{\"table\":{\"t1\":\"b1:4\"}}"));
    }

    @ParameterizedTest
    @EnumSource
    void an_older_broker_sends_the_table_alone(Form form) throws Exception {
        String table = "{\"dataVersion\":{\"counter\":1,\"timestamp\":2},\"topicConfigTable\":{\"t1\":{\"topicName\":"
                + "\"t1\"},\"t2\":{\"topicName\":\"t2\"}}}";

        Reply reply = daemon.ask(master().register().in(form).version(36).body(table));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.routes().topicsByCluster("c1")).containsExactlyInAnyOrder("t1", "t2");
    }

    @Test
    void a_topic_that_says_nothing_has_sixteen_queues_to_read_and_write() throws Exception {
        daemon.ask(master().register().body(wrapped("{\"t1\":{\"topicName\":\"t1\"},\"x\":{\"topicName\":\"t2\"}}")));

        assertThat(daemon.ask(Request.of(105).with("topic", "t2"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":16,"topicSysFlag":0,"writeQueueNums":16}]}"""));
    }

    @Test
    void a_bad_topic_is_passed_over_and_its_broker_taken() throws Exception {
        Topic broken = new Topic("t3").queues(-1);

        daemon.register(master().topics(new Topic("t1"), broken, new Topic("t2").perm(99)));

        assertThat(daemon.routes().allTopicList()).containsExactly("t1");
    }

    @ParameterizedTest
    @EnumSource
    void a_registration_without_a_body_has_no_topics(Form form) throws Exception {
        Reply reply = daemon.ask(master().register().in(form).body(""));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 0));
    }

    @ParameterizedTest
    @EnumSource
    void a_right_checksum_is_taken(Form form) throws Exception {
        Request request = master().register();
        CRC32 crc = new CRC32();
        crc.update(request.bodyBytes());

        Reply reply = daemon.ask(request.in(form).with("bodyCrc32", crc.getValue() & 0x7FFFFFFF));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource
    void a_wrong_checksum_is_refused(Form form) throws Exception {
        Tables before = daemon.tables();

        Reply reply = daemon.ask(master().register().in(form).with("bodyCrc32", 12345));

        assertThat(reply).isEqualTo(Reply.error(1, "crc32 not match"));
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void a_single_topic_of_an_unknown_broker_is_refused(Form form) throws Exception {
        Tables before = daemon.tables();

        Reply reply = daemon.ask(master().topics(new Topic("t1"))
                .with("enableActingMaster", true)
                .register()
                .in(form));

        assertThat(reply).isEqualTo(Reply.error(1, "register broker failed"));
        assertThat(daemon.tables()).isEqualTo(before);
        assertThat(daemon.ask(CLUSTERS)).isEqualTo(Reply.json("{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}"));
    }

    @ParameterizedTest
    @EnumSource
    void a_smaller_state_version_does_not_take_an_id_and_is_answered_success(Form form) throws Exception {
        daemon.register(master().stateVersion(5));
        Tables before = daemon.tables();

        Reply reply = daemon.ask(
                master().addr(TestBroker.SLAVE_ADDR).stateVersion(4).register().in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void an_equal_state_version_takes_the_id() throws Exception {
        daemon.register(
                master().stateVersion(5), master().addr(TestBroker.SLAVE_ADDR).stateVersion(5));

        assertThat(daemon.ask(CLUSTERS)).isEqualTo(Reply.json("""
                {"brokerAddrTable":{"b1":{"brokerAddrs":{0:"10.0.0.2:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}},
                 "clusterAddrTable":{"c1":["b1"]}}"""));
    }

    @Test
    void flag_zone_and_filter_servers_come_back_with_the_route() throws Exception {
        daemon.register(master().with("enableActingMaster", true)
                .with("__ZONE_NAME", "z1")
                .filterServers("10.0.0.9:1", "10.0.0.9:2"));

        assertThat(daemon.ask(Request.of(105).with("topic", "t1"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":true,"zoneName":"z1"}],
                 "filterServerTable":{"10.0.0.1:10911":["10.0.0.9:1","10.0.0.9:2"]},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}"""));
    }

    @ParameterizedTest
    @EnumSource
    void the_compressed_form_is_read_whatever_the_header_says_of_it(Form form) throws Exception {
        Request request = master().register().body(Compressed.of("t1 3 4 6 SINGLE_TAG {}", "t2 1 1 6 MULTI_TAG {}"));

        Reply said = daemon.ask(request.in(form).with("compressed", true));
        daemon.ask(master().unregister());
        Reply denied = daemon.ask(request.in(form).with("compressed", false));

        assertThat(said).isEqualTo(Reply.SUCCESS);
        assertThat(denied).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.ask(Request.of(105).with("topic", "t1"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":3,"topicSysFlag":0,"writeQueueNums":4}]}"""));
    }

    @ParameterizedTest
    @CsvSource({
        "clusterName, a" + BELL + "b, the custom field <clusterName> holds a control character",
        "clusterName, ' ', the custom field <clusterName> is blank",
        "brokerName, ' ', the custom field <brokerName> is blank",
        "brokerAddr, 10.0.0.1, the custom field <brokerAddr> is no host:port",
        "brokerAddr, 10.0.0.1:0, the custom field <brokerAddr> is no host:port",
        "brokerAddr, :10911, the custom field <brokerAddr> is no host:port",
        "brokerId, -1, brokerId is negative",
    })
    void an_identity_that_breaks_a_rule_is_refused(String field, String value, String remark) throws Exception {
        daemon.register(slave());
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            Request request = master().register().in(form).with(field, value);
            assertThat(daemon.ask(request)).as(request.toString()).isEqualTo(Reply.error(1, remark));
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    private static String wrapped(String table) {
        return "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":" + table + "}}";
    }
}
