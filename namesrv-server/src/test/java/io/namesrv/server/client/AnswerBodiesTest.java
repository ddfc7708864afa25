package io.namesrv.server.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.remoting.json.JsonFormatException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class AnswerBodiesTest {
    private static final String ROUTE = """
            {"brokerDatas":[
              {"brokerAddrs":{"0":"127.0.0.1:10911","1":"127.0.0.1:11911"},"brokerName":"b-ü","cluster":"C1",
               "enableActingMaster":true,"zoneName":"z1"},
              {"brokerAddrs":{"2":"127.0.0.1:12911"},"brokerName":"a","cluster":"C1","zoneName":null}],
             "filterServerTable":{"127.0.0.1:10911":["127.0.0.1:1"]},
             "orderTopicConf":"b:4",
             "queueDatas":[
              {"brokerName":"b-ü","perm":6,"readQueueNums":4,"topicSysFlag":1,"writeQueueNums":8},
              {"brokerName":"a","perm":4,"readQueueNums":1,"topicSysFlag":0,"writeQueueNums":2}],
             "topicQueueMappingByBroker":{"a":{"bname":"a","currIdMap":{"0":3,"1":4},"dirty":false,"epoch":5,
               "scope":"__global__","topic":"T1","totalQueues":2}},
             "ofALaterRelease":{"x":[1,{}]}}""";

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static SortedMap<Long, String> addrs(Map<Long, String> addrs) {
        return new TreeMap<>(addrs);
    }

    private static TopicRoute expectedRoute() {
        BrokerData a = new BrokerData("C1", "a", addrs(Map.of(2L, "127.0.0.1:12911")), false, "");
        BrokerData b =
                new BrokerData("C1", "b-ü", addrs(Map.of(0L, "127.0.0.1:10911", 1L, "127.0.0.1:11911")), true, "z1");
        TopicQueueMappingInfo mapping =
                new TopicQueueMappingInfo("T1", "__global__", 2, "a", 5, false, new TreeMap<>(Map.of(0, 3, 1, 4)));
        return new TopicRoute(
                new TopicRouteData(
                        List.of(new QueueData("a", 1, 2, 4, 0), new QueueData("b-ü", 4, 8, 6, 1)),
                        List.of(a, b),
                        Map.of("127.0.0.1:10911", List.of("127.0.0.1:1")),
                        new TreeMap<>(Map.of("a", mapping))),
                "b:4");
    }

    @Test
    void a_route_is_read_in_either_dialect_in_order_of_names() {
        String bareKeys = ROUTE.replaceAll("\"(\\d)\":", "$1:");
        String ascii = ROUTE.replace("ü", "\\u00FC");

        for (String dialect : List.of(ROUTE, bareKeys, ascii)) {
            assertThat(AnswerBodies.topicRoute(bytes(dialect))).isEqualTo(expectedRoute());
        }
    }

    @Test
    void a_cluster_info_is_read_without_groups_that_have_no_address() {
        ClusterInfo info = AnswerBodies.clusterInfo(bytes("""
                {"brokerAddrTable":{"b":{"brokerAddrs":{0:"127.0.0.1:10911"},"cluster":"C1","enableActingMaster":false},
                                    "refused":{"brokerAddrs":{},"brokerName":"refused","cluster":"C1"}},
                 "clusterAddrTable":{"C1":["refused","b"]}}"""));

        assertThat(info)
                .isEqualTo(new ClusterInfo(
                        new TreeMap<>(Map.of(
                                "b", new BrokerData("C1", "b", addrs(Map.of(0L, "127.0.0.1:10911")), false, ""))),
                        new TreeMap<>(Map.of("C1", new TreeSet<>(List.of("b", "refused"))))));
    }

    @Test
    void lists_and_tables_are_read() {
        assertThat(AnswerBodies.topicList(bytes("{\"brokerAddr\":null,\"topicList\":[\"b\",\"a\"]}")))
                .containsExactly("b", "a");
        assertThat(AnswerBodies.kvTable(bytes("{\"table\":{\"T1\":\"broker-a:4\",\"gone\":null}}")))
                .isEqualTo(Map.of("T1", "broker-a:4"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "null",
                "[]",
                "{'brokerDatas':[],'queueDatas':[]}",
                "{\"brokerDatas\":[],\"queueDatas\":null}",
                "{\"brokerDatas\":[],\"queueDatas\":[]}}",
                "{\"brokerDatas\":[],\"queueDatas\":{}}",
                "{\"brokerDatas\":[],\"queueDatas\":[{\"perm\":6}]}",
                "{\"brokerDatas\":[],\"queueDatas\":[{\"brokerName\":\"a\",\"perm\":99999999999}]}",
                "{\"brokerDatas\":[{\"brokerName\":\"a\",\"brokerAddrs\":{\"x\":\"1.1.1.1:1\"}}],\"queueDatas\":[]}",
                "{\"brokerDatas\":[{\"brokerAddrs\":{\"0\":\"1.1.1.1:1\"}}],\"queueDatas\":[]}",
                "{\"brokerDatas\":[],\"queueDatas\":[],\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"
            })
    void what_is_no_route_is_refused(String body) {
        assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> AnswerBodies.topicRoute(bytes(body)));
    }
}
