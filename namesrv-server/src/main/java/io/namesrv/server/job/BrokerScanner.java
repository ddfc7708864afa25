package io.namesrv.server.job;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.ScanReport;
import io.namesrv.core.data.Silence;
import io.namesrv.core.route.EvictionBrake;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.route.RouteEffects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for brokers that have been silent for too long. Those that are removed have their connections closed, but for those
 * over which another broker is still registered.
 */
public final class BrokerScanner implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(BrokerScanner.class);

    private final RouteInfoManager routes;
    private final RouteEffects effects;
    private final Consumer<ConnectionId> close;
    private final Ticker ticker;
    private final Supplier<NamesrvConfig.Liveness> settings;
    private final EvictionBrake brake = new EvictionBrake();
    private volatile Runnable before = () -> {};

    /**
     * Makes a scanner.
     *
     * @param close ends a connection
     * @param settings asked at each scan
     */
    public BrokerScanner(
            RouteInfoManager routes,
            RouteEffects effects,
            Consumer<ConnectionId> close,
            Ticker ticker,
            Supplier<NamesrvConfig.Liveness> settings) {
        this.routes = routes;
        this.effects = effects;
        this.close = close;
        this.ticker = ticker;
        this.settings = settings;
    }

    /** Does something at the beginning of each scan from now on: for tests, which let scans fail. */
    public void before(Runnable hook) {
        before = hook;
    }

    /** One scan. */
    @Override
    public void run() {
        before.run();
        NamesrvConfig.Liveness now = settings.get();
        if (now.evictionBrake() && isHeldBack()) {
            return;
        }
        ScanReport report = routes.scanNotActiveBroker(now.evictionMisses());
        effects.scanned(report, ticker.millis(), now.evictionMisses());
        report.departed().orphans().forEach(close);
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
