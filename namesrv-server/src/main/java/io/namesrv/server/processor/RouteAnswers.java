package io.namesrv.server.processor;

import io.namesrv.core.data.VersionedRoute;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig;
import java.util.List;

/**
 * Says what there is to say of a topic now, and under which version. What is not of one moment with the version is looked
 * at in an order that never puts what was before under a version that came after: what moves versions is changed
 * first, and then they are moved.
 */
public final class RouteAnswers {
    private final RouteInfoManager routes;
    private final KVConfigManager kvConfig;
    private final LiveConfig config;
    private final RouteEpoch epoch;

    public RouteAnswers(RouteInfoManager routes, KVConfigManager kvConfig, LiveConfig config, RouteEpoch epoch) {
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.config = config;
        this.epoch = epoch;
    }

    RouteMoment now(String topic) {
        String began = epoch.current();
        NamesrvConfig.Routes settings = config.current().routes();
        VersionedRoute route = routes.versionedRoute(topic, settings.supportActingMaster());
        return new RouteMoment(
                topic,
                settings.routeDiffEnable(),
                new RouteVersion(began, route.version().topic()),
                route.version().tables(),
                route.route(),
                orderTopicConf(settings, topic));
    }

    RouteVersion version(String topic) {
        return new RouteVersion(epoch.current(), routes.topicVersion(topic));
    }

    /** The broker groups whose changes may move the version of a topic. */
    List<String> brokersOf(String topic) {
        return routes.brokersOf(topic);
    }

    /** Moves all versions if a change of settings alters answers; tells whether it does. */
    boolean settingsChanged(NamesrvConfig.Routes before, NamesrvConfig.Routes after) {
        boolean altered = before.supportActingMaster() != after.supportActingMaster()
                || before.orderMessageEnable() != after.orderMessageEnable()
                || before.routeDiffEnable() != after.routeDiffEnable();
        if (altered) {
            epoch.next();
        }
        return altered;
    }

    private String orderTopicConf(NamesrvConfig.Routes settings, String topic) {
        if (!settings.orderMessageEnable()) {
            return "";
        }
        return kvConfig.getKVConfig(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, topic)
                .orElse("");
    }
}
