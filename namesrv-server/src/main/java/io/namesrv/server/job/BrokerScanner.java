package io.namesrv.server.job;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.server.route.RouteEffects;
import java.util.function.Consumer;

/**
 * Removes the brokers that have been silent for too long. Their connections are closed, but for those over which another
 * broker is still registered.
 */
public final class BrokerScanner implements Runnable {
    private final RouteInfoManager routes;
    private final RouteEffects effects;
    private final Consumer<ConnectionId> close;
    private final Ticker ticker;

    /**
     * Makes a scanner.
     *
     * @param close ends a connection
     */
    public BrokerScanner(RouteInfoManager routes, RouteEffects effects, Consumer<ConnectionId> close, Ticker ticker) {
        this.routes = routes;
        this.effects = effects;
        this.close = close;
        this.ticker = ticker;
    }

    /** One scan. */
    @Override
    public void run() {
        DepartureReport report = routes.scanNotActiveBroker();
        effects.expired(report, ticker.millis());
        report.orphans().forEach(close);
    }
}
