package io.namesrv.server.metrics;

import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.RequestOutcome;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How many requests there were, of which kind, what came of them, and how long they took and waited. */
public final class RequestFamilies implements RequestObserver {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double[] SECONDS = {.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5};

    /** The three kinds that dashboards know. */
    private enum Type {
        PUT,
        GET,
        OTHER;

        static Type of(int code) {
            return switch (code) {
                case RequestCode.REGISTER_BROKER,
                        RequestCode.UNREGISTER_BROKER,
                        RequestCode.REGISTER_TOPIC_IN_NAMESRV,
                        RequestCode.BROKER_HEARTBEAT,
                        RequestCode.QUERY_DATA_VERSION -> PUT;
                case RequestCode.GET_ROUTEINFO_BY_TOPIC -> GET;
                default -> OTHER;
            };
        }
    }

    /** What one request of a type is added to. */
    private record Times(CounterDataPoint millis, DistributionDataPoint seconds) {}

    private final Counter requests;
    private final Counter rejected;
    private final Histogram queueWait;
    private final Times put;
    private final Times get;
    private final Times other;
    private final CounterDataPoint hits;
    private final CounterDataPoint misses;

    /** One for each code and result that was seen: there are some dozens. */
    private final ConcurrentMap<Long, CounterDataPoint> known = new ConcurrentHashMap<>();

    private final CounterDataPoint routesFound;
    private final CounterDataPoint routesUnknown;

    RequestFamilies(PrometheusRegistry registry, List<String> lanes) {
        requests = Counter.builder()
                .name("rocketmq_namesrv_requests_total")
                .help("Requests by kind, request code and response code")
                .labelNames("type", "code", "result")
                .register(registry);
        Counter millis = Counter.builder()
                .name("rocketmq_namesrv_rt_total")
                .help("Accumulated time from reading a request to handing over its answer, in milliseconds")
                .labelNames("type")
                .register(registry);
        Histogram seconds = Histogram.builder()
                .name("rocketmq_namesrv_request_seconds")
                .help("Time from reading a request to handing over its answer")
                .labelNames("type")
                .classicOnly()
                .classicUpperBounds(SECONDS)
                .register(registry);
        queueWait = Histogram.builder()
                .name("rocketmq_namesrv_queue_wait_seconds")
                .help("Time that a request waited for a thread of its lane")
                .labelNames("lane")
                .classicOnly()
                .classicUpperBounds(SECONDS)
                .register(registry);
        rejected = Counter.builder()
                .name("rocketmq_namesrv_queue_rejected_total")
                .help("Requests that were answered busy because their lane was full, shut or too slow")
                .labelNames("lane")
                .register(registry);
        Counter cache = Counter.builder()
                .name("rocketmq_namesrv_answer_cache_total")
                .help("Route queries answered at once from what was encoded before, and the others")
                .labelNames("result")
                .register(registry);
        hits = cache.labelValues("hit");
        misses = cache.labelValues("miss");
        put = times(millis, seconds, Type.PUT);
        get = times(millis, seconds, Type.GET);
        other = times(millis, seconds, Type.OTHER);
        for (String lane : lanes) {
            queueWait.initLabelValues(lane);
            rejected.initLabelValues(lane);
        }
        routesFound = counter(RequestCode.GET_ROUTEINFO_BY_TOPIC, ResponseCode.SUCCESS);
        routesUnknown = counter(RequestCode.GET_ROUTEINFO_BY_TOPIC, ResponseCode.TOPIC_NOT_EXIST);
    }

    private static Times times(Counter millis, Histogram seconds, Type type) {
        return new Times(millis.labelValues(type.name()), seconds.labelValues(type.name()));
    }

    private Times times(Type type) {
        return switch (type) {
            case PUT -> put;
            case GET -> get;
            case OTHER -> other;
        };
    }

    @Override
    public void observed(RequestOutcome outcome) {
        long nanos = outcome.waitedNanos() + outcome.ranNanos();
        Times ofType = times(Type.of(outcome.code()));
        ofType.millis().inc(nanos / NANOS_PER_MILLI);
        ofType.seconds().observe(nanos / NANOS_PER_SECOND);
        if (outcome.oneway()) {
            requests.labelValues(Type.of(outcome.code()).name(), codeLabel(outcome), "oneway")
                    .inc();
        } else if (outcome.result() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED) {
            requests.labelValues(Type.OTHER.name(), "unknown", Integer.toString(outcome.result()))
                    .inc();
        } else {
            counter(outcome.code(), outcome.result()).inc();
        }
        if (!outcome.lane().isEmpty()) {
            queueWait.labelValues(outcome.lane()).observe(outcome.waitedNanos() / NANOS_PER_SECOND);
            if (outcome.result() == ResponseCode.SYSTEM_BUSY) {
                rejected.labelValues(outcome.lane()).inc();
            }
        }
        if (outcome.code() == RequestCode.GET_ROUTEINFO_BY_TOPIC) {
            misses.inc();
        }
    }

    private static String codeLabel(RequestOutcome outcome) {
        return outcome.result() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED
                ? "unknown"
                : Integer.toString(outcome.code());
    }

    @Override
    public void observedAtOnce(int code, int result, int count, long nanos) {
        Times ofType = times(Type.of(code));
        ofType.millis().inc(nanos / NANOS_PER_MILLI);
        double each = nanos / NANOS_PER_SECOND / count;
        for (int i = 0; i < count; i++) {
            ofType.seconds().observe(each);
        }
        if (code == RequestCode.GET_ROUTEINFO_BY_TOPIC) {
            hits.inc(count);
            if (result == ResponseCode.SUCCESS) {
                routesFound.inc(count);
                return;
            }
            if (result == ResponseCode.TOPIC_NOT_EXIST) {
                routesUnknown.inc(count);
                return;
            }
        }
        counter(code, result).inc(count);
    }

    /** Codes that nobody serves are not asked for here, or peers could make up as many series as they like. */
    private CounterDataPoint counter(int code, int result) {
        return known.computeIfAbsent(
                (long) code << 32 | result,
                both -> requests.labelValues(Type.of(code).name(), Integer.toString(code), Integer.toString(result)));
    }
}
