package io.namesrv.server.processor;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.LimitReached;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ExtFields;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.route.RouteEffects;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What brokers ask: 103, 104, 322, 901 and 904. */
final class BrokerProcessor {
    private static final Logger log = LoggerFactory.getLogger(BrokerProcessor.class);

    /** Every registration, at DEBUG, in a file of its own. */
    private static final Logger traffic = LoggerFactory.getLogger("io.namesrv.traffic");

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final RouteInfoManager routes;
    private final KVConfigManager kvConfig;
    private final LiveConfig config;
    private final RegistrationReader reader;
    private final RegistrationBodies bodies;
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

    BrokerProcessor(
            RouteInfoManager routes,
            KVConfigManager kvConfig,
            LiveConfig config,
            RegistrationReader reader,
            RegistrationBodies bodies,
            RouteEffects effects) {
        this.routes = routes;
        this.kvConfig = kvConfig;
        this.config = config;
        this.reader = reader;
        this.bodies = bodies;
        this.effects = effects;
    }

    RemotingCommand registerBroker(RequestContext context, RemotingCommand request, CountingAdmission.Growth growth)
            throws CommandException {
        refuseIfEnded(context);
        Registration registration = reader.read(request, growth);
        refuseIfEnded(context);
        RegisterBrokerResult result = routes.registerBroker(
                registration,
                new ConnectionId(context.connectionId()),
                config.current().routes().deleteTopicWithBrokerRegistration());
        if (result instanceof Registered registered) {
            logTraffic(registration, registered, context);
            warnOfSkippedTopics(registration, context);
            if (registered.first()) {
                noteClampedTimeout(registration, request.fields(), context);
            }
            effects.registered(registered, context.remote());
            return RemotingCommand.success(orderTopicConf()).withExtFields(masterFields(registered));
        }
        if (result instanceof StaleStateVersion stale) {
            warn(
                    "register refused, the id is held by a greater state version: holder="
                            + PeerText.inLog(stale.holder()) + " held=" + stale.held() + " offered=" + stale.offered(),
                    registration,
                    context);
            return RemotingCommand.success(orderTopicConf());
        }
        if (result instanceof LimitReached reached) {
            warn("register refused, " + reached.limit(), registration, context);
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "register broker failed, " + reached.limit());
        }
        warn("register refused, a single topic of an unknown broker", registration, context);
        throw new CommandException(ResponseCode.SYSTEM_ERROR, "register broker failed");
    }

    /** What waits in a connection that has ended is not worth reading; and whoever reads for long looks again. */
    private static void refuseIfEnded(RequestContext context) throws CommandException {
        if (!context.isOpen()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the connection has ended");
        }
    }

    private void warn(String what, Registration registration, RequestContext context) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "{} cluster={} name={} id={} addr={} from={} unlogged={}",
                    what,
                    PeerText.inLog(registration.clusterName()),
                    PeerText.inLog(registration.brokerName()),
                    registration.brokerId(),
                    PeerText.inLog(registration.brokerAddr()),
                    context,
                    leftOut);
        }
    }

    /** A topic that breaks a rule is passed over, so that it does not take its broker offline, but not in silence. */
    private void warnOfSkippedTopics(Registration registration, RequestContext context) {
        int skipped =
                registration.table().size() - registration.table().topics().size();
        if (skipped > 0) {
            String first = registration.table().skipped().stream().findFirst().orElse("");
            warn(
                    "topics skipped, they break a rule: number=" + skipped + " one=" + PeerText.inLog(first),
                    registration,
                    context);
        }
    }

    private static void noteClampedTimeout(Registration registration, ExtFields fields, RequestContext context)
            throws CommandException {
        long asked = fields.longOr("heartbeatTimeoutMillis", registration.timeoutMillis());
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

    private static void logTraffic(Registration registration, Registered result, RequestContext context) {
        if (traffic.isDebugEnabled()) {
            traffic.debug(
                    "register broker cluster={} name={} id={} addr={} topics={} skipped={} edits={} from={}",
                    PeerText.inLog(registration.clusterName()),
                    PeerText.inLog(registration.brokerName()),
                    registration.brokerId(),
                    PeerText.inLog(registration.brokerAddr()),
                    registration.table().topics().size(),
                    registration.table().skipped().size(),
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

    /** Unregisters before it answers: whoever has the answer finds the broker gone. */
    RemotingCommand unregisterBroker(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerIdentity broker = RequestHeaders.BrokerIdentity.from(request.fields());
        effects.departed(
                routes.unregisterBroker(
                        broker.clusterName(),
                        broker.brokerName(),
                        broker.brokerAddr(),
                        new ConnectionId(context.connectionId())),
                context.remote());
        return RemotingCommand.success();
    }

    RemotingCommand brokerHeartbeat(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerHeartbeat broker = RequestHeaders.BrokerHeartbeat.from(request.fields());
        signOfLife(broker.clusterName(), broker.brokerAddr(), context);
        return RemotingCommand.success();
    }

    private SignOfLife signOfLife(String cluster, String addr, RequestContext context) {
        SignOfLife sign = routes.signOfLife(cluster, addr);
        effects.recovered(sign, context.remote());
        return sign;
    }

    RemotingCommand queryDataVersion(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerIdentity broker = RequestHeaders.BrokerIdentity.from(request.fields());
        Optional<DataVersion> asked = askedVersion(request);
        Optional<DataVersion> registered =
                signOfLife(broker.clusterName(), broker.brokerAddr(), context).dataVersion();
        boolean changed = registered.isEmpty() || !registered.equals(asked);
        return RemotingCommand.success(registered.map(JsonBodies::dataVersion).orElseGet(() -> new byte[0]))
                .withExtField("changed", Boolean.toString(changed));
    }

    private Optional<DataVersion> askedVersion(RemotingCommand request) throws CommandException {
        byte[] body = request.bodyBytes();
        try {
            return body.length == 0 ? Optional.empty() : Optional.of(bodies.dataVersion(body));
        } catch (JsonFormatException e) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "data version: " + e.getMessage());
        }
    }

    RemotingCommand getBrokerMemberGroup(RequestContext context, RemotingCommand request) throws CommandException {
        RequestHeaders.BrokerMemberGroup group = RequestHeaders.BrokerMemberGroup.from(request.fields());
        return RemotingCommand.success(
                JsonBodies.memberGroup(routes.brokerMemberGroup(group.clusterName(), group.brokerName())));
    }
}
