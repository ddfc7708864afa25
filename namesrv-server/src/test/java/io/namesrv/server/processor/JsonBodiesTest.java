package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerMemberGroup;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.server.processor.JsonBodies.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JsonBodiesTest {
    private static final SortedMap<Long, String> ADDRS =
            new TreeMap<>(Map.of(0L, "10.0.0.1:10911", 1L, "10.0.0.2:10911"));

    private static final TopicRouteData ROUTE = new TopicRouteData(
            List.of(new QueueData("名", 4, 8, 6, 0)),
            List.of(new BrokerData("C1", "名", ADDRS, true, "z1")),
            Map.of("10.0.0.1:10911", List.of("10.0.0.9:1")),
            new TreeMap<>());

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Test
    void standard_json_has_quoted_keys_and_escapes_beyond_ascii() {
        assertThat(text(JsonBodies.topicRoute(ROUTE, "", Dialect.STANDARD)))
                .isEqualTo("{\"brokerDatas\":[{\"brokerAddrs\":{\"0\":\"10.0.0.1:10911\",\"1\":\"10.0.0.2:10911\"},"
                        + "\"brokerName\":\"\\u540D\",\"cluster\":\"C1\",\"enableActingMaster\":true,\"zoneName\":\"z1\"}],"
                        + "\"filterServerTable\":{\"10.0.0.1:10911\":[\"10.0.0.9:1\"]},"
                        + "\"queueDatas\":[{\"brokerName\":\"\\u540D\",\"perm\":6,\"readQueueNums\":4,\"topicSysFlag\":0,"
                        + "\"writeQueueNums\":8}]}");
    }

    @Test
    void older_clients_get_bare_keys_and_utf8() {
        assertThat(text(JsonBodies.topicRoute(ROUTE, "名:4", Dialect.BARE_KEYS)))
                .contains("\"brokerAddrs\":{0:\"10.0.0.1:10911\",1:\"10.0.0.2:10911\"}")
                .contains("\"brokerName\":\"名\"")
                .contains("\"orderTopicConf\":\"名:4\"");
    }

    @Test
    void mappings_and_zone_are_there_only_where_there_are_some() {
        TopicQueueMappingInfo mapping =
                new TopicQueueMappingInfo("T1", "__global__", 2, "b", 5, false, new TreeMap<>(Map.of(0, 0, 1, 1)));
        TopicRouteData route = new TopicRouteData(
                List.of(),
                List.of(new BrokerData("C1", "b", ADDRS, false, "")),
                Map.of(),
                new TreeMap<>(Map.of("b", mapping)));

        String body = text(JsonBodies.topicRoute(route, "", Dialect.STANDARD));

        assertThat(body)
                .doesNotContain("zoneName")
                .doesNotContain("orderTopicConf")
                .contains("\"filterServerTable\":{}")
                .contains("\"topicQueueMappingByBroker\":{\"b\":{\"bname\":\"b\",\"currIdMap\":{\"0\":0,\"1\":1},"
                        + "\"dirty\":false,\"epoch\":5,\"scope\":\"__global__\",\"topic\":\"T1\",\"totalQueues\":2}}");
    }

    @Test
    void the_other_bodies_have_the_shapes_that_tools_read() {
        ClusterInfo info = new ClusterInfo(
                new TreeMap<>(Map.of("b", new BrokerData("C1", "b", ADDRS, false, ""))),
                new TreeMap<>(Map.of("C1", new TreeSet<>(List.of("b")))));

        assertThat(text(JsonBodies.clusterInfo(info, Dialect.BARE_KEYS)))
                .isEqualTo("{\"brokerAddrTable\":{\"b\":{\"brokerAddrs\":{0:\"10.0.0.1:10911\",1:\"10.0.0.2:10911\"},"
                        + "\"brokerName\":\"b\",\"cluster\":\"C1\",\"enableActingMaster\":false}},"
                        + "\"clusterAddrTable\":{\"C1\":[\"b\"]}}");
        assertThat(text(JsonBodies.memberGroup(new BrokerMemberGroup("C1", "b", ADDRS))))
                .isEqualTo("{\"brokerMemberGroup\":{\"brokerAddrs\":{0:\"10.0.0.1:10911\",1:\"10.0.0.2:10911\"},"
                        + "\"brokerName\":\"b\",\"cluster\":\"C1\"}}");
        assertThat(text(JsonBodies.topicList(List.of("T1", "%RETRY%g"))))
                .isEqualTo("{\"topicList\":[\"T1\",\"%RETRY%g\"]}");
        assertThat(text(JsonBodies.systemTopics(new SystemTopics(List.of("C1"), Optional.of("a:1")))))
                .isEqualTo("{\"brokerAddr\":\"a:1\",\"topicList\":[\"C1\"]}");
        assertThat(text(JsonBodies.systemTopics(new SystemTopics(List.of(), Optional.empty()))))
                .isEqualTo("{\"topicList\":[]}");
        assertThat(text(JsonBodies.kvTable(Map.of("k", "a\"b\n")))).isEqualTo("{\"table\":{\"k\":\"a\\\"b\\n\"}}");
        assertThat(text(JsonBodies.dataVersion(new DataVersion(1, 2, 3))))
                .isEqualTo("{\"counter\":3,\"stateVersion\":1,\"timestamp\":2}");
    }
}
