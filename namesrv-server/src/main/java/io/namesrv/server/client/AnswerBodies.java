package io.namesrv.server.client;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.server.processor.StaticTopics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the JSON that name servers answer with, in either dialect. Unknown members are passed over and null counts as
 * missing; what is not JSON, of another type than expected, or lacks what every server sends, is a {@link
 * JsonFormatException}.
 */
final class AnswerBodies {
    private static final int MAX_DEPTH = 32;

    private AnswerBodies() {}

    /** The body of 105. */
    static TopicRoute topicRoute(byte[] body) {
        List<QueueData> queues = new ArrayList<>();
        List<BrokerData> groups = new ArrayList<>();
        Map<String, List<String>> filterServers = new TreeMap<>();
        SortedMap<String, TopicQueueMappingInfo> mappings = new TreeMap<>();
        String[] orderTopicConf = {""};
        members(body, Set.of("queueDatas", "brokerDatas"), (name, json) -> {
            switch (name) {
                case "queueDatas" -> elements(json, () -> queues.add(queue(json)));
                case "brokerDatas" -> elements(json, () -> group(json, "", groups));
                case "filterServerTable" -> entries(json, addr -> filterServers.put(addr, texts(json)));
                case "orderTopicConf" -> orderTopicConf[0] = json.string();
                case "topicQueueMappingByBroker" ->
                    entries(json, broker -> mappings.put(broker, StaticTopics.mapping(json, () -> {})));
                default -> json.skip();
            }
        });
        queues.sort(Comparator.comparing(QueueData::brokerName));
        groups.sort(Comparator.comparing(BrokerData::brokerName));
        return new TopicRoute(
                new TopicRouteData(
                        List.copyOf(queues),
                        List.copyOf(groups),
                        Collections.unmodifiableMap(filterServers),
                        Collections.unmodifiableSortedMap(mappings)),
                orderTopicConf[0]);
    }

    /** The body of 106. */
    static ClusterInfo clusterInfo(byte[] body) {
        List<BrokerData> groups = new ArrayList<>();
        SortedMap<String, SortedSet<String>> clusters = new TreeMap<>();
        members(body, Set.of("brokerAddrTable", "clusterAddrTable"), (name, json) -> {
            switch (name) {
                case "brokerAddrTable" -> entries(json, broker -> group(json, broker, groups));
                case "clusterAddrTable" -> entries(json, cluster -> clusters.put(cluster, set(texts(json))));
                default -> json.skip();
            }
        });
        SortedMap<String, BrokerData> byName = new TreeMap<>();
        groups.forEach(group -> byName.put(group.brokerName(), group));
        return new ClusterInfo(Collections.unmodifiableSortedMap(byName), Collections.unmodifiableSortedMap(clusters));
    }

    /** The body of 206. */
    static List<String> topicList(byte[] body) {
        List<String> topics = new ArrayList<>();
        members(body, Set.of("topicList"), (name, json) -> {
            if (name.equals("topicList")) {
                topics.addAll(texts(json));
            } else {
                json.skip();
            }
        });
        return List.copyOf(topics);
    }

    /** The body of 219. */
    static SortedMap<String, String> kvTable(byte[] body) {
        SortedMap<String, String> table = new TreeMap<>();
        members(body, Set.of("table"), (name, json) -> {
            if (name.equals("table")) {
                entries(json, key -> table.put(key, json.stringOrText()));
            } else {
                json.skip();
            }
        });
        return Collections.unmodifiableSortedMap(table);
    }

    private static QueueData queue(JsonCursor json) {
        String brokerName = "";
        int read = 0;
        int write = 0;
        int perm = 0;
        int sysFlag = 0;
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "brokerName" -> brokerName = json.string();
                case "readQueueNums" -> read = json.intValue();
                case "writeQueueNums" -> write = json.intValue();
                case "perm" -> perm = json.intValue();
                case "topicSysFlag" -> sysFlag = json.intValue();
                default -> json.skip();
            }
        }
        return new QueueData(named(brokerName), read, write, perm, sysFlag);
    }

    /** A group without an address, which a refused broker may leave behind in Apache's, is none. */
    private static void group(JsonCursor json, String knownAs, List<BrokerData> into) {
        String cluster = "";
        String brokerName = knownAs;
        SortedMap<Long, String> addrs = new TreeMap<>();
        boolean enableActingMaster = false;
        String zoneName = "";
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "cluster" -> cluster = json.string();
                case "brokerName" -> brokerName = json.string();
                case "brokerAddrs" -> entries(json, id -> addrs.put(brokerId(id), json.string()));
                case "enableActingMaster" -> enableActingMaster = json.booleanValue();
                case "zoneName" -> zoneName = json.string();
                default -> json.skip();
            }
        }
        if (!addrs.isEmpty()) {
            into.add(new BrokerData(cluster, named(brokerName), addrs, enableActingMaster, zoneName));
        }
    }

    private static String named(String brokerName) {
        if (brokerName.isEmpty()) {
            throw new JsonFormatException("malformed JSON: a broker without a name");
        }
        return brokerName;
    }

    private static long brokerId(String name) {
        try {
            return Long.parseLong(name);
        } catch (NumberFormatException e) {
            throw new JsonFormatException("malformed JSON: a broker id is expected in brokerAddrs");
        }
    }

    private static List<String> texts(JsonCursor json) {
        List<String> texts = new ArrayList<>();
        elements(json, () -> texts.add(json.string()));
        return List.copyOf(texts);
    }

    private static SortedSet<String> set(List<String> texts) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(texts));
    }

    /** What takes or skips the value of a member. */
    @FunctionalInterface
    private interface Member {
        void read(String name, JsonCursor json);
    }

    /** Reads a whole body, an object that has these members at least. */
    private static void members(byte[] body, Set<String> required, Member member) {
        JsonCursor json = new JsonCursor(body, MAX_DEPTH);
        Set<String> missing = new HashSet<>(required);
        json.beginObject();
        while (json.nextMember()) {
            if (!json.tryNull()) {
                missing.remove(json.name());
                member.read(json.name(), json);
            }
        }
        json.end();
        if (!missing.isEmpty()) {
            throw new JsonFormatException("malformed JSON: without " + new TreeSet<>(missing));
        }
    }

    /** What takes the value of an entry of a map. */
    @FunctionalInterface
    private interface Entry {
        void read(String name);
    }

    private static void entries(JsonCursor json, Entry entry) {
        json.beginObject();
        while (json.nextMember()) {
            if (!json.tryNull()) {
                entry.read(json.name());
            }
        }
    }

    private static void elements(JsonCursor json, Runnable element) {
        json.beginArray();
        while (json.nextElement()) {
            if (!json.tryNull()) {
                element.run();
            }
        }
    }
}
