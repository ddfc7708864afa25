package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code 105. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RouteQueryDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");

    /** The route of t1 after {@link TestBroker#master()} has registered. */
    private static final String MASTERS_ROUTE = """
            {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
              "enableActingMaster":false}],
             "filterServerTable":{},
             "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}""";

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource
    void a_route_names_groups_queues_and_filter_servers_and_no_more(Form form) throws Exception {
        daemon.register(master());

        assertThat(daemon.ask(ROUTE.in(form))).isEqualTo(Reply.json(MASTERS_ROUTE));
    }

    @ParameterizedTest
    @EnumSource
    void a_route_has_all_groups_that_hold_the_topic(Form form) throws Exception {
        daemon.register(
                master(),
                slave(),
                TestBroker.numbered(2)
                        .cluster("c2")
                        .topics(new Topic("t1").queues(8).perm(4).sysFlag(3), new Topic("t3")));

        assertThat(daemon.ask(ROUTE.in(form))).isEqualTo(Reply.json("""
                {"brokerDatas":[
                  {"brokerAddrs":{"0":"10.0.0.1:10911","1":"10.0.0.2:10911"},"brokerName":"b1","cluster":"c1",
                    "enableActingMaster":false},
                  {"brokerAddrs":{"0":"10.1.0.3:10911"},"brokerName":"b2","cluster":"c2","enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[
                  {"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4},
                  {"brokerName":"b2","perm":4,"readQueueNums":8,"topicSysFlag":3,"writeQueueNums":8}]}"""));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 37, 400})
    void a_caller_before_4_9_4_gets_bare_number_keys_and_utf8(int version) throws Exception {
        daemon.register(master().name("b-ü").with("__ZONE_NAME", "zöne"));

        for (Form form : Form.values()) {
            assertThat(daemon.ask(ROUTE.in(form).version(version))).isEqualTo(Reply.json("""
                    {"brokerDatas":[{"brokerAddrs":{0:"10.0.0.1:10911"},"brokerName":"b-ü","cluster":"c1",
                      "enableActingMaster":false,"zoneName":"zöne"}],
                     "filterServerTable":{},
                     "queueDatas":[{"brokerName":"b-ü","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}"""));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 407, 479, 612, 30000})
    void a_caller_since_4_9_4_gets_quoted_number_keys_and_ascii(int version) throws Exception {
        daemon.register(master().name("b-ü").with("__ZONE_NAME", "zöne"));

        for (Form form : Form.values()) {
            assertThat(daemon.ask(ROUTE.in(form).version(version))).isEqualTo(standardRoute());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE"})
    void an_older_caller_may_ask_for_standard_json(String wish) throws Exception {
        daemon.register(master().name("b-ü").with("__ZONE_NAME", "zöne"));

        assertThat(daemon.ask(ROUTE.version(37).with("acceptStandardJsonOnly", wish)))
                .isEqualTo(standardRoute());
    }

    private static Reply standardRoute() {
        return Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b-\\u00FC","cluster":"c1",
                  "enableActingMaster":false,"zoneName":"z\\u00F6ne"}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b-\\u00FC","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}""");
    }

    @ParameterizedTest
    @EnumSource
    void a_topic_without_a_route_is_17_and_its_remark_names_it(Form form) throws Exception {
        assertThat(daemon.ask(ROUTE.in(form)))
                .isEqualTo(Reply.error(
                        17,
                        "No topic route info in name server for the topic: t1\n"
                                + "See https://rocketmq.apache.org/docs/bestPractice/06FAQ for further details."));
    }

    @Test
    void the_empty_topic_has_no_route() throws Exception {
        assertThat(daemon.ask(ROUTE.with("topic", "")).code()).isEqualTo(17);
    }

    @Test
    void a_remark_carries_no_control_characters_and_not_much_of_the_topic() throws Exception {
        Reply reply = daemon.ask(ROUTE.with("topic", "a\u001b[31m" + "x".repeat(2000)));

        assertThat(reply.code()).isEqualTo(17);
        assertThat(reply.remark())
                .startsWith("No topic route info in name server for the topic: a\\u001B[31mxxx")
                .endsWith("...\nSee https://rocketmq.apache.org/docs/bestPractice/06FAQ for further details.")
                .hasSizeLessThan(800);
    }

    @ParameterizedTest
    @EnumSource
    void a_static_topic_has_its_mapping(Form form) throws Exception {
        daemon.register(master().mapping("""
                        {"topic":"t1","scope":"__global__","totalQueues":2,"bname":"b1","epoch":5,"dirty":false,\
                        "currIdMap":{0:0,1:1}}"""));

        assertThat(daemon.ask(ROUTE.in(form))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}],
                 "topicQueueMappingByBroker":{"b1":{"bname":"b1","currIdMap":{"0":0,"1":1},"dirty":false,"epoch":5,
                  "scope":"__global__","topic":"t1","totalQueues":2}}}"""));
    }

    @Test
    void an_older_caller_gets_bare_keys_in_a_mapping_too() throws Exception {
        daemon.register(
                master().mapping("{\"topic\":\"t1\",\"totalQueues\":1,\"bname\":\"b1\",\"currIdMap\":{\"0\":7}}"));

        assertThat(daemon.ask(ROUTE.version(400)).body()).contains("\"currIdMap\":{0:7}");
    }

    @ParameterizedTest
    @EnumSource
    void a_zone_sees_its_own_masters_and_groups_without_one(Form form) throws Exception {
        daemon.register(
                master().with("__ZONE_NAME", "z1"),
                TestBroker.numbered(2)
                        .with("__ZONE_NAME", "z2")
                        .filterServers("10.0.0.9:1")
                        .topics(new Topic("t1"), new Topic("t3")),
                slave().name("b3")
                        .addr("10.0.0.3:10911")
                        .with("enableActingMaster", false)
                        .with("__ZONE_NAME", "z3"));

        Reply reply = daemon.ask(ROUTE.in(form).with("__ZONE_MODE", "true").with("__ZONE_NAME", "Z1"));

        assertThat(reply).isEqualTo(Reply.json("""
                {"brokerDatas":[
                  {"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1","enableActingMaster":false,
                    "zoneName":"z1"},
                  {"brokerAddrs":{"1":"10.0.0.3:10911"},"brokerName":"b3","cluster":"c1","enableActingMaster":false,
                    "zoneName":"z3"}],
                 "filterServerTable":{},
                 "queueDatas":[
                  {"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4},
                  {"brokerName":"b3","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}"""));
    }

    @Test
    void a_zone_without_brokers_has_an_empty_route() throws Exception {
        daemon.register(master().with("__ZONE_NAME", "z1"));

        assertThat(daemon.ask(ROUTE.with("__ZONE_MODE", "true").with("__ZONE_NAME", "z2")))
                .isEqualTo(Reply.json("{\"brokerDatas\":[],\"filterServerTable\":{},\"queueDatas\":[]}"));
    }

    @Test
    void a_zone_counts_only_where_the_mode_is_on_and_the_name_not_blank() throws Exception {
        daemon.register(master());

        assertThat(daemon.ask(ROUTE.with("__ZONE_NAME", "z2"))).isEqualTo(Reply.json(MASTERS_ROUTE));
        assertThat(daemon.ask(ROUTE.with("__ZONE_MODE", "false").with("__ZONE_NAME", "z2")))
                .isEqualTo(Reply.json(MASTERS_ROUTE));
        assertThat(daemon.ask(ROUTE.with("__ZONE_MODE", "true").with("__ZONE_NAME", " ")))
                .isEqualTo(Reply.json(MASTERS_ROUTE));
    }

    @Test
    void fields_that_tools_and_proxies_add_are_ignored() throws Exception {
        daemon.register(master());

        Reply reply = daemon.ask(ROUTE.with("Signature", "x")
                .with("lo", "false")
                .with("ns", "n")
                .with("nsd", "true")
                .with("bname", "b9")
                .with("oway", "false"));

        assertThat(reply).isEqualTo(Reply.json(MASTERS_ROUTE));
    }

    @Test
    void topics_of_a_4_9_slave_have_no_route_and_those_of_a_lone_5_x_slave_do() throws Exception {
        daemon.register(
                slave(),
                slave().name("b2")
                        .addr("10.0.0.3:10911")
                        .with("enableActingMaster", false)
                        .topics(new Topic("t3"), new Topic("t4")));

        assertThat(daemon.ask(ROUTE).code()).isEqualTo(17);
        assertThat(daemon.ask(ROUTE.with("topic", "t3"))).isEqualTo(Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"1":"10.0.0.3:10911"},"brokerName":"b2","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b2","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}"""));
    }
}
