package io.namesrv.server.store;

import com.alibaba.fastjson2.JSONWriter;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.TopicQueue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Changes of the tables as lines of a file, in order: {@code {"n":1,"op":"putMember",...} <crc32c of the object, 8 hex
 * digits>}. {@code n} counts up by one. The topics to which one step gave equal queues share lines, {@code putQueues}: a
 * broker registers tens of thousands of them.
 */
final class SnapshotChanges {
    static final int CHECKSUM_DIGITS = 8;

    /** So that a line is not much longer than any other change may be. */
    private static final int TOPICS_OF_A_LINE = 1_000;

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private long last;

    /** Queues that topics were given by the latest edits, with these topics: all of one broker, each topic once. */
    private final Map<TopicQueue, List<String>> given = new LinkedHashMap<>();

    private final Set<String> givenTopics = new HashSet<>();

    /**
     * @param last the number of the last line before these
     */
    SnapshotChanges(long last) {
        this.last = last;
    }

    /** The number of the last line. */
    long last() {
        return last;
    }

    int length() {
        return lines.size();
    }

    byte[] bytes() {
        return lines.toByteArray();
    }

    void add(RouteChange change) {
        Set<String> dropped = new HashSet<>();
        for (Edit edit : change.edits()) {
            if (edit instanceof GroupEdit group && group.after().isEmpty()) {
                dropped.add(group.before().orElseThrow().brokerName());
            }
        }
        for (Edit edit : change.edits()) {
            if (edit instanceof QueueEdit queue && queue.after().isPresent()) {
                give(queue.topic(), queue.after().get());
            } else {
                writeGiven();
                add(edit, dropped);
            }
        }
        writeGiven();
    }

    private void give(String topic, TopicQueue queue) {
        boolean sameBroker =
                given.isEmpty() || given.keySet().iterator().next().brokerName().equals(queue.brokerName());
        if (!sameBroker || givenTopics.contains(topic)) {
            writeGiven();
        }
        given.computeIfAbsent(queue, row -> new ArrayList<>()).add(topic);
        givenTopics.add(topic);
    }

    private void writeGiven() {
        given.forEach((queue, topics) -> {
            for (int from = 0; from < topics.size(); from += TOPICS_OF_A_LINE) {
                putQueues(queue, topics.subList(from, Math.min(topics.size(), from + TOPICS_OF_A_LINE)));
            }
        });
        given.clear();
        givenTopics.clear();
    }

    private void putQueues(TopicQueue queue, List<String> topics) {
        line(topics.size() == 1 ? "putQueue" : "putQueues", writer -> {
            if (topics.size() == 1) {
                SnapshotJson.text(writer, "topic", topics.get(0));
            } else {
                SnapshotJson.texts(writer, "topics", topics);
            }
            SnapshotJson.queue(writer, queue);
        });
    }

    /** The rows of a group that is dropped are not named one by one: they may be very many. */
    private void add(Edit edit, Set<String> dropped) {
        if (edit instanceof MemberEdit member) {
            add(member);
        } else if (edit instanceof GroupEdit group) {
            add(group);
        } else if (edit instanceof QueueEdit queue) {
            removal("removeQueue", queue.topic(), "brokerName", name(queue), dropped);
        } else if (edit instanceof MappingEdit mapping) {
            mapping.after()
                    .ifPresentOrElse(
                            after -> line("putMapping", writer -> SnapshotJson.mapping(writer, after)),
                            () -> removal(
                                    "removeMapping",
                                    mapping.topic(),
                                    "bname",
                                    mapping.before().orElseThrow().bname(),
                                    dropped));
        } else if (edit instanceof FilterServerEdit servers) {
            line("putFilterServers", writer -> {
                SnapshotJson.broker(writer, servers.broker());
                SnapshotJson.texts(writer, "filterServers", servers.after());
            });
        }
    }

    private static String name(QueueEdit edit) {
        return edit.before().orElseThrow().brokerName();
    }

    private void removal(String op, String topic, String nameOfName, String brokerName, Set<String> dropped) {
        if (!dropped.contains(brokerName)) {
            line(op, writer -> {
                SnapshotJson.text(writer, "topic", topic);
                SnapshotJson.text(writer, nameOfName, brokerName);
            });
        }
    }

    private void add(MemberEdit edit) {
        if (edit.after().isEmpty()) {
            BrokerLiveInfo before = edit.before().orElseThrow();
            line("removeMember", writer -> {
                SnapshotJson.broker(writer, before.key());
                SnapshotJson.text(writer, "brokerName", before.brokerName());
                SnapshotJson.number(writer, "id", before.brokerId());
            });
            return;
        }
        Member after = kept(edit.after().get());
        if (edit.before().map(SnapshotChanges::kept).filter(after::equals).isPresent()) {
            return; // its state alone
        }
        line("putMember", writer -> {
            SnapshotJson.text(writer, "cluster", after.clusterName());
            SnapshotJson.text(writer, "brokerName", after.brokerName());
            SnapshotJson.member(writer, after);
        });
    }

    /** Its filter servers are a change of their own. */
    private static Member kept(BrokerLiveInfo row) {
        return Member.of(row, List.of());
    }

    private void add(GroupEdit edit) {
        edit.after()
                .ifPresentOrElse(
                        after -> line(
                                "group",
                                writer -> SnapshotJson.group(
                                        writer,
                                        after.cluster(),
                                        after.brokerName(),
                                        after.enableActingMaster(),
                                        after.zoneName())),
                        () -> line("group", writer -> {
                            SnapshotJson.text(
                                    writer,
                                    "brokerName",
                                    edit.before().orElseThrow().brokerName());
                            SnapshotJson.flag(writer, "removed", true);
                        }));
    }

    private void line(String op, Consumer<JSONWriter> members) {
        byte[] json = SnapshotJson.object(writer -> {
            SnapshotJson.number(writer, "n", ++last);
            SnapshotJson.text(writer, "op", op);
            members.accept(writer);
        });
        lines.writeBytes(json);
        lines.write(' ');
        lines.writeBytes(checksum(json, 0, json.length).getBytes(StandardCharsets.US_ASCII));
        lines.write('\n');
    }

    static String checksum(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Whether the digits of their checksum stand one byte behind these bytes. */
    static boolean isChecksum(byte[] bytes, int offset, int length) {
        String checksum = checksum(bytes, offset, length);
        for (int i = 0; i < CHECKSUM_DIGITS; i++) {
            if (bytes[offset + length + 1 + i] != checksum.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
