package io.namesrv.server.processor;

import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ExtFields;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.RequestHeaders.KVKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The key/value settings: 100, 101, 102 and 219. A change is answered once it is kept, and holds no thread until then. */
final class KVConfigProcessor {
    private static final Logger log = LoggerFactory.getLogger(KVConfigProcessor.class);

    /** Characters of each of two texts of a peer in one remark. */
    private static final int HALF_REMARK = PeerText.REMARK_MAX / 2;

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final LogLimiter failures = new LogLimiter(10, Duration.ofSeconds(10));
    private final KVConfigManager kvConfig;
    private final OrderTopicCheck orderTopics;
    private final int valueMax;
    private final Optional<String> writeRefusal;

    /**
     * Makes a processor.
     *
     * @param orderTopics looks at what is put for order topics
     * @param valueMax most UTF-8 bytes of a value
     * @param writeRefusal why nothing is changed here, if that is so
     */
    KVConfigProcessor(
            KVConfigManager kvConfig, OrderTopicCheck orderTopics, int valueMax, Optional<String> writeRefusal) {
        this.kvConfig = kvConfig;
        this.orderTopics = orderTopics;
        this.valueMax = valueMax;
        this.writeRefusal = writeRefusal;
    }

    private void refuseIfNotWriter() throws CommandException {
        if (writeRefusal.isPresent()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, writeRefusal.get());
        }
    }

    CompletionStage<RemotingCommand> putKVConfig(RequestContext context, RemotingCommand request)
            throws CommandException {
        refuseIfNotWriter();
        ExtFields fields = request.fields();
        Optional<String> namespace = fields.optional("namespace");
        Optional<String> key = fields.optional("key");
        Optional<String> value = fields.optional("value");
        if (namespace.isEmpty() || key.isEmpty()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "namespace or key is null");
        }
        if (value.isEmpty()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "value is null");
        }
        for (String text : List.of(namespace.get(), key.get(), value.get())) {
            if (!NameRules.isUnicode(text)) {
                throw new CommandException(
                        ResponseCode.SYSTEM_ERROR, "namespace, key or value is no Unicode text and could not be kept");
            }
        }
        if (NameRules.isLonger(value.get(), valueMax)) {
            throw new CommandException(
                    ResponseCode.SYSTEM_ERROR, "the value has more than " + valueMax + " bytes (kvValueMax)");
        }
        if (namespace.get().equals(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG)) {
            orderTopics.check(key.get(), value.get(), context.remote());
        }
        return kvConfig.putKVConfig(namespace.get(), key.get(), value.get())
                .handle((reached, failure) -> failure == null && reached.isPresent()
                        ? refused(new KVKey(namespace.get(), key.get()), reached.get(), context)
                        : answer("put", new KVKey(namespace.get(), key.get()), failure, context));
    }

    CompletionStage<RemotingCommand> deleteKVConfig(RequestContext context, RemotingCommand request)
            throws CommandException {
        refuseIfNotWriter();
        KVKey header = KVKey.from(request.fields());
        return kvConfig.deleteKVConfig(header.namespace(), header.key())
                .handle((kept, failure) -> answer("delete", header, failure, context));
    }

    private RemotingCommand refused(KVKey key, ReachedLimit reached, RequestContext context) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "kv put refused, {} namespace={} key={} from={} unlogged={}",
                    reached,
                    PeerText.inLog(key.namespace()),
                    PeerText.inLog(key.key()),
                    context.remote(),
                    leftOut);
        }
        return RemotingCommand.error(ResponseCode.SYSTEM_ERROR, reached.toString());
    }

    private RemotingCommand answer(String operation, KVKey key, @Nullable Throwable failure, RequestContext context) {
        String namespace = PeerText.inLog(key.namespace());
        String shownKey = PeerText.inLog(key.key());
        if (failure == null) {
            log.info("kv {} namespace={} key={} from={}", operation, namespace, shownKey, context.remote());
            return RemotingCommand.success();
        }
        int leftOut = failures.leftOutOrSkip();
        if (leftOut >= 0) {
            log.error(
                    "kv {} failed namespace={} key={} from={} unlogged={}",
                    operation,
                    namespace,
                    shownKey,
                    context.remote(),
                    leftOut,
                    failure);
        }
        return RemotingCommand.error(
                ResponseCode.SYSTEM_ERROR, "the key/value settings cannot be written, nothing was changed");
    }

    RemotingCommand getKVConfig(RequestContext context, RemotingCommand request) throws CommandException {
        KVKey header = KVKey.from(request.fields());
        String value = kvConfig.getKVConfig(header.namespace(), header.key())
                .orElseThrow(() -> new CommandException(
                        ResponseCode.QUERY_NOT_FOUND,
                        "No config item, Namespace: " + PeerText.shown(header.namespace(), HALF_REMARK) + " Key: "
                                + PeerText.shown(header.key(), HALF_REMARK)));
        return RemotingCommand.success().withExtField("value", value);
    }

    RemotingCommand getKVListByNamespace(RequestContext context, RemotingCommand request) throws CommandException {
        String namespace = request.fields().required("namespace");
        Map<String, String> table = kvConfig.getKVListByNamespace(namespace)
                .orElseThrow(() -> new CommandException(
                        ResponseCode.QUERY_NOT_FOUND, "No config item, Namespace: " + PeerText.inRemark(namespace)));
        return RemotingCommand.success(JsonBodies.kvTable(table));
    }
}
