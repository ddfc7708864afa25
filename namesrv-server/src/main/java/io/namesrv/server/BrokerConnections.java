package io.namesrv.server;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.server.route.RouteEffects;

/**
 * Takes the brokers of a connection out of the tables when it ends, unless the daemon stops: then nobody's end is a
 * departure, also not that of a broker which was told to go away.
 */
final class BrokerConnections implements ConnectionListener {
    private final RouteInfoManager routes;
    private final RouteEffects effects;
    private volatile boolean stopping;

    BrokerConnections(RouteInfoManager routes, RouteEffects effects) {
        this.routes = routes;
        this.effects = effects;
    }

    /** The daemon begins to stop. */
    void stopping() {
        stopping = true;
    }

    @Override
    public void opened(Connection connection) {}

    @Override
    public void closed(Connection connection, CloseReason reason) {
        if (!stopping && reason != CloseReason.SHUTDOWN) {
            effects.departed(routes.connectionClosed(new ConnectionId(connection.id())), connection.remote());
        }
    }
}
