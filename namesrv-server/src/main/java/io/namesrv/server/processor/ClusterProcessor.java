package io.namesrv.server.processor;

import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.JsonBodies.Dialect;

/** The clusters: 106. */
final class ClusterProcessor {
    private final BodyOfVersion standardJson;
    private final BodyOfVersion bareKeys;

    ClusterProcessor(RouteInfoManager routes) {
        this.standardJson =
                new BodyOfVersion(routes, () -> JsonBodies.clusterInfo(routes.clusterInfo(), Dialect.STANDARD));
        this.bareKeys =
                new BodyOfVersion(routes, () -> JsonBodies.clusterInfo(routes.clusterInfo(), Dialect.BARE_KEYS));
    }

    RemotingCommand getBrokerClusterInfo(RequestContext context, RemotingCommand request) {
        boolean standard = request.fields().bool("acceptStandardJsonOnly");
        return RemotingCommand.success((standard ? standardJson : bareKeys).get());
    }
}
