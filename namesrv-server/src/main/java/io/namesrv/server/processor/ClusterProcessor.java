package io.namesrv.server.processor;

import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.JsonBodies.Dialect;

/** The clusters: 106. */
final class ClusterProcessor {
    private final RouteInfoManager routes;

    ClusterProcessor(RouteInfoManager routes) {
        this.routes = routes;
    }

    RemotingCommand getBrokerClusterInfo(RequestContext context, RemotingCommand request) {
        boolean standard = request.fields().bool("acceptStandardJsonOnly");
        return RemotingCommand.success(
                JsonBodies.clusterInfo(routes.clusterInfo(), standard ? Dialect.STANDARD : Dialect.BARE_KEYS));
    }
}
