package io.namesrv.core.route;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.PermName;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicRouteData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Joins a topic's queues with their broker groups and filter servers. What a client sees is derived here from what the
 * brokers declared: an operator's mark, the write bit that is withheld from a broker or by a group without a master, and the
 * slave that stands in for it. Nothing has to be repaired in the tables when a master comes back.
 */
final class TopicRouteQuery {
    /**
     * 5.x brokers learn the members of their group from the route of this prefix and their name; real ids there, and only
     * members that are available.
     */
    static final String SYNC_BROKER_MEMBER_PREFIX = "rmq_sys_SYNC_BROKER_MEMBER_";

    private TopicRouteQuery() {}

    static Optional<TopicRouteData> find(RouteTables tables, String topic, boolean supportActingMaster) {
        TopicRow row = tables.topicQueueTable.get(topic);
        if (row == null) {
            return Optional.empty();
        }
        boolean forReplication = topic.startsWith(SYNC_BROKER_MEMBER_PREFIX);
        boolean substitute = supportActingMaster && !forReplication;
        List<QueueData> queueDatas = new ArrayList<>(row.queues().size());
        List<BrokerData> brokerDatas = new ArrayList<>(row.queues().size());
        Map<String, List<String>> filterServers = new HashMap<>();
        for (TopicQueue queue : row.queues()) {
            GroupRow group = tables.brokerAddrTable.get(queue.brokerName());
            if (group == null) {
                continue;
            }
            Optional<BrokerData> visible = forReplication ? tables.availableGroup(queue.brokerName()) : group.shown();
            if (visible.isEmpty()) {
                continue;
            }
            BrokerData data = visible.get();
            boolean masterAway = data.enableActingMaster() && !data.hasMaster();
            queueDatas.add(shown(queue, masterAway || tables.writeWithheld.contains(queue.brokerName())));
            brokerDatas.add(substitute && masterAway ? data.withMinimumAsMaster() : data);
            addFilterServers(tables, data, filterServers);
        }
        if (queueDatas.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new TopicRouteData(
                List.copyOf(queueDatas),
                List.copyOf(brokerDatas),
                Map.copyOf(filterServers),
                tables.topicQueueMappingInfoTable.getOrDefault(topic, new TreeMap<>())));
    }

    private static QueueData shown(TopicQueue queue, boolean withheld) {
        int perm = withheld ? PermName.withoutWrite(queue.perm()) : queue.perm();
        return queue.declared().withPerm(perm);
    }

    private static void addFilterServers(RouteTables tables, BrokerData group, Map<String, List<String>> into) {
        if (tables.filterServerTable.isEmpty()) {
            return;
        }
        for (String addr : group.brokerAddrs().values()) {
            List<String> filterServers = tables.filterServerTable.get(new BrokerAddrInfo(group.cluster(), addr));
            if (filterServers != null) {
                into.put(addr, filterServers);
            }
        }
    }
}
