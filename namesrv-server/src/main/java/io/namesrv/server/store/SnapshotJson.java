package io.namesrv.server.store;

import com.alibaba.fastjson2.JSONWriter;
import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.List;
import java.util.function.Consumer;

/** The rows of the route tables as JSON, one object each. {@link SnapshotRow} reads them. */
final class SnapshotJson {
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

    static void texts(JSONWriter writer, String name, List<String> values) {
        writer.writeName(name);
        writer.writeColon();
        writer.startArray();
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                writer.writeComma();
            }
            writer.writeString(values.get(i));
        }
        writer.endArray();
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
        texts(writer, "filterServers", member.filterServers());
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
}
