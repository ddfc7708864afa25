package io.namesrv.server.processor;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.kv.OrderTopicConf;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.ResponseCode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the values of order topics: one that producers cannot read is told to the operator's log and counted, and with
 * {@code orderConfCheck=strict} not taken.
 */
public final class OrderTopicCheck {
    private static final Logger log = LoggerFactory.getLogger(OrderTopicCheck.class);

    /** Characters of each of two texts of a peer in one remark. */
    private static final int HALF_REMARK = PeerText.REMARK_MAX / 2;

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final LongAdder brokenPuts = new LongAdder();
    private final BooleanSupplier strict;

    /**
     * Makes a check.
     *
     * @param strict whether a value that is not well-formed is refused; asked each time
     */
    public OrderTopicCheck(BooleanSupplier strict) {
        this.strict = strict;
    }

    /** Values that were put so far and are not well-formed, taken or refused. */
    public long brokenPuts() {
        return brokenPuts.sum();
    }

    /** Names in one line the first of the values that were there at the start and are not well-formed. */
    public void checkLoaded(KVConfigManager kvConfig) {
        Map<String, String> values = kvConfig.getKVListByNamespace(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG)
                .orElse(Map.of());
        long broken = values.values().stream()
                .filter(value -> OrderTopicConf.brokenPart(value).isPresent())
                .count();
        values.entrySet().stream()
                .filter(value -> OrderTopicConf.brokenPart(value.getValue()).isPresent())
                .findFirst()
                .ifPresent(first -> log.warn(
                        "order topics have values that producers cannot read number={} first topic={} part=\"{}\""
                                + " (expected: name:number;name:number)",
                        broken,
                        PeerText.inLog(first.getKey()),
                        PeerText.inLog(
                                OrderTopicConf.brokenPart(first.getValue()).orElseThrow())));
    }

    /**
     * Looks at a value that is about to be put.
     *
     * @param from who puts it
     * @throws CommandException if it is not to be taken
     */
    void check(String topic, String value, String from) throws CommandException {
        Optional<String> broken = OrderTopicConf.brokenPart(value);
        if (broken.isEmpty()) {
            return;
        }
        brokenPuts.increment();
        boolean refused = strict.getAsBoolean();
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "order topic has a value that producers cannot read, {} topic={} part=\"{}\""
                            + " (expected: name:number;name:number) from={} unlogged={}",
                    refused ? "refused" : "taken, orderConfCheck=strict would refuse it",
                    PeerText.inLog(topic),
                    PeerText.inLog(broken.get()),
                    from,
                    leftOut);
        }
        if (refused) {
            throw new CommandException(
                    ResponseCode.SYSTEM_ERROR,
                    "order topic " + PeerText.shown(topic, HALF_REMARK) + ": \""
                            + PeerText.shown(broken.get(), HALF_REMARK)
                            + "\" is not name:number (expected: name:number;name:number; orderConfCheck=strict)");
        }
    }
}
