package io.namesrv.server.store;

import com.alibaba.fastjson2.JSONWriter;
import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.PermName;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The rows of the route tables as JSON, one object each, and back. What is missing has the value that a row without it
 * would have; members of other names are passed over, so that a later version may add some.
 */
final class SnapshotJson {
    /** Deeper than any row is. */
    static final int MAX_DEPTH = 8;

    private SnapshotJson() {}

    // ---- writing

    /** One object, made by a few calls. */
    static byte[] object(Consumer<JSONWriter> members) {
        try (JSONWriter writer = JSONWriter.ofUTF8()) {
            writer.startObject();
            members.accept(writer);
            writer.endObject();
            return writer.getBytes();
        }
    }

    static void text(JSONWriter writer, String name, String value) {
        writer.writeName(name);
        writer.writeColon();
        writer.writeString(value);
    }

    static void number(JSONWriter writer, String name, long value) {
        writer.writeName(name);
        writer.writeColon();
        writer.writeInt64(value);
    }

    static void flag(JSONWriter writer, String name, boolean value) {
        writer.writeName(name);
        writer.writeColon();
        writer.writeBool(value);
    }

    /** {@code "id":0,"addr":...}: a process within its group. */
    static void member(JSONWriter writer, Member member) {
        number(writer, "id", member.brokerId());
        text(writer, "addr", member.brokerAddr());
        text(writer, "ha", member.haServerAddr());
        number(writer, "timeoutMillis", member.timeoutMillis());
        writer.writeName("dataVersion");
        writer.writeColon();
        writer.startObject();
        number(writer, "counter", member.dataVersion().counter());
        number(writer, "stateVersion", member.dataVersion().stateVersion());
        number(writer, "timestamp", member.dataVersion().timestamp());
        writer.endObject();
        filterServers(writer, member.filterServers());
    }

    static void filterServers(JSONWriter writer, List<String> addresses) {
        writer.writeName("filterServers");
        writer.writeColon();
        writer.startArray();
        for (int i = 0; i < addresses.size(); i++) {
            if (i > 0) {
                writer.writeComma();
            }
            writer.writeString(addresses.get(i));
        }
        writer.endArray();
    }

    /** {@code "cluster":...}: what is said of a group as a whole. */
    static void group(JSONWriter writer, String cluster, String brokerName, boolean actingMaster, String zoneName) {
        text(writer, "cluster", cluster);
        text(writer, "brokerName", brokerName);
        flag(writer, "enableActingMaster", actingMaster);
        text(writer, "zoneName", zoneName);
    }

    /** {@code "brokerName":...,"perm":6,"declaredPerm":6,"wiped":false}: a topic's queues on one group. */
    static void queue(JSONWriter writer, TopicQueue queue) {
        QueueData declared = queue.declared();
        text(writer, "brokerName", declared.brokerName());
        number(writer, "read", declared.readQueueNums());
        number(writer, "write", declared.writeQueueNums());
        number(writer, "perm", queue.perm());
        number(writer, "declaredPerm", declared.perm());
        flag(writer, "wiped", queue.mark() == Mark.WIPED || queue.mark() == Mark.ADDED_THEN_WIPED);
        number(writer, "sysFlag", declared.topicSysFlag());
    }

    static byte[] topic(Topic topic) {
        return object(writer -> {
            text(writer, "topic", topic.topic());
            writer.writeName("queues");
            writer.writeColon();
            writer.startArray();
            for (int i = 0; i < topic.queues().size(); i++) {
                if (i > 0) {
                    writer.writeComma();
                }
                writer.startObject();
                queue(writer, topic.queues().get(i));
                writer.endObject();
            }
            writer.endArray();
        });
    }

    static void mapping(JSONWriter writer, TopicQueueMappingInfo mapping) {
        text(writer, "topic", mapping.topic());
        text(writer, "bname", mapping.bname());
        text(writer, "scope", mapping.scope());
        number(writer, "totalQueues", mapping.totalQueues());
        number(writer, "epoch", mapping.epoch());
        flag(writer, "dirty", mapping.dirty());
        writer.writeName("currIdMap");
        writer.writeColon();
        writer.startObject();
        mapping.currIdMap().forEach((logical, physical) -> number(writer, Integer.toString(logical), physical));
        writer.endObject();
    }

    static void broker(JSONWriter writer, BrokerAddrInfo broker) {
        text(writer, "cluster", broker.clusterName());
        text(writer, "addr", broker.brokerAddr());
    }

