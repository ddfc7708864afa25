package io.namesrv.server.processor;

import io.namesrv.core.Ticker;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.NamesrvConfig;

/** How long routes are still refused after the start, because {@code needWaitForService} says so. */
public final class ServiceWait {
    private final LiveConfig config;
    private final Ticker ticker;
    private final long startedAt;

    /** The start is now. */
    public ServiceWait(LiveConfig config, Ticker ticker) {
        this.config = config;
        this.ticker = ticker;
        this.startedAt = ticker.millis();
    }

    /** Milliseconds from now on; 0 once routes are answered. */
    public long leftMillis() {
        NamesrvConfig.Routes settings = config.current().routes();
        if (!settings.needWaitForService()) {
            return 0;
        }
        return Math.max(0, settings.waitForService().toMillis() - (ticker.millis() - startedAt));
    }
}
