package io.namesrv.server.processor;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ExtFields;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.RequestHeaders.KVKey;
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

    private final KVConfigManager kvConfig;

    KVConfigProcessor(KVConfigManager kvConfig) {
        this.kvConfig = kvConfig;
    }

    CompletionStage<RemotingCommand> putKVConfig(RequestContext context, RemotingCommand request)
            throws CommandException {
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
        return kvConfig.putKVConfig(namespace.get(), key.get(), value.get())
                .handle((kept, failure) -> answer("put", new KVKey(namespace.get(), key.get()), failure, context));
    }

    CompletionStage<RemotingCommand> deleteKVConfig(RequestContext context, RemotingCommand request)
            throws CommandException {
        KVKey header = KVKey.from(request.fields());
        return kvConfig.deleteKVConfig(header.namespace(), header.key())
                .handle((kept, failure) -> answer("delete", header, failure, context));
    }

    private static RemotingCommand answer(
            String operation, KVKey key, @Nullable Throwable failure, RequestContext context) {
        String namespace = PeerText.inLog(key.namespace());
        String shownKey = PeerText.inLog(key.key());
        if (failure == null) {
            log.info("kv {} namespace={} key={} from={}", operation, namespace, shownKey, context.remote());
            return RemotingCommand.success();
        }
        log.error(
                "kv {} failed namespace={} key={} from={}", operation, namespace, shownKey, context.remote(), failure);
        return RemotingCommand.error(
                ResponseCode.SYSTEM_ERROR, "the key/value settings cannot be written, nothing was changed");
    }

    RemotingCommand getKVConfig(RequestContext context, RemotingCommand request) throws CommandException {
        KVKey header = KVKey.from(request.fields());
        String value = kvConfig.getKVConfig(header.namespace(), header.key())
                .orElseThrow(() -> new CommandException(
                        ResponseCode.QUERY_NOT_FOUND,
                        "No config item, Namespace: " + PeerText.inRemark(header.namespace()) + " Key: "
                                + PeerText.inRemark(header.key())));
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
