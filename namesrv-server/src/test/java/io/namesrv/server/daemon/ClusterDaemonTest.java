package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.QueueData;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clusters and the write permission of their brokers: codes 106, 205 and 327. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ClusterDaemonTest {
    private static final Request CLUSTERS = Request.of(106);
    private static final Request WIPE = Request.of(205).with("brokerName", "b1");
    private static final Request ADD = Request.of(327).with("brokerName", "b1");

    /** Every permission that means something, and one with the inherit bit. */
    private static final Topic[] TOPICS = {
        new Topic("none").perm(0),
        new Topic("write").perm(2),
        new Topic("read").perm(4),
        new Topic("both").perm(6),
        new Topic("inherit").perm(7),
    };

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource
    void nothing_is_known_at_first(Form form) throws Exception {
        assertThat(daemon.ask(CLUSTERS.in(form)))
                .isEqualTo(Reply.json("{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}"));
    }

    @ParameterizedTest
    @EnumSource
    void the_clusters_have_their_groups_under_real_ids_and_bare_keys(Form form) throws Exception {
        daemon.register(
                slave().with("enableActingMaster", true).with("__ZONE_NAME", "z1"),
                slave().id(2).addr("10.0.0.3:10911").with("enableActingMaster", true),
                TestBroker.numbered(2),
                TestBroker.numbered(3).cluster("c2"));

        assertThat(daemon.ask(CLUSTERS.in(form))).isEqualTo(Reply.json("""
                {"brokerAddrTable":{
                  "b1":{"brokerAddrs":{1:"10.0.0.2:10911",2:"10.0.0.3:10911"},"brokerName":"b1","cluster":"c1",
                    "enableActingMaster":true,"zoneName":"z1"},
                  "b2":{"brokerAddrs":{0:"10.1.0.3:10911"},"brokerName":"b2","cluster":"c1",
                    "enableActingMaster":false},
                  "b3":{"brokerAddrs":{0:"10.1.0.4:10911"},"brokerName":"b3","cluster":"c2",
                    "enableActingMaster":false}},
                 "clusterAddrTable":{"c1":["b1","b2"],"c2":["b3"]}}"""));
    }

    @Test
    void whoever_asks_for_standard_json_gets_quoted_keys() throws Exception {
        daemon.register(master());

        assertThat(daemon.ask(CLUSTERS.with("acceptStandardJsonOnly", "true"))).isEqualTo(Reply.json("""
                {"brokerAddrTable":{"b1":{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}},
                 "clusterAddrTable":{"c1":["b1"]}}"""));
    }

    @ParameterizedTest
    @EnumSource
    void a_wipe_withholds_the_write_bit_of_all_topics_of_one_broker(Form form) throws Exception {
        daemon.register(master().topics(TOPICS), TestBroker.numbered(2).topics(TOPICS));

        Reply reply = daemon.ask(WIPE.in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("wipeTopicCount", "5"));
        assertThat(perms("b1")).isEqualTo(Map.of("none", 0, "write", 0, "read", 4, "both", 4, "inherit", 5));
        assertThat(perms("b2")).isEqualTo(Map.of("none", 0, "write", 2, "read", 4, "both", 6, "inherit", 7));
    }

    @ParameterizedTest
    @EnumSource
    void a_wipe_taken_back_restores_exactly_what_the_broker_declared(Form form) throws Exception {
        daemon.register(master().topics(TOPICS));
        daemon.ask(WIPE.in(form));

        Reply reply = daemon.ask(ADD.in(form));

        assertThat(reply).isEqualTo(Reply.SUCCESS.with("addTopicCount", "5"));
        assertThat(perms("b1")).isEqualTo(Map.of("none", 0, "write", 2, "read", 4, "both", 6, "inherit", 7));
    }

    @Test
    void write_permission_added_where_none_was_wiped_sets_read_and_write_and_keeps_the_rest() throws Exception {
        daemon.register(master().topics(TOPICS));

        assertThat(daemon.ask(ADD)).isEqualTo(Reply.SUCCESS.with("addTopicCount", "5"));

        assertThat(perms("b1")).isEqualTo(Map.of("none", 6, "write", 6, "read", 6, "both", 6, "inherit", 7));
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_broker_has_no_topics_to_wipe_or_add(Form form) throws Exception {
        daemon.register(TestBroker.numbered(2));
        Tables before = daemon.tables();

        Reply wiped = daemon.ask(WIPE.in(form));
        Reply added = daemon.ask(ADD.in(form));

        assertThat(wiped).isEqualTo(Reply.SUCCESS.with("wipeTopicCount", "0"));
        assertThat(added).isEqualTo(Reply.SUCCESS.with("addTopicCount", "0"));
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void a_wipe_outlives_registrations_with_the_same_data_version_and_heartbeats() throws Exception {
        daemon.register(master());
        daemon.ask(WIPE);

        daemon.register(master());
        daemon.ask(master().queryDataVersion());
        daemon.ask(master().heartbeat());

        assertThat(perms("b1")).isEqualTo(Map.of("t1", 4, "t2", 4));
    }

    @Test
    void a_wipe_ends_with_the_next_data_version() throws Exception {
        daemon.register(master());
        daemon.ask(WIPE);

        daemon.register(master().counter(2));

        assertThat(perms("b1")).isEqualTo(Map.of("t1", 6, "t2", 6));
    }

    @Test
    void a_wipe_ends_when_the_broker_was_away() throws Exception {
        daemon.register(master());
        daemon.ask(WIPE);
        daemon.ask(master().unregister());

        daemon.register(master());

        assertThat(perms("b1")).isEqualTo(Map.of("t1", 6, "t2", 6));
    }

    private Map<String, Integer> perms(String brokerName) {
        Map<String, Integer> perms = new TreeMap<>();
        daemon.tables()
                .routes()
                .forEach((topic, route) -> route.queueDatas().stream()
                        .filter(queue -> queue.brokerName().equals(brokerName))
                        .map(QueueData::perm)
                        .forEach(perm -> perms.put(topic, perm)));
        return perms;
    }
}
