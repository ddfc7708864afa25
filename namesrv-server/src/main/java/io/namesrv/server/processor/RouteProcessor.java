package io.namesrv.server.processor;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RequestHeaders.GetRouteInfo;

/** What clients ask: 105. */
final class RouteProcessor {
    /** Caller's version from which on route JSON has quoted keys: 4.9.4. */
    private static final int SINCE_STANDARD_JSON = 401;

    /** The rest of the remark of code 17, as in NameServer 5.3.3. */
    private static final String FAQ = "\nSee https://rocketmq.apache.org/docs/bestPractice/06FAQ for further details.";

    private final RouteInfoManager routes;
    private final KVConfigManager kvConfig;
    private final LiveConfig config;
    private final Ticker ticker;
    private final long startedAt;

    RouteProcessor(RouteInfoManager routes, KVConfigManager kvConfig, LiveConfig config, Ticker ticker) {
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.config = config;
        this.ticker = ticker;
        this.startedAt = ticker.millis();
    }

    RemotingCommand getRouteInfoByTopic(RequestContext context, RemotingCommand request) throws CommandException {
        GetRouteInfo header = GetRouteInfo.from(request.fields());
        NamesrvConfig.Routes settings = config.current().routes();
        if (waiting(settings)) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "name server not ready");
        }
        TopicRouteData route = routes.pickupTopicRouteData(header.topic(), settings.supportActingMaster())
                .orElseThrow(() -> noRoute(header.topic()));
        TopicRouteData shown =
                header.zoneName().map(zone -> ZoneFilter.narrow(route, zone)).orElse(route);
        boolean standard = header.acceptStandardJsonOnly() || request.version() >= SINCE_STANDARD_JSON;
        return RemotingCommand.success(JsonBodies.topicRoute(
                shown, orderTopicConf(settings, header.topic()), standard ? Dialect.STANDARD : Dialect.BARE_KEYS));
    }

    private boolean waiting(NamesrvConfig.Routes settings) {
        return settings.needWaitForService()
                && ticker.millis() - startedAt < settings.waitForService().toMillis();
    }

    private String orderTopicConf(NamesrvConfig.Routes settings, String topic) {
        if (!settings.orderMessageEnable()) {
            return "";
        }
        return kvConfig.getKVConfig(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, topic)
                .orElse("");
    }

    private static CommandException noRoute(String topic) {
        return new CommandException(
                ResponseCode.TOPIC_NOT_EXIST,
                "No topic route info in name server for the topic: " + PeerText.inRemark(topic) + FAQ);
    }
}
