package io.namesrv.server.processor;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.route.RouteEffects;
import java.util.Optional;

/** What brokers ask beside registrations: 104, 322, 901 and 904. */
final class BrokerProcessor {
    private final RouteInfoManager routes;
    private final RegistrationBodies bodies;
    private final RouteEffects effects;

    BrokerProcessor(RouteInfoManager routes, RegistrationBodies bodies, RouteEffects effects) {
        this.routes = routes;
        this.bodies = bodies;
        this.effects = effects;
    }

    /** Unregisters before it answers: whoever has the answer finds the broker gone. */
    RemotingCommand unregisterBroker(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerIdentity broker = RequestHeaders.BrokerIdentity.from(request.fields());
        effects.departed(
                routes.unregisterBroker(
                        broker.clusterName(),
                        broker.brokerName(),
                        broker.brokerAddr(),
                        new ConnectionId(context.connectionId())),
                context.remote());
        return RemotingCommand.success();
    }

    RemotingCommand brokerHeartbeat(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerHeartbeat broker = RequestHeaders.BrokerHeartbeat.from(request.fields());
        signOfLife(broker.clusterName(), broker.brokerAddr(), context);
        return RemotingCommand.success();
    }

    private SignOfLife signOfLife(String cluster, String addr, RequestContext context) {
        SignOfLife sign = routes.signOfLife(cluster, addr);
        effects.recovered(sign, context.remote());
        return sign;
    }

    RemotingCommand queryDataVersion(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerIdentity broker = RequestHeaders.BrokerIdentity.from(request.fields());
        Optional<DataVersion> asked = askedVersion(request);
        Optional<DataVersion> registered =
                signOfLife(broker.clusterName(), broker.brokerAddr(), context).dataVersion();
        boolean changed = registered.isEmpty() || !registered.equals(asked);
        return RemotingCommand.success(registered.map(JsonBodies::dataVersion).orElseGet(() -> new byte[0]))
                .withExtField("changed", Boolean.toString(changed));
    }

    private Optional<DataVersion> askedVersion(RemotingCommand request) throws CommandException {
        byte[] body = request.bodyBytes();
        try {
            return body.length == 0 ? Optional.empty() : Optional.of(bodies.dataVersion(body));
        } catch (JsonFormatException e) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "data version: " + e.getMessage());
        }
    }

    RemotingCommand getBrokerMemberGroup(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerMemberGroup group = RequestHeaders.BrokerMemberGroup.from(request.fields());
        return RemotingCommand.success(
                JsonBodies.memberGroup(routes.brokerMemberGroup(group.clusterName(), group.brokerName())));
    }
}
