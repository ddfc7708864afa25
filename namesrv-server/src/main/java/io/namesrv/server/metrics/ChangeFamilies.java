package io.namesrv.server.metrics;

import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** How often the routes were changed, and how many brokers left, by cause. */
public final class ChangeFamilies implements Consumer<RouteChange> {
    private static final String REGISTER = "register";

    private final Map<Cause, CounterDataPoint> changes = new EnumMap<>(Cause.class);
    private final Map<Cause, CounterDataPoint> evictions = new EnumMap<>(Cause.class);

    ChangeFamilies(PrometheusRegistry registry) {
        Counter byKind = Counter.builder()
                .name("rocketmq_namesrv_route_changes_total")
                .help("Steps that changed the route tables, by kind")
                .labelNames("kind")
                .register(registry);
        Counter byReason = Counter.builder()
                .name("rocketmq_namesrv_evictions_total")
                .help("Brokers that left the route tables, by reason")
                .labelNames("reason")
                .register(registry);
        for (Cause cause : Cause.values()) {
            changes.put(cause, byKind.labelValues(kind(cause)));
            reason(cause).ifPresent(reason -> evictions.put(cause, byReason.labelValues(reason)));
        }
    }

    private static String kind(Cause cause) {
        return switch (cause) {
            case REGISTER, RESTORED, RECOVERED -> REGISTER;
            case UNREGISTER -> "unregister";
            case CONNECTION_CLOSED -> "close";
            case EXPIRED -> "expire";
            case PERM_WIPED, PERM_ADDED -> "perm";
            case TOPIC_REGISTERED, TOPIC_DELETED -> "topic";
            case KV_CHANGED, ORDER_CONFIG -> "kv";
        };
    }

    private static Optional<String> reason(Cause cause) {
        return switch (cause) {
            case EXPIRED -> Optional.of("expired");
            case CONNECTION_CLOSED -> Optional.of("closed");
            case UNREGISTER -> Optional.of("unregistered");
            default -> Optional.empty();
        };
    }

    @Override
    public void accept(RouteChange change) {
        if (change.isEmpty()) {
            return;
        }
        CounterDataPoint ofCause = changes.get(change.cause());
        if (ofCause != null) {
            ofCause.inc();
        }
        CounterDataPoint evicted = evictions.get(change.cause());
        if (evicted != null) {
            evicted.inc(removedMembers(change));
        }
    }

    private static long removedMembers(RouteChange change) {
        List<RouteChange.Edit> edits = change.edits();
        return edits.stream()
                .filter(edit ->
                        edit instanceof MemberEdit member && member.after().isEmpty())
                .count();
    }
}
