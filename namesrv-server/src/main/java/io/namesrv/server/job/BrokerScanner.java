package io.namesrv.server.job;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.Silence;
import io.namesrv.core.route.EvictionBrake;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.server.route.RouteEffects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the brokers that have been silent for too long. Their connections are closed, but for those over which another
 * broker is still registered.
 */
public final class BrokerScanner implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(BrokerScanner.class);

    private final RouteInfoManager routes;
    private final RouteEffects effects;
    private final Consumer<ConnectionId> close;
    private final Ticker ticker;
    private final BooleanSupplier braked;
    private final EvictionBrake brake = new EvictionBrake();
    private volatile Runnable before = () -> {};

    /**
     * Makes a scanner.
     *
     * @param close ends a connection
     * @param braked whether a scan that would remove most brokers has to be confirmed by a later one; asked each time
     */
    public BrokerScanner(
            RouteInfoManager routes,
            RouteEffects effects,
            Consumer<ConnectionId> close,
            Ticker ticker,
            BooleanSupplier braked) {
        this.routes = routes;
        this.effects = effects;
        this.close = close;
        this.ticker = ticker;
        this.braked = braked;
    }

    /** Does something at the beginning of each scan from now on: for tests, which let scans fail. */
    public void before(Runnable hook) {
        before = hook;
    }

    /** One scan. */
    @Override
    public void run() {
        before.run();
        if (braked.getAsBoolean() && isHeldBack()) {
            return;
        }
        DepartureReport report = routes.scanNotActiveBroker();
        effects.expired(report, ticker.millis());
        report.orphans().forEach(close);
    }

    private boolean isHeldBack() {
        Silence silence = routes.silence();
        boolean held = brake.holds(silence, ticker.millis());
        if (held) {
            log.warn(
                    "eviction held back, more than half of the brokers are silent: silent={} brokers={}",
                    silence.expired(),
                    silence.all());
        }
        return held;
    }
}
