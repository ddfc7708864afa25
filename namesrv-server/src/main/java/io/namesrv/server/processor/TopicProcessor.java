package io.namesrv.server.processor;

import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.RegisterTopicResult.Done;
import io.namesrv.core.data.RegisterTopicResult.LimitReached;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.processor.RequestHeaders.DeleteTopic;
import io.namesrv.server.route.RouteEffects;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Topic lists and the changes of single topics: 206, 216, 217, 224, 304 and 311 to 313. */
final class TopicProcessor {
    private static final Logger log = LoggerFactory.getLogger(TopicProcessor.class);

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final RouteInfoManager routes;
    private final LiveConfig config;
    private final NameRules rules;
    private final RegistrationBodies bodies;
    private final RouteEffects effects;
    private final BodyOfVersion allTopics;

    TopicProcessor(
            RouteInfoManager routes,
            LiveConfig config,
            NameRules rules,
            RegistrationBodies bodies,
            RouteEffects effects) {
        this.routes = routes;
        this.config = config;
        this.rules = rules;
        this.bodies = bodies;
        this.effects = effects;
        this.allTopics = new BodyOfVersion(routes, () -> JsonBodies.topicList(routes.allTopicList()));
    }

    RemotingCommand getAllTopicList(RequestContext context, RemotingCommand request) throws CommandException {
        refuseUnless(config.current().routes().enableAllTopicList());
        return RemotingCommand.success(allTopics.get());
    }

    RemotingCommand getTopicsByCluster(RequestContext context, RemotingCommand request) throws CommandException {
        String cluster = request.fields().required("cluster");
        return list(config.current().routes().enableTopicList(), () -> routes.topicsByCluster(cluster));
    }

    RemotingCommand getUnitTopicList(RequestContext context, RemotingCommand request) throws CommandException {
        return list(config.current().routes().enableTopicList(), routes::unitTopics);
    }

    RemotingCommand getHasUnitSubTopicList(RequestContext context, RemotingCommand request) throws CommandException {
        return list(config.current().routes().enableTopicList(), routes::hasUnitSubTopicList);
    }

    RemotingCommand getHasUnitSubUnUnitTopicList(RequestContext context, RemotingCommand request)
            throws CommandException {
        return list(config.current().routes().enableTopicList(), routes::hasUnitSubUnUnitTopicList);
    }

    private static RemotingCommand list(boolean enabled, Supplier<List<String>> topics) throws CommandException {
        refuseUnless(enabled);
        return RemotingCommand.success(JsonBodies.topicList(topics.get()));
    }

    private static void refuseUnless(boolean enabled) throws CommandException {
        if (!enabled) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "disable");
        }
    }

    RemotingCommand getSystemTopicList(RequestContext context, RemotingCommand request) {
        return RemotingCommand.success(JsonBodies.systemTopics(routes.systemTopicList()));
    }

    RemotingCommand deleteTopic(RequestContext context, RemotingCommand request) throws CommandException {
        DeleteTopic header = DeleteTopic.from(request.fields());
        ConnectionId from = new ConnectionId(context.connectionId());
        effects.topicDeleted(
                header.topic(),
                header.clusterName()
                        .map(cluster -> routes.deleteTopic(header.topic(), cluster, from))
                        .orElseGet(() -> routes.deleteTopic(header.topic(), from)),
                context.remote());
        return RemotingCommand.success();
    }

    /** As NameServer 5.3.3 it answers success also where nothing is done, because a broker name is unknown. */
    RemotingCommand registerTopic(RequestContext context, RemotingCommand request) throws CommandException {
        String topic = request.fields().required("topic");
        Optional<String> broken = rules.topic(topic);
        if (broken.isPresent()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the custom field <topic> " + broken.get());
        }
        List<QueueData> queues = queues(request.bodyBytes());
        RegisterTopicResult result = routes.registerTopic(topic, queues, new ConnectionId(context.connectionId()));
        if (result instanceof LimitReached reached) {
            warn(topic, reached, context);
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "register topic failed, " + reached.limit());
        }
        effects.changed(((Done) result).change(), context.remote());
        return RemotingCommand.success();
    }

    private void warn(String topic, LimitReached reached, RequestContext context) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "register topic refused, {} topic={} from={} unlogged={}",
                    reached.limit(),
                    PeerText.inLog(topic),
                    context,
                    leftOut);
        }
    }

    private List<QueueData> queues(byte[] body) throws CommandException {
        if (body.length == 0) {
            return List.of();
        }
        List<QueueData> queues;
        try {
            queues = bodies.queuesOfRoute(body);
        } catch (JsonFormatException e) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the body cannot be read: " + e.getMessage());
        }
        for (QueueData queue : queues) {
            Optional<String> broken =
                    rules.queues(queue.readQueueNums(), queue.writeQueueNums(), queue.perm(), queue.topicSysFlag());
            if (broken.isPresent()) {
                throw new CommandException(ResponseCode.SYSTEM_ERROR, "queueDatas: " + broken.get());
            }
        }
        return queues;
    }
}
