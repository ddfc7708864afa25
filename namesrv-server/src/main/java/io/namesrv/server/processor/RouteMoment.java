package io.namesrv.server.processor;

import io.namesrv.core.data.TopicRouteData;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.RouteQuery.Shape;
import java.util.Optional;
import java.util.function.Function;

/**
 * What there is to say of a topic at one moment.
 *
 * @param diffEnabled whether callers that know of versions are told them
 * @param version of the route, the whole of it whatever zone is asked for
 * @param tablesVersion of the tables at that moment
 * @param orderTopicConf empty for none
 */
record RouteMoment(
        String topic,
        boolean diffEnabled,
        RouteVersion version,
        long tablesVersion,
        Optional<TopicRouteData> route,
        String orderTopicConf) {
    /** The rest of the remark of code 17, as in NameServer 5.3.3. */
    private static final String FAQ = "\nSee https://rocketmq.apache.org/docs/bestPractice/06FAQ for further details.";

    private static final String VERSION_FIELD = "routeVersion";

    /** What is said of a topic that has no route. */
    static String notFound(String topic) {
        return "No topic route info in name server for the topic: " + PeerText.inRemark(topic) + FAQ;
    }

    /** Whether the caller knows of versions and is to be told this one. */
    boolean isVersionedFor(RouteQuery query) {
        return diffEnabled && query.known().isPresent();
    }

    /** Whether the caller has this already. */
    boolean isKnownTo(RouteQuery query) {
        return isVersionedFor(query)
                && query.known().filter(version.toString()::equals).isPresent();
    }

    RemotingCommand answer(RouteQuery query) {
        return answer(query, this::body);
    }

    /**
     * The answer.
     *
     * @param bodies gives the body in a shape, if one is needed
     */
    RemotingCommand answer(RouteQuery query, Function<Shape, byte[]> bodies) {
        RemotingCommand answer = unversioned(query, bodies);
        return isVersionedFor(query) ? answer.withExtField(VERSION_FIELD, version.toString()) : answer;
    }

    private RemotingCommand unversioned(RouteQuery query, Function<Shape, byte[]> bodies) {
        if (route.isEmpty()) {
            return RemotingCommand.error(ResponseCode.TOPIC_NOT_EXIST, notFound(topic));
        }
        return isKnownTo(query)
                ? RemotingCommand.success().withExtField("routeUnchanged", "true")
                : RemotingCommand.success(bodies.apply(query.shape()));
    }

    /** The body of a route that is there. */
    byte[] body(Shape shape) {
        TopicRouteData whole = route.orElseThrow();
        TopicRouteData shown =
                shape.zoneName().map(zone -> ZoneFilter.narrow(whole, zone)).orElse(whole);
        return JsonBodies.topicRoute(shown, orderTopicConf, shape.dialect());
    }
}
