package io.namesrv.server.metrics;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;

/** Why connections ended. */
public final class ConnectionFamilies implements ConnectionListener {
    private final Counter closed;

    ConnectionFamilies(PrometheusRegistry registry) {
        closed = Counter.builder()
                .name("rocketmq_namesrv_connections_closed_total")
                .help("Connections that ended, by reason")
                .labelNames("reason")
                .register(registry);
        for (CloseReason reason : CloseReason.values()) {
            closed.initLabelValues(label(reason));
        }
    }

    private static String label(CloseReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void opened(Connection connection) {}

    @Override
    public void closed(Connection connection, CloseReason reason) {
        closed.labelValues(label(reason)).inc();
    }
}
