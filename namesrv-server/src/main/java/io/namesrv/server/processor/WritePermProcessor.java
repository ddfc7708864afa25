package io.namesrv.server.processor;

import static io.namesrv.core.kv.KVConfigManager.NAMESPACE_WRITE_PERM_WIPED;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.ReachedLimit;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.route.RouteEffects;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write permission of brokers: 205 and 327. With {@code permWipeSticky} a wipe is a key/value setting that the route
 * tables follow ({@link io.namesrv.server.route.WithheldWritePerms}), answered once it is kept; without, a mark on the
 * broker's topics that its next changed registration takes off. 327 takes off either, whatever the setting says by then.
 */
final class WritePermProcessor {
    private static final Logger log = LoggerFactory.getLogger(WritePermProcessor.class);

    private static final String WIPED = "wipeTopicCount";
    private static final String ADDED = "addTopicCount";

    private final LogLimiter failures = new LogLimiter(10, Duration.ofSeconds(10));
    private final RouteInfoManager routes;
    private final KVConfigManager kvConfig;
    private final LiveConfig config;
    private final NameRules rules;
    private final RouteEffects effects;
    private final Clock clock;
    private final Optional<String> writeRefusal;

    /**
     * Makes the processor.
     *
     * @param clock for the time that a wipe shows
     * @param writeRefusal why key/value settings are not changed here, if that is so
     */
    WritePermProcessor(
            RouteInfoManager routes,
            KVConfigManager kvConfig,
            LiveConfig config,
            NameRules rules,
            RouteEffects effects,
            Clock clock,
            Optional<String> writeRefusal) {
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.config = config;
        this.rules = rules;
        this.effects = effects;
        this.clock = clock;
        this.writeRefusal = writeRefusal;
    }

    CompletionStage<RemotingCommand> wipeWritePermOfBroker(RequestContext context, RemotingCommand request)
            throws CommandException {
        String brokerName = request.fields().required("brokerName");
        if (!config.current().operators().permWipeSticky()) {
            PermReport report = routes.wipeWritePermOfBroker(brokerName, new ConnectionId(context.connectionId()));
            return marked(WIPED, brokerName, report, context);
        }
        Optional<String> broken = rules.broker(brokerName);
        if (broken.isPresent()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the custom field <brokerName> " + broken.get());
        }
        refuseIfNotWriter();
        String mark = "by=" + context.remote() + " at=" + clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return kvConfig.putKVConfig(NAMESPACE_WRITE_PERM_WIPED, brokerName, mark)
                .handle((reached, failure) -> failure == null && reached.isPresent()
                        ? refused(brokerName, reached.get(), context)
                        : kept(WIPED, brokerName, failure, context));
    }

    CompletionStage<RemotingCommand> addWritePermOfBroker(RequestContext context, RemotingCommand request)
            throws CommandException {
        String brokerName = request.fields().required("brokerName");
        if (kvConfig.getKVConfig(NAMESPACE_WRITE_PERM_WIPED, brokerName).isEmpty()) {
            PermReport report = routes.addWritePermOfBroker(brokerName, new ConnectionId(context.connectionId()));
            return marked(ADDED, brokerName, report, context);
        }
        refuseIfNotWriter();
        return kvConfig.deleteKVConfig(NAMESPACE_WRITE_PERM_WIPED, brokerName)
                .handle((reached, failure) -> kept(ADDED, brokerName, failure, context));
    }

    private void refuseIfNotWriter() throws CommandException {
        if (writeRefusal.isPresent()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, writeRefusal.get());
        }
    }

    private CompletionStage<RemotingCommand> marked(
            String field, String brokerName, PermReport report, RequestContext context) {
        effects.permissionChanged(brokerName, report, context.remote());
        return CompletableFuture.completedFuture(success(field, report.topics()));
    }

    /** The tables follow a setting before whoever asked for it is told that it is kept: they are as the answer says. */
    private RemotingCommand kept(String field, String brokerName, @Nullable Throwable failure, RequestContext context) {
        if (failure == null) {
            int topics = routes.topicCount(brokerName);
            log.info(
                    "write permission of broker {} name={} topics={} from={}",
                    field.equals(WIPED) ? "withheld until it is added" : "added",
                    PeerText.inLog(brokerName),
                    topics,
                    context.remote());
            return success(field, topics);
        }
        int leftOut = failures.leftOutOrSkip();
        if (leftOut >= 0) {
            log.error(
                    "write permission of broker not changed name={} from={} unlogged={}",
                    PeerText.inLog(brokerName),
                    context.remote(),
                    leftOut,
                    failure);
        }
        return RemotingCommand.error(
                ResponseCode.SYSTEM_ERROR, "the key/value settings cannot be written, nothing was changed");
    }

    private RemotingCommand refused(String brokerName, ReachedLimit reached, RequestContext context) {
        int leftOut = failures.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "write permission of broker not withheld, {} name={} from={} unlogged={}",
                    reached,
                    PeerText.inLog(brokerName),
                    context.remote(),
                    leftOut);
        }
        return RemotingCommand.error(ResponseCode.SYSTEM_ERROR, reached.toString());
    }

    private static RemotingCommand success(String field, int topics) {
        return RemotingCommand.success().withExtField(field, Integer.toString(topics));
    }
}
