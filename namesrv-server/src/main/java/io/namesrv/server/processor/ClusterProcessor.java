package io.namesrv.server.processor;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.route.RouteEffects;

/** The clusters, and the write permission of their brokers: 106, 205 and 327. */
final class ClusterProcessor {
    private final RouteInfoManager routes;
    private final RouteEffects effects;

    ClusterProcessor(RouteInfoManager routes, RouteEffects effects) {
        this.routes = routes;
        this.effects = effects;
    }

    RemotingCommand getBrokerClusterInfo(RequestContext context, RemotingCommand request) {
        boolean standard = request.fields().bool("acceptStandardJsonOnly");
        return RemotingCommand.success(
                JsonBodies.clusterInfo(routes.clusterInfo(), standard ? Dialect.STANDARD : Dialect.BARE_KEYS));
    }

    RemotingCommand wipeWritePermOfBroker(RequestContext context, RemotingCommand request) throws CommandException {
        String brokerName = request.fields().required("brokerName");
        PermReport report = routes.wipeWritePermOfBroker(brokerName, new ConnectionId(context.connectionId()));
        effects.permissionChanged(brokerName, report, context.remote());
        return RemotingCommand.success().withExtField("wipeTopicCount", Integer.toString(report.topics()));
    }

    RemotingCommand addWritePermOfBroker(RequestContext context, RemotingCommand request) throws CommandException {
        String brokerName = request.fields().required("brokerName");
        PermReport report = routes.addWritePermOfBroker(brokerName, new ConnectionId(context.connectionId()));
        effects.permissionChanged(brokerName, report, context.remote());
        return RemotingCommand.success().withExtField("addTopicCount", Integer.toString(report.topics()));
    }
}
