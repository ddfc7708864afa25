package io.namesrv.server.processor;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.BrokerMemberGroup;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bodies of answers: domain records as JSON in UTF-8, members in alphabetical order, absent ones left out.
 *
 * <p>Java's clients read maps with number keys in either of two forms, others only one; see {@link Dialect}.
 */
final class JsonBodies {
    /** How number keys and characters beyond ASCII are written. */
    enum Dialect {
        /** {@code {0:"..."}} and UTF-8: the only form that clients before 4.9.4 have ever been sent. */
        BARE_KEYS,
        /** {@code {"0":"..."}} and {@code \}{@code uXXXX}: what is JSON to everybody, sent to clients since 4.9.4. */
        STANDARD
    }

    private JsonBodies() {}

    /**
     * The answer to 105.
     *
     * @param orderTopicConf the topic's order configuration, empty for none: then the member is left out, since a 5.x
     *     client takes a topic with a value there for one that is not static
     */
    static byte[] topicRoute(TopicRouteData route, String orderTopicConf, Dialect dialect) {
        Map<String, Object> body = new TreeMap<>();
        body.put(
                "queueDatas", route.queueDatas().stream().map(JsonBodies::queue).toList());
        body.put(
                "brokerDatas",
                route.brokerDatas().stream().map(JsonBodies::group).toList());
        body.put("filterServerTable", route.filterServerTable());
        if (!orderTopicConf.isEmpty()) {
            body.put("orderTopicConf", orderTopicConf);
        }
        if (!route.topicQueueMappingByBroker().isEmpty()) {
            Map<String, Object> mappings = new TreeMap<>();
            route.topicQueueMappingByBroker().forEach((name, mapping) -> mappings.put(name, mapping(mapping)));
            body.put("topicQueueMappingByBroker", mappings);
        }
        return bytes(body, dialect);
    }

    /** The answer to 106. */
    static byte[] clusterInfo(ClusterInfo info, Dialect dialect) {
        Map<String, Object> groups = new TreeMap<>();
        info.brokerAddrTable().forEach((name, group) -> groups.put(name, group(group)));
        Map<String, Object> body = new TreeMap<>();
        body.put("brokerAddrTable", groups);
        body.put("clusterAddrTable", info.clusterAddrTable());
        return bytes(body, dialect);
    }

    /** The answer to 901. */
    static byte[] memberGroup(BrokerMemberGroup group) {
        Map<String, Object> members = new TreeMap<>();
        members.put("cluster", group.cluster());
        members.put("brokerName", group.brokerName());
        members.put("brokerAddrs", group.brokerAddrs());
        return bytes(Map.of("brokerMemberGroup", members), Dialect.BARE_KEYS);
    }

    /** The answer to 206, 224 and 311 to 313. */
    static byte[] topicList(List<String> topics) {
        return bytes(Map.of("topicList", topics), Dialect.BARE_KEYS);
    }

    /** The answer to 304. */
    static byte[] systemTopics(SystemTopics topics) {
        Map<String, Object> body = new TreeMap<>();
        topics.brokerAddr().ifPresent(addr -> body.put("brokerAddr", addr));
        body.put("topicList", topics.names());
        return bytes(body, Dialect.BARE_KEYS);
    }

    /** The answer to 219 and, with the order configuration, to 103. */
    static byte[] kvTable(Map<String, String> table) {
        return bytes(Map.of("table", table), Dialect.BARE_KEYS);
    }

    /** The answer to 322. */
    static byte[] dataVersion(DataVersion version) {
        Map<String, Object> body = new TreeMap<>();
        body.put("counter", version.counter());
        body.put("stateVersion", version.stateVersion());
        body.put("timestamp", version.timestamp());
        return bytes(body, Dialect.BARE_KEYS);
    }

    private static Map<String, Object> queue(QueueData queue) {
        Map<String, Object> members = new TreeMap<>();
        members.put("brokerName", queue.brokerName());
        members.put("perm", queue.perm());
        members.put("readQueueNums", queue.readQueueNums());
        members.put("topicSysFlag", queue.topicSysFlag());
        members.put("writeQueueNums", queue.writeQueueNums());
        return members;
    }

    private static Map<String, Object> group(BrokerData group) {
        Map<String, Object> members = new TreeMap<>();
        members.put("brokerAddrs", group.brokerAddrs());
        members.put("brokerName", group.brokerName());
        members.put("cluster", group.cluster());
        members.put("enableActingMaster", group.enableActingMaster());
        if (!group.zoneName().isEmpty()) {
            members.put("zoneName", group.zoneName());
        }
        return members;
    }

    private static Map<String, Object> mapping(TopicQueueMappingInfo mapping) {
        Map<String, Object> members = new TreeMap<>();
        members.put("bname", mapping.bname());
        members.put("currIdMap", mapping.currIdMap());
        members.put("dirty", mapping.dirty());
        members.put("epoch", mapping.epoch());
        members.put("scope", mapping.scope());
        members.put("topic", mapping.topic());
        members.put("totalQueues", mapping.totalQueues());
        return members;
    }

    /** Standard JSON goes through a string: written as bytes, fastjson2 2.0.64 leaves U+0080 to U+07FF unescaped. */
    private static byte[] bytes(Map<String, ?> body, Dialect dialect) {
        return dialect == Dialect.BARE_KEYS
                ? JSON.toJSONBytes(body)
                : JSON.toJSONString(
                                body, JSONWriter.Feature.WriteNonStringKeyAsString, JSONWriter.Feature.EscapeNoneAscii)
                        .getBytes(StandardCharsets.US_ASCII);
    }
}
