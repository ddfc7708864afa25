package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableSizes;
import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults that were seen on NameServer 4.9.7 and 5.3.3, by their numbers in the project's list, as far as a peer can see
 * them. Those that are races are in {@link OriginalRacesDaemonTest}; number 20 shows inside the process alone.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OriginalFaultsDaemonTest {
    private static final Request CLUSTERS = Request.of(106);
    private static final Reply NO_CLUSTERS = Reply.json("{\"brokerAddrTable\":{},\"clusterAddrTable\":{}}");
    private static final Request ROUTE = Request.of(105).with("topic", "t1");
    private static final String ORDER = "ORDER_TOPIC_CONFIG";

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker);

    @Test
    void fault_01_a_former_address_is_not_known_any_more() throws Exception {
        Peer former = daemon.connect();
        TestDaemon.register(former, master().filterServers("10.0.0.9:1"));
        daemon.register(master().addr("10.0.0.5:10911"));
        Tables moved = daemon.tables();

        Reply asked = daemon.ask(master().queryDataVersion());
        former.close();
        ticker.advance(119_000);
        daemon.ask(master().addr("10.0.0.5:10911").heartbeat());
        ticker.advance(2_000);
        daemon.controller().scanNow();

        assertThat(asked).isEqualTo(Reply.SUCCESS.with("changed", "true"));
        assertThat(daemon.tables()).isEqualTo(moved);
    }

    @Test
    void fault_02_a_refused_registration_leaves_no_debris() throws Exception {
        daemon.ask(master().topics(new Topic("t1")).with("__ZONE_NAME", "z").register());

        assertThat(daemon.ask(CLUSTERS)).isEqualTo(NO_CLUSTERS);
        assertThat(daemon.ask(Request.of(304))).isEqualTo(Reply.json("{\"topicList\":[]}"));
    }

    @Test
    void fault_03_a_broker_of_a_renamed_cluster_is_listed_once_and_leaves_with_its_connection() throws Exception {
        Peer peer = daemon.connect();
        TestDaemon.register(peer, master());
        TestDaemon.register(peer, master().cluster("c2"));

        Reply renamed = daemon.ask(CLUSTERS);
        peer.close();

        assertThat(renamed).isEqualTo(Reply.json("""
                {"brokerAddrTable":{"b1":{"brokerAddrs":{0:"10.0.0.1:10911"},"brokerName":"b1","cluster":"c2",
                  "enableActingMaster":false}},
                 "clusterAddrTable":{"c2":["b1"]}}"""));
        daemon.awaitGone("b1");
        assertThat(daemon.ask(CLUSTERS)).isEqualTo(NO_CLUSTERS);
        assertThat(daemon.ask(ROUTE).code()).isEqualTo(17);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"topicConfigSerializeWrapper\":null}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":null}}",
                "{\"topicConfigSerializeWrapper\":{\"dataVersion\":null,\"topicConfigTable\":{}}}",
            })
    void fault_04_a_registration_answered_as_a_success_is_one(String body) throws Exception {
        assertThat(daemon.ask(master().register().body(body))).isEqualTo(Reply.SUCCESS);

        assertThat(daemon.ask(CLUSTERS)).isEqualTo(Reply.json("""
                {"brokerAddrTable":{"b1":{"brokerAddrs":{0:"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}},
                 "clusterAddrTable":{"c1":["b1"]}}"""));
    }

    @Test
    void fault_04_a_broker_without_a_cluster_is_none() throws Exception {
        Reply reply = daemon.ask(master().register().without("clusterName"));

        assertThat(reply).isEqualTo(Reply.error(1, "the custom field <clusterName> is null"));
        assertThat(daemon.ask(CLUSTERS)).isEqualTo(NO_CLUSTERS);
    }

    @Test
    void fault_05_all_brokers_of_a_connection_leave_with_it() throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();
        Peer container = daemon.connect();
        for (int i = 2; i < 22; i++) {
            TestDaemon.register(container, numbered(i));
        }

        container.close();

        daemon.awaitSizes(before.sizes());
        assertThat(daemon.tables().routes()).isEqualTo(before.routes());
    }

    @Test
    void fault_11_a_bad_unregistration_keeps_no_other_from_its_work() throws Exception {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            daemon.register(numbered(i));
            requests.add(numbered(i).unregister());
            requests.add(numbered(i).unregister().without("brokerId"));
        }

        try (Peer peer = daemon.connect()) {
            List<Reply> replies = peer.askAll(requests);
            for (int i = 0; i < 20; i++) {
                assertThat(replies.get(2 * i)).isEqualTo(Reply.SUCCESS);
                assertThat(replies.get(2 * i + 1)).isEqualTo(Reply.error(1, "the custom field <brokerId> is null"));
            }
        }
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"configTable\":{\"ORDER_TOPIC_CONFIG\":{\"t1\":\"b1:"})
    void fault_12_a_file_that_was_cut_off_does_not_end_the_start_and_is_not_lost_with_the_next_put(String left)
            throws Exception {
        Path file = daemon.file("kvConfig.json");
        daemon.stop();
        Files.createDirectories(file.getParent());
        Files.writeString(file, left);

        daemon.restart();
        Reply reply = daemon.ask(put("ns", "k", "v"));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(file).hasContent("{\"configTable\":{\"ns\":{\"k\":\"v\"}}}");
        assertThat(setAside(file))
                .singleElement()
                .satisfies(aside -> assertThat(aside).hasContent(left));
    }

    private static List<Path> setAside(Path file) throws IOException {
        try (Stream<Path> files = Files.list(file.getParent())) {
            return files.filter(path -> path.getFileName().toString().startsWith(file.getFileName() + ".bad-"))
                    .toList();
        }
    }

    @Test
    void fault_13_a_zone_does_not_lose_the_callers_json() throws Exception {
        daemon.register(master().with("__ZONE_NAME", "z1"));
        Request zoned = ROUTE.with("__ZONE_MODE", "true").with("__ZONE_NAME", "z1");

        assertThat(daemon.ask(zoned.version(479)).body()).contains("\"brokerAddrs\":{\"0\":");
        assertThat(daemon.ask(zoned.version(400)).body()).contains("\"brokerAddrs\":{0:");
        assertThat(daemon.ask(zoned.version(400).with("acceptStandardJsonOnly", "true"))
                        .body())
                .contains("\"brokerAddrs\":{\"0\":");
    }

    @Test
    void fault_14_taking_back_a_wipe_grants_no_more_than_the_wipe_took() throws Exception {
        daemon.register(master().topics(new Topic("t1").perm(7), new Topic("t2").perm(4), new Topic("t3").perm(0)));
        Tables before = daemon.tables();

        daemon.ask(Request.of(205).with("brokerName", "b1"));
        daemon.ask(Request.of(327).with("brokerName", "b1"));

        assertThat(daemon.tables().routes()).isEqualTo(before.routes());
    }

    @Test
    void fault_15_the_mapping_of_a_static_topic_leaves_with_its_broker() throws Exception {
        daemon.register(staticTopic());

        daemon.ask(master().unregister());
        daemon.register(master());

        assertThat(daemon.ask(ROUTE).body()).contains("queueDatas").doesNotContain("topicQueueMappingByBroker");
    }

    @Test
    void fault_15_the_mapping_of_a_static_topic_leaves_with_the_topic() throws Exception {
        daemon.register(staticTopic());

        daemon.ask(Request.of(216).with("topic", "t1"));
        daemon.register(master());

        assertThat(daemon.ask(ROUTE).body()).contains("queueDatas").doesNotContain("topicQueueMappingByBroker");
    }

    private static TestBroker staticTopic() {
        return master().mapping("{\"topic\":\"t1\",\"bname\":\"b1\",\"totalQueues\":1,\"currIdMap\":{\"0\":0}}");
    }

    @Test
    void fault_16_the_flag_of_a_group_is_that_of_its_smallest_id_whoever_came_last() throws Exception {
        TestBroker one = master().with("enableActingMaster", true);
        TestBroker other = slave().with("enableActingMaster", false);
        Set<String> seen = new TreeSet<>();

        for (TestBroker next : List.of(one, other, one, other, other)) {
            daemon.register(next);
            seen.add(daemon.ask(ROUTE).body().replaceAll(".*(\"enableActingMaster\":[a-z]+).*", "$1"));
        }

        assertThat(seen).containsExactly("\"enableActingMaster\":true");
    }

    @Test
    void fault_19_a_silent_broker_does_not_take_its_neighbours_connection_down() throws Exception {
        Peer container = daemon.connect();
        TestDaemon.register(container, master());
        TestDaemon.register(container, numbered(2));
        ticker.advance(119_000);
        container.ask(numbered(2).heartbeat());
        ticker.advance(2_000);

        daemon.controller().scanNow();

        assertThat(daemon.groups()).containsExactly("b2");
        assertThat(container.ask(CLUSTERS).code()).isZero();
        container.close();
        daemon.awaitGone("b2");
    }

    @Test
    void fault_19_the_connection_goes_with_the_last_of_its_brokers() throws Exception {
        Peer container = daemon.connect();
        TestDaemon.register(container, master());
        TestDaemon.register(container, numbered(2));
        ticker.advance(121_000);

        daemon.controller().scanNow();

        assertThat(daemon.groups()).isEmpty();
        assertThat(container.isEnded()).isTrue();
    }

    @Test
    void fault_21_a_route_has_no_filter_servers_that_are_null() throws Exception {
        daemon.register(master().filterServers("10.0.0.9:1"), slave());

        assertThat(daemon.ask(ROUTE).body()).contains("\"filterServerTable\":{\"10.0.0.1:10911\":[\"10.0.0.9:1\"]}");
    }

    @Test
    void fault_21_a_value_that_is_null_is_not_kept() throws Exception {
        Reply reply = daemon.ask(put("ns", "k", "v").without("value"));

        assertThat(reply).isEqualTo(Reply.error(1, "value is null"));
        assertThat(daemon.ask(Request.of(219).with("namespace", "ns")).code()).isEqualTo(22);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, -32768, 0, 36, 37, 32767})
    void fault_21_a_registration_of_any_release_is_taken(int version) throws Exception {
        for (Form form : Form.values()) {
            Request request = master().register().version(version).in(form);
            assertThat(daemon.ask(request)).isEqualTo(Reply.SUCCESS);
        }
        assertThat(daemon.groups()).containsExactly("b1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rocketmqHome=/x", "listenPort=1", "serverSocketBacklog=7", "waitSecondsForService=soon"})
    void fault_22_a_setting_without_effect_is_refused_and_shown_as_it_is(String line) throws Exception {
        Reply before = daemon.ask(Request.of(319));

        Reply reply = daemon.ask(Request.of(318).body(line));

        assertThat(reply.code()).isIn(1, 16);
        assertThat(daemon.ask(Request.of(319))).isEqualTo(before);
        assertThat(daemon.file("namesrv.properties")).doesNotExist();
        daemon.restart();
    }

    @Test
    void fault_23_an_emptied_namespace_goes_but_for_that_of_order_topics() throws Exception {
        for (String namespace : List.of("ns", ORDER)) {
            daemon.ask(put(namespace, "t1", "b1:4"));
            daemon.ask(Request.of(102).with("namespace", namespace).with("key", "t1"));
        }
        assertEmptied();

        daemon.restart();

        assertEmptied();
        assertThat(daemon.ask(master().register())).isEqualTo(Reply.json("{\"table\":{}}"));
    }

    private void assertEmptied() throws IOException {
        assertThat(daemon.ask(Request.of(219).with("namespace", "ns")))
                .isEqualTo(Reply.error(22, "No config item, Namespace: ns"));
        assertThat(daemon.ask(Request.of(219).with("namespace", ORDER))).isEqualTo(Reply.json("{\"table\":{}}"));
    }

    private static Request put(String namespace, String key, String value) {
        return Request.of(100).with("namespace", namespace).with("key", key).with("value", value);
    }
}
