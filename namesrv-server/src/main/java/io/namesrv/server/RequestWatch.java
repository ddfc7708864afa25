package io.namesrv.server;

import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.RequestOutcome;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts requests, says which took long, and remembers which codes were asked for that nobody serves. */
final class RequestWatch implements RequestObserver {
    private static final Logger log = LoggerFactory.getLogger(RequestWatch.class);

    /** Codes remembered by number; what a peer makes up beyond them is only counted. */
    private static final int UNSUPPORTED_CODES_MAX = 64;

    private final LiveConfig config;
    private final LogLimiter slowLines = new LogLimiter(10, Duration.ofMinutes(1));
    private final LongAdder requests = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final ConcurrentMap<Integer, LongAdder> unsupported = new ConcurrentHashMap<>();

    RequestWatch(LiveConfig config) {
        this.config = config;
    }

    @Override
    public void observed(RequestOutcome outcome) {
        requests.increment();
        if (outcome.result() != ResponseCode.SUCCESS) {
            refused.increment();
        }
        if (outcome.result() == ResponseCode.REQUEST_CODE_NOT_SUPPORTED) {
            countUnsupported(outcome);
        }
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(outcome.waitedNanos() + outcome.ranNanos());
        long slowMillis = config.current().requests().slowRequest().toMillis();
        if (slowMillis > 0 && tookMillis >= slowMillis) {
            logSlow(outcome);
        }
        if (log.isDebugEnabled()) {
            log.debug(
                    "request code={} result={} oneway={} from={}",
                    RequestCode.name(outcome.code()),
                    outcome.result(),
                    outcome.oneway(),
                    outcome.context());
        }
    }

    @Override
    public void observedAtOnce(int code, int result, int count, long nanos) {
        requests.add(count);
        if (result != ResponseCode.SUCCESS) {
            refused.add(count);
        }
        if (log.isDebugEnabled()) {
            log.debug("requests answered at once code={} result={} count={}", RequestCode.name(code), result, count);
        }
    }

    private void logSlow(RequestOutcome outcome) {
        int leftOut = slowLines.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "slow request code={} lane={} waitedMs={} ranMs={} result={} from={} unlogged={}",
                    RequestCode.name(outcome.code()),
                    outcome.lane(),
                    TimeUnit.NANOSECONDS.toMillis(outcome.waitedNanos()),
                    TimeUnit.NANOSECONDS.toMillis(outcome.ranNanos()),
                    outcome.result(),
                    outcome.context(),
                    leftOut);
        }
    }

    private void countUnsupported(RequestOutcome outcome) {
        LongAdder count = unsupported.get(outcome.code());
        if (count == null && unsupported.size() < UNSUPPORTED_CODES_MAX) {
            log.warn("request code not supported code={} from={}", outcome.code(), outcome.context());
            count = unsupported.computeIfAbsent(outcome.code(), code -> new LongAdder());
        }
        if (count != null) {
            count.increment();
        }
    }

    /** Requests so far, whatever came of them. */
    long requests() {
        return requests.sum();
    }

    /** Request codes that were answered as not supported, with the number of such answers. */
    SortedMap<Integer, Long> unsupported() {
        SortedMap<Integer, Long> counts = new TreeMap<>();
        unsupported.forEach((code, count) -> counts.put(code, count.sum()));
        return counts;
    }

    /** Says in the log what has been counted. */
    void report() {
        log.info("requests={} refused={} unsupportedCodes={}", requests(), refused.sum(), unsupported());
    }
}
