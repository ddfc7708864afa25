package io.namesrv.server.route;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Moves the versions of topics whose order configuration, one of the key/value settings, is changed: it is part of their
 * routes.
 */
public final class OrderTopicWatch implements KVConfigManager.Listener {
    private final RouteInfoManager routes;
    private final RouteEffects effects;

    public OrderTopicWatch(RouteInfoManager routes, RouteEffects effects) {
        this.routes = routes;
        this.effects = effects;
    }

    @Override
    public void changed(Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
        Map<String, String> was = orderTopics(before);
        Map<String, String> is = orderTopics(after);
        if (was == is) {
            return;
        }
        Set<String> topics = new HashSet<>(was.keySet());
        topics.addAll(is.keySet());
        topics.removeIf(topic -> Objects.equals(was.get(topic), is.get(topic)));
        effects.changed(routes.orderConfigChanged(topics), "key/value settings");
    }

    private static Map<String, String> orderTopics(Map<String, Map<String, String>> table) {
        return table.getOrDefault(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, Map.of());
    }
}