    // ---- reading

    private static Mark mark(int declared, int shown, boolean wiped) {
        if (wiped) {
            return shown == PermName.withoutWrite(declared) ? Mark.WIPED : Mark.ADDED_THEN_WIPED;
        }
        return shown == declared ? Mark.NONE : Mark.ADDED;
    }

    /** The queues of a topic within a full file, of which there are very many. */
    private static TopicQueue queue(JsonCursor cursor) {
        String brokerName = "";
        int read = 0;
        int write = 0;
        int perm = 0;
        int declared = 0;
        int sysFlag = 0;
        boolean wiped = false;
        cursor.beginObject();
        while (cursor.nextMember()) {
            switch (cursor.name()) {
                case "brokerName" -> brokerName = cursor.string();
                case "read" -> read = cursor.intValue();
                case "write" -> write = cursor.intValue();
                case "perm" -> perm = cursor.intValue();
                case "declaredPerm" -> declared = cursor.intValue();
                case "sysFlag" -> sysFlag = cursor.intValue();
                case "wiped" -> wiped = cursor.booleanValue();
                default -> cursor.skip();
            }
        }
        return new TopicQueue(new QueueData(brokerName, read, write, declared, sysFlag), mark(declared, perm, wiped));
    }

    /** The members of one object, of any kind of row; each kind takes those that it has. */
    static final class Fields {
        private final Map<String, String> texts = new HashMap<>();
        final List<String> filterServers = new ArrayList<>();
        final List<Fields> members = new ArrayList<>();
        final List<TopicQueue> queues = new ArrayList<>();
        private final SortedMap<Integer, Integer> currIdMap = new TreeMap<>();
        private DataVersion dataVersion = DataVersion.NONE;

        /** Reads the object that the cursor stands at. */
        static Fields of(JsonCursor cursor) {
            Fields fields = new Fields();
            cursor.beginObject();
            while (cursor.nextMember()) {
                fields.take(cursor.name(), cursor);
            }
            return fields;
        }

        private void take(String name, JsonCursor cursor) {
            switch (name) {
                case "dataVersion" -> dataVersion = version(Fields.of(cursor));
                case "filterServers" -> each(cursor, () -> filterServers.add(cursor.string()));
                case "members" -> each(cursor, () -> members.add(Fields.of(cursor)));
                case "queues" -> each(cursor, () -> queues.add(SnapshotJson.queue(cursor)));
                case "currIdMap" -> {
                    cursor.beginObject();
                    while (cursor.nextMember()) {
                        int logical = Integer.parseInt(cursor.name());
                        currIdMap.put(logical, cursor.intValue());
                    }
                }
                default -> {
                    if (cursor.atObject() || cursor.atArray()) {
                        cursor.skip();
                    } else if (!cursor.tryNull()) {
                        texts.put(name, cursor.stringOrText());
                    }
                }
            }
        }

        private static void each(JsonCursor cursor, Runnable element) {
            cursor.beginArray();
            while (cursor.nextElement()) {
                element.run();
            }
        }

        private static DataVersion version(Fields fields) {
            return new DataVersion(fields.number("stateVersion"), fields.number("timestamp"), fields.number("counter"));
        }

        String text(String name) {
            return texts.getOrDefault(name, "");
        }

        long number(String name) {
            return Long.parseLong(texts.getOrDefault(name, "0"));
        }

        boolean flag(String name) {
            return Boolean.parseBoolean(text(name));
        }

        private int small(String name) {
            return Math.toIntExact(number(name));
        }

        /** A process; flag and zone are those of its group. */
        Member member(String cluster, String brokerName, boolean actingMaster, String zoneName) {
            return new Member(
                    cluster,
                    brokerName,
                    number("id"),
                    text("addr"),
                    text("ha"),
                    actingMaster,
                    zoneName,
                    number("timeoutMillis"),
                    dataVersion,
                    List.copyOf(filterServers));
        }

        TopicQueue queue() {
            return new TopicQueue(
                    new QueueData(
                            text("brokerName"), small("read"), small("write"), small("declaredPerm"), small("sysFlag")),
                    mark(small("declaredPerm"), small("perm"), flag("wiped")));
        }

        TopicQueueMappingInfo mapping() {
            return new TopicQueueMappingInfo(
                    text("topic"),
                    text("scope"),
                    small("totalQueues"),
                    text("bname"),
                    number("epoch"),
                    flag("dirty"),
                    currIdMap);
        }
    }
}
