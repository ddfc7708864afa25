package io.namesrv.server.processor;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.TopicRouteData;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Narrows a route to the brokers of one zone. A group whose master is away stays for every zone; nothing may be left, and
 * that is a route too. Both as in NameServer 5.3.3, which however loses the caller's JSON form on the way.
 */
final class ZoneFilter {
    private ZoneFilter() {}

    static TopicRouteData narrow(TopicRouteData route, String zoneName) {
        Set<String> dropped = new HashSet<>();
        Map<String, List<String>> filterServers = new HashMap<>(route.filterServerTable());
        for (BrokerData group : route.brokerDatas()) {
            if (group.hasMaster() && !group.zoneName().equalsIgnoreCase(zoneName)) {
                dropped.add(group.brokerName());
                group.brokerAddrs().values().forEach(filterServers::remove);
            }
        }
        if (dropped.isEmpty()) {
            return route;
        }
        return new TopicRouteData(
                route.queueDatas().stream()
                        .filter(queue -> !dropped.contains(queue.brokerName()))
                        .toList(),
                route.brokerDatas().stream()
                        .filter(group -> !dropped.contains(group.brokerName()))
                        .toList(),
                Map.copyOf(filterServers),
                route.topicQueueMappingByBroker());
    }
}
