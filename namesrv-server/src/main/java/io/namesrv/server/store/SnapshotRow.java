package io.namesrv.server.store;

import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.PermName;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A row that {@link SnapshotJson} wrote, of any kind; each kind has some of the members. What is missing, or null, has the
 * value that a row without it would have; members of other names are passed over, so that a later version may add some.
 */
final class SnapshotRow {
    /** Deeper than any row is. */
    static final int MAX_DEPTH = 8;

    long n;
    String op = "";
    boolean removed;

    String cluster = "";
    String brokerName = "";
    boolean enableActingMaster;
    String zoneName = "";
    List<SnapshotRow> members = List.of();

    long id;
    String addr = "";
    List<String> filterServers = List.of();
    private String ha = "";
    private long timeoutMillis;
    private DataVersion dataVersion = DataVersion.NONE;

    String topic = "";
    List<String> topics = List.of();
    List<TopicQueue> queues = List.of();
    private int read;
    private int write;
    private int perm;
    private int declaredPerm;
    private int sysFlag;
    private boolean wiped;

    String bname = "";
    private String scope = "";
    private int totalQueues;
    private long epoch;
    private boolean dirty;
    private final SortedMap<Integer, Integer> currIdMap = new TreeMap<>();

    private SnapshotRow() {}

    /**
     * Reads the object that the cursor stands at.
     *
     * @param known rows of queues that came before
     */
    static SnapshotRow of(JsonCursor cursor, KnownQueues known) {
        SnapshotRow row = new SnapshotRow();
        cursor.beginObject();
        while (cursor.nextMember()) {
            if (!cursor.tryNull()) {
                row.take(cursor, known);
            }
        }
        return row;
    }

    private void take(JsonCursor cursor, KnownQueues known) {
        switch (cursor.name()) {
            case "n" -> n = cursor.longValue();
            case "op" -> op = cursor.sharedString();
            case "removed" -> removed = cursor.booleanValue();
            case "cluster" -> cluster = cursor.sharedString();
            case "brokerName" -> brokerName = cursor.sharedString();
            case "enableActingMaster" -> enableActingMaster = cursor.booleanValue();
            case "zoneName" -> zoneName = cursor.sharedString();
            case "members" -> members = list(cursor, () -> of(cursor, known));
            case "id" -> id = cursor.longValue();
            case "addr" -> addr = cursor.string();
            case "filterServers" -> filterServers = list(cursor, cursor::string);
            case "ha" -> ha = cursor.string();
            case "timeoutMillis" -> timeoutMillis = cursor.longValue();
            case "dataVersion" -> dataVersion = version(cursor);
            case "topic" -> topic = cursor.string();
            case "topics" -> topics = list(cursor, cursor::string);
            case "queues" -> queues = list(cursor, () -> known.queue(cursor));
            case "read" -> read = cursor.intValue();
            case "write" -> write = cursor.intValue();
            case "perm" -> perm = cursor.intValue();
            case "declaredPerm" -> declaredPerm = cursor.intValue();
            case "sysFlag" -> sysFlag = cursor.intValue();
            case "wiped" -> wiped = cursor.booleanValue();
            case "bname" -> bname = cursor.sharedString();
            case "scope" -> scope = cursor.sharedString();
            case "totalQueues" -> totalQueues = cursor.intValue();
            case "epoch" -> epoch = cursor.longValue();
            case "dirty" -> dirty = cursor.booleanValue();
            case "currIdMap" -> takeIds(cursor);
            default -> cursor.skip();
        }
    }

    private interface Element<T> {
        T take();
    }

    private static <T> List<T> list(JsonCursor cursor, Element<T> element) {
        List<T> list = new ArrayList<>(4);
        cursor.beginArray();
        while (cursor.nextElement()) {
            list.add(element.take());
        }
        return list;
    }

    private static DataVersion version(JsonCursor cursor) {
        long stateVersion = 0;
        long timestamp = 0;
        long counter = 0;
        cursor.beginObject();
        while (cursor.nextMember()) {
            switch (cursor.name()) {
                case "stateVersion" -> stateVersion = cursor.longValue();
                case "timestamp" -> timestamp = cursor.longValue();
                case "counter" -> counter = cursor.longValue();
                default -> cursor.skip();
            }
        }
        return new DataVersion(stateVersion, timestamp, counter);
    }

    private void takeIds(JsonCursor cursor) {
        cursor.beginObject();
        while (cursor.nextMember()) {
            int logical = Integer.parseInt(cursor.name());
            currIdMap.put(logical, cursor.intValue());
        }
    }

    /** A process; flag and zone are those of its group. */
    Member member(String inCluster, String ofBroker, boolean actingMaster, String zone) {
        return new Member(
                inCluster,
                ofBroker,
                id,
                addr,
                ha,
                actingMaster,
                zone,
                timeoutMillis,
                dataVersion,
                List.copyOf(filterServers));
    }

    /** A topic's queues on one group, as a row that is remembered. */
    TopicQueue queue() {
        return new TopicQueue(new QueueData(brokerName, read, write, declaredPerm, sysFlag), mark(), true);
    }

    private Mark mark() {
        if (wiped) {
            return perm == PermName.withoutWrite(declaredPerm) ? Mark.WIPED : Mark.ADDED_THEN_WIPED;
        }
        return perm == declaredPerm ? Mark.NONE : Mark.ADDED;
    }

    TopicQueueMappingInfo mapping() {
        return new TopicQueueMappingInfo(topic, scope, totalQueues, bname, epoch, dirty, currIdMap);
    }
}
