package io.namesrv.server.processor;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.LimitReached;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.TopicSummary;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RepeatedRegistration;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.processor.RequestHeaders.BrokerIdentity;
import io.namesrv.server.route.RouteEffects;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers brokers: 103. Most of these requests repeat what the broker said half a minute ago, and are known again before
 * their body is read.
 */
final class RegistrationProcessor {
    private static final Logger log = LoggerFactory.getLogger(RegistrationProcessor.class);

    /** Every registration, at DEBUG, in a file of its own. */
    private static final Logger traffic = LoggerFactory.getLogger("io.namesrv.traffic");

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final RouteInfoManager routes;
    private final KVConfigManager kvConfig;
    private final LiveConfig config;
    private final RegistrationReader reader;
    private final RouteEffects effects;

    /** A table, known by its identity, and what it is as JSON. */
    private static final class EncodedTable {
        final Map<String, String> table;
        final byte[] json;

        EncodedTable(Map<String, String> table, byte[] json) {
            this.table = table;
            this.json = json;
        }
    }

    private volatile EncodedTable orderTopicConf = new EncodedTable(Map.of(), new byte[0]);

    /** A body of this many bytes is worth waiting for one's turn. */
    private static final int LONG_BODY = 32 << 10;

    /** How many registrations with long bodies are worked on at a time: half of the processors are for the rest. */
    private final Semaphore turns =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    RegistrationProcessor(
            RouteInfoManager routes,
            KVConfigManager kvConfig,
            LiveConfig config,
            RegistrationReader reader,
            RouteEffects effects) {
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.config = config;
        this.reader = reader;
        this.effects = effects;
    }

    /** In turn, so that a storm of registrations leaves a processor to those who ask. */
    RemotingCommand registerBroker(RequestContext context, RemotingCommand command, CountingAdmission.Growth growth)
            throws CommandException {
        RegistrationRequest request = RegistrationRequest.from(command);
        if (request.body().length < LONG_BODY) {
            return registerBroker(context, request, growth);
        }
        turns.acquireUninterruptibly();
        try {
            return registerBroker(context, request, growth);
        } finally {
            turns.release();
        }
    }

    private RemotingCommand registerBroker(
            RequestContext context, RegistrationRequest request, CountingAdmission.Growth growth)
            throws CommandException {
        refuseIfEnded(context);
        RegistrationFingerprint fingerprint = request.fingerprint();
        ConnectionId from = new ConnectionId(context.connectionId());
        boolean deleteMissing = config.current().routes().deleteTopicWithBrokerRegistration();
        Optional<RepeatedRegistration> repeated = routes.repeatRegistration(fingerprint, from, deleteMissing);
        if (repeated.isPresent()) {
            return accepted(
                    repeated.get().result(), request.broker(), repeated.get().topics(), context);
        }
        Registration registration = reader.read(request, growth);
        refuseIfEnded(context);
        RegisterBrokerResult result =
                routes.registerBroker(registration, from, deleteMissing, Optional.of(fingerprint));
        if (result instanceof Registered registered) {
            if (registered.first()) {
                noteClampedTimeout(registration, request, context);
            }
            return accepted(registered, request.broker(), registration.table().summary(), context);
        }
        return refused(result, request.broker(), context);
    }

    /** What waits in a connection that has ended is not worth reading; and whoever reads for long looks again. */
    private static void refuseIfEnded(RequestContext context) throws CommandException {
        if (!context.isOpen()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the connection has ended");
        }
    }

    private RemotingCommand accepted(
            Registered registered, BrokerIdentity broker, TopicSummary topics, RequestContext context) {
        logTraffic(broker, topics, registered, context);
        if (topics.skipped() > 0) {
            warn(
                    "topics skipped, they break a rule: number=" + topics.skipped() + " one="
                            + PeerText.inLog(topics.oneSkipped()),
                    broker,
                    context);
        }
        effects.registered(registered, context.remote());
        return RemotingCommand.success(orderTopicConf()).withExtFields(masterFields(registered));
    }

    private RemotingCommand refused(RegisterBrokerResult result, BrokerIdentity broker, RequestContext context)
            throws CommandException {
        if (result instanceof StaleStateVersion stale) {
            warn(
                    "register refused, the id is held by a greater state version: holder="
                            + PeerText.inLog(stale.holder()) + " held=" + stale.held() + " offered=" + stale.offered(),
                    broker,
                    context);
            return RemotingCommand.success(orderTopicConf());
        }
        if (result instanceof LimitReached reached) {
            warn("register refused, " + reached.limit(), broker, context);
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "register broker failed, " + reached.limit());
        }
        warn("register refused, a single topic of an unknown broker", broker, context);
        throw new CommandException(ResponseCode.SYSTEM_ERROR, "register broker failed");
    }

    private void warn(String what, BrokerIdentity broker, RequestContext context) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "{} cluster={} name={} id={} addr={} from={} unlogged={}",
                    what,
                    PeerText.inLog(broker.clusterName()),
                    PeerText.inLog(broker.brokerName()),
                    broker.brokerId(),
                    PeerText.inLog(broker.brokerAddr()),
                    context,
                    leftOut);
        }
    }

    private static void noteClampedTimeout(
            Registration registration, RegistrationRequest request, RequestContext context) {
        long asked = request.header().heartbeatTimeoutMillis().orElse(registration.timeoutMillis());
        if (asked != registration.timeoutMillis()) {
            log.info(
                    "heartbeatTimeoutMillis out of range asked={} taken={} cluster={} name={} id={} from={}",
                    asked,
                    registration.timeoutMillis(),
                    PeerText.inLog(registration.clusterName()),
                    PeerText.inLog(registration.brokerName()),
                    registration.brokerId(),
                    context);
        }
    }

    private static void logTraffic(
            BrokerIdentity broker, TopicSummary topics, Registered result, RequestContext context) {
        if (traffic.isDebugEnabled()) {
            traffic.debug(
                    "register broker cluster={} name={} id={} addr={} topics={} skipped={} edits={} from={}",
                    PeerText.inLog(broker.clusterName()),
                    PeerText.inLog(broker.brokerName()),
                    broker.brokerId(),
                    PeerText.inLog(broker.brokerAddr()),
                    topics.topics(),
                    topics.skipped(),
                    result.change().edits().size(),
                    context);
        }
    }

    private byte[] orderTopicConf() {
        if (!config.current().routes().returnOrderTopicConfigToBroker()) {
            return new byte[0];
        }
        return kvConfig.getKVListByNamespace(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG)
                .map(this::encoded)
                .orElseGet(() -> new byte[0]);
    }

    /** Every registration is answered with it, and it seldom changes. */
    private byte[] encoded(Map<String, String> table) {
        EncodedTable last = orderTopicConf;
        if (last.table != table) {
            last = new EncodedTable(table, JsonBodies.kvTable(table));
            orderTopicConf = last;
        }
        return last.json;
    }

    private static Map<String, String> masterFields(Registered registered) {
        Map<String, String> fields = new HashMap<>();
        registered.master().ifPresent(master -> {
            fields.put("masterAddr", master.brokerAddr());
            if (!master.haServerAddr().isEmpty()) {
                fields.put("haServerAddr", master.haServerAddr());
            }
        });
        return fields;
    }
}
