package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon's own settings, codes 318 and 319: what changes at once, what is refused, what is kept. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class NamesrvConfigDaemonTest {
    private static final Request SETTINGS = Request.of(319);
    private static final Request ROUTE = Request.of(105).with("topic", "t1");
    private static final String BLACK_LIST = "Can not update config in black list.";

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker).with("configBlackList", "productEnvName;enableTopicList");

    // ---- what is shown

    @ParameterizedTest
    @EnumSource
    void all_settings_are_shown_sorted_and_the_port_is_the_one_in_use(Form form) throws Exception {
        Reply reply = daemon.ask(SETTINGS.in(form));

        List<String> lines = reply.body().lines().toList();
        assertThat(reply).isEqualTo(new Reply(0, "", Map.of(), String.join("\n", lines) + "\n"));
        assertThat(lines).isSorted().allMatch(line -> line.indexOf('=') > 0);
        assertThat(settings())
                .containsEntry("listenPort", Integer.toString(daemon.port()))
                .containsEntry("rocketmqHome", daemon.home().toString())
                .containsEntry("kvConfigPath", daemon.file("kvConfig.json").toString())
                .containsEntry(
                        "configStorePath", daemon.file("namesrv.properties").toString())
                .containsEntry("serverWorkerThreads", "8")
                .containsEntry("clusterTest", "false");
    }

    // ---- what changes at once

    @ParameterizedTest
    @EnumSource
    void a_change_is_shown_and_saved_before_it_is_answered(Form form) throws Exception {
        Reply reply = daemon.ask(
                update("orderMessageEnable=true\nwaitSecondsForService=7").in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(settings()).containsEntry("orderMessageEnable", "true").containsEntry("waitSecondsForService", "7");
        assertThat(daemon.file("namesrv.properties")).hasContent("orderMessageEnable=true\nwaitSecondsForService=7\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# only a comment\n! and another\n\n"})
    void a_change_of_nothing_is_a_success(String body) throws Exception {
        Map<String, String> before = settings();

        for (Form form : Form.values()) {
            assertThat(daemon.ask(update(body).in(form))).isEqualTo(Reply.SUCCESS);
        }

        assertThat(settings()).isEqualTo(before);
        assertThat(daemon.file("namesrv.properties")).doesNotExist();
    }

    @Test
    void comments_blanks_and_escapes_of_a_properties_text_are_understood() throws Exception {
        Reply reply = daemon.ask(update("# c\n\n! d\n  slowRequestMillis \\\n  :  \\u0037\\u0030\n"));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(settings()).containsEntry("slowRequestMillis", "70");
    }

    @Test
    void order_message_enable_adds_the_order_configuration_to_routes() throws Exception {
        daemon.register(master());
        daemon.ask(Request.of(100)
                .with("namespace", "ORDER_TOPIC_CONFIG")
                .with("key", "t1")
                .with("value", "b1:4"));
        daemon.ask(Request.of(100)
                .with("namespace", "ORDER_TOPIC_CONFIG")
                .with("key", "t2")
                .with("value", ""));
        Reply before = daemon.ask(ROUTE);

        change("orderMessageEnable=true");

        assertThat(before.body()).doesNotContain("orderTopicConf");
        assertThat(daemon.ask(ROUTE).body()).contains("\"orderTopicConf\":\"b1:4\"");
        assertThat(daemon.ask(ROUTE.with("topic", "t2")).body()).doesNotContain("orderTopicConf");
    }

    @Test
    void return_order_topic_config_to_broker_adds_them_to_the_answers_of_registrations() throws Exception {
        daemon.ask(Request.of(100)
                .with("namespace", "ORDER_TOPIC_CONFIG")
                .with("key", "t1")
                .with("value", "b1:4"));

        change("returnOrderTopicConfigToBroker=false");
        Reply without = daemon.ask(master().register());
        change("returnOrderTopicConfigToBroker=true");
        Reply with = daemon.ask(master().register());

        assertThat(without).isEqualTo(Reply.SUCCESS);
        assertThat(with).isEqualTo(Reply.json("{\"table\":{\"t1\":\"b1:4\"}}"));
    }

    @Test
    void support_acting_master_shows_the_smallest_slave_as_master() throws Exception {
        String topic = "rmq_sys_SYNC_BROKER_MEMBER_b1";
        daemon.register(
                slave().with("enableActingMaster", true).topics(new Topic("t1"), new Topic(topic)),
                slave().id(2).addr("10.0.0.3:10911").with("enableActingMaster", true));
        Reply before = daemon.ask(ROUTE);

        change("supportActingMaster=true");

        assertThat(before).isEqualTo(groupWithoutMaster(1));
        assertThat(daemon.ask(ROUTE)).isEqualTo(groupWithoutMaster(0));
        assertThat(daemon.ask(ROUTE.with("topic", topic))).isEqualTo(groupWithoutMaster(1));
        daemon.register(master().with("enableActingMaster", true));
        assertThat(daemon.ask(ROUTE).body())
                .contains("\"brokerAddrs\":{\"0\":\"10.0.0.1:10911\",\"1\":\"10.0.0.2:10911\",\"2\":", "\"perm\":6");
    }

    private static Reply groupWithoutMaster(int smallestId) {
        return Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"%d":"10.0.0.2:10911","2":"10.0.0.3:10911"},"brokerName":"b1",
                  "cluster":"c1","enableActingMaster":true}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":4,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}""".formatted(smallestId));
    }

    @Test
    void enable_all_topic_list_false_disables_206_alone() throws Exception {
        daemon.register(master());

        change("enableAllTopicList=false");

        assertThat(daemon.ask(Request.of(206))).isEqualTo(Reply.error(1, "disable"));
        assertThat(daemon.ask(Request.of(311)).code()).isZero();
        change("enableAllTopicList=true");
        assertThat(daemon.ask(Request.of(206))).isEqualTo(Reply.json("{\"topicList\":[\"t1\",\"t2\"]}"));
    }

    @Test
    void enable_topic_list_false_disables_224_and_311_to_313() throws Exception {
        daemon.with("configBlackList", "").restart();

        change("enableTopicList=false");

        for (int code : List.of(224, 311, 312, 313)) {
            assertThat(daemon.ask(Request.of(code).with("cluster", "c1"))).isEqualTo(Reply.error(1, "disable"));
        }
        for (int code : List.of(206, 304)) {
            assertThat(daemon.ask(Request.of(code)).code()).isZero();
        }
    }

    @Test
    void delete_topic_with_broker_registration_removes_what_a_registration_lacks() throws Exception {
        TestBroker other = TestBroker.numbered(2).topics(new Topic("t1"), new Topic("t3"));
        daemon.register(master(), other);
        daemon.register(master().topics(new Topic[0]));
        List<String> before = daemon.routes().allTopicList();

        change("deleteTopicWithBrokerRegistration=true");
        daemon.register(master().topics(new Topic("t2")));

        assertThat(before).containsExactlyInAnyOrder("t1", "t2", "t3");
        assertThat(daemon.routes().topicsByCluster("c1")).containsExactlyInAnyOrder("t1", "t2", "t3");
        assertThat(daemon.ask(ROUTE).body()).contains("\"brokerName\":\"b2\"").doesNotContain("\"brokerName\":\"b1\"");
    }

    @Test
    void need_wait_for_service_holds_routes_back_for_the_seconds_after_the_start() throws Exception {
        daemon.register(master());
        ticker.advance(9_999);

        change("needWaitForService=true\nwaitSecondsForService=10");
        Reply early = daemon.ask(ROUTE);
        Reply earlyForMissing = daemon.ask(ROUTE.with("topic", "no-such"));
        Reply clusters = daemon.ask(Request.of(106));
        ticker.advance(1);
        Reply late = daemon.ask(ROUTE);

        assertThat(List.of(early, earlyForMissing)).containsOnly(Reply.error(1, "name server not ready"));
        assertThat(clusters.code()).isZero();
        assertThat(late.code()).isZero();
    }

    @Test
    void wait_seconds_for_service_counts_at_once() throws Exception {
        daemon.register(master());
        change("needWaitForService=true\nwaitSecondsForService=10");

        change("waitSecondsForService=0");

        assertThat(daemon.ask(ROUTE).code()).isZero();
    }

    // ---- what is refused

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rocketmqHome=/x",
                "kvConfigPath=/x",
                "configStorePath=/x",
                "configBlackList=",
                "productEnvName=x",
                "enableTopicList=false",
                "orderMessageEnable=true\nkvConfigPath=/x",
                "noSuchSetting=1\nrocketmqHome=/x",
            })
    void a_protected_key_is_refused_with_apaches_remark_and_nothing_of_the_request_is_done(String body)
            throws Exception {
        assertRefused(body, 16, BLACK_LIST);
    }

    @ParameterizedTest
    @CsvSource({
        "noSuchSetting=1, noSuchSetting: no such setting",
        "'orderMessageEnable=true\nlistenPort=1', "
                + "listenPort: read only at start; set it where the daemon is configured and start it again",
        "serverSocketBacklog=1, "
                + "serverSocketBacklog: read only at start; set it where the daemon is configured and start it again",
        "KVCONFIGPATH=/x, KVCONFIGPATH: no such setting",
    })
    void a_key_that_is_unknown_or_read_at_start_is_refused_and_named(String body, String remark) throws Exception {
        assertRefused(body, 16, remark);
    }

    @ParameterizedTest
    @CsvSource({
        "'orderMessageEnable=true\nwaitSecondsForService=soon', "
                + "waitSecondsForService: soon (expected: 0..2147483647)",
        "waitSecondsForService=-1, waitSecondsForService: -1 (expected: 0..2147483647)",
        "waitSecondsForService=2147483648, waitSecondsForService: 2147483648 (expected: 0..2147483647)",
        "waitSecondsForService=, waitSecondsForService:  (expected: 0..2147483647)",
        "orderMessageEnable=yes, orderMessageEnable: yes (expected: true or false)",
        "orderMessageEnable=\\u12, string2Properties error",
        "'orderMessageEnable=true\\nx', orderMessageEnable: a value may not hold a line break or control character",
        "'orderMessageEnable=\\u0007', orderMessageEnable: a value may not hold a line break or control character",
    })
    void a_value_that_cannot_be_used_is_refused_and_its_key_named(String body, String remark) throws Exception {
        assertRefused(body, 1, remark);
    }

    @Test
    void a_body_that_is_no_utf8_is_refused() throws Exception {
        Map<String, String> before = settings();

        Reply reply = daemon.ask(Request.of(318).body("orderMessageEnable=true\nx=\u00ff".getBytes(ISO_8859_1)));

        assertThat(reply).isEqualTo(Reply.error(1, "the body is not UTF-8"));
        assertThat(settings()).isEqualTo(before);
    }

    @Test
    void a_change_that_cannot_be_saved_is_no_change() throws Exception {
        Map<String, String> before = settings();
        Path directory = daemon.home().resolve("namesrv");
        Path aside = daemon.home().resolve("aside");
        Files.move(directory, aside);
        Files.writeString(directory, "a file where the directory was");

        Reply refused = daemon.ask(update("orderMessageEnable=true"));
        Map<String, String> after = settings();
        Files.delete(directory);
        Files.move(aside, directory);
        Reply taken = daemon.ask(update("orderMessageEnable=true"));

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.remark()).startsWith("settings are not saved and not changed: ");
        assertThat(after).isEqualTo(before);
        assertThat(taken).isEqualTo(Reply.SUCCESS);
    }

    // ---- what is kept

    @Test
    void what_was_answered_is_in_force_after_a_kill() throws Exception {
        change("orderMessageEnable=true\nslowRequestMillis=70");
        Map<String, String> before = settings();

        daemon.restartAsAfterKill();

        before.put("listenPort", Integer.toString(daemon.port()));
        assertThat(before).containsEntry("orderMessageEnable", "true").containsEntry("slowRequestMillis", "70");
        assertThat(settings()).isEqualTo(before);
    }

    @Test
    void the_file_keeps_what_else_it_holds() throws Exception {
        Path file = daemon.file("namesrv.properties");
        daemon.stop();
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# of an operator\nsomebodyElses = 1\nsupportActingMaster=false\nlistenPort=1\n");
        daemon.restart();

        change("supportActingMaster=true\nnotifyMinBrokerIdChanged=true");

        assertThat(file).hasContent("""
                # of an operator
                somebodyElses = 1
                supportActingMaster=true
                listenPort=1
                notifyMinBrokerIdChanged=true
                """);
        assertThat(settings()).containsEntry("listenPort", Integer.toString(daemon.port()));
    }

    private static Request update(String body) {
        return Request.of(318).body(body);
    }

    private void change(String body) throws Exception {
        assertThat(daemon.ask(update(body))).isEqualTo(Reply.SUCCESS);
    }

    private void assertRefused(String body, int code, String remark) throws Exception {
        Map<String, String> before = settings();

        for (Form form : Form.values()) {
            assertThat(daemon.ask(update(body).in(form))).isEqualTo(Reply.error(code, remark));
        }

        assertThat(settings()).isEqualTo(before);
        assertThat(daemon.file("namesrv.properties")).doesNotExist();
    }

    private Map<String, String> settings() throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(daemon.ask(SETTINGS).body()));
        Map<String, String> settings = new TreeMap<>();
        properties.forEach((key, value) -> settings.put((String) key, (String) value));
        return settings;
    }
}
