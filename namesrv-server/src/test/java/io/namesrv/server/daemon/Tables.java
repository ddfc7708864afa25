package io.namesrv.server.daemon;

import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.TableSizes;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.RouteInfoManager;
import java.util.Map;
import java.util.TreeMap;

/** Everything that can be seen of the route tables, to be compared before and after. */
record Tables(long version, TableSizes sizes, ClusterInfo clusters, Map<String, TopicRouteData> routes) {
    static Tables of(RouteInfoManager routes) {
        Map<String, TopicRouteData> byTopic = new TreeMap<>();
        for (String topic : routes.allTopicList()) {
            byTopic.put(topic, routes.pickupTopicRouteData(topic, false).orElseThrow());
        }
        return new Tables(routes.version(), routes.sizes(), routes.clusterInfo(), byTopic);
    }
}
