package io.namesrv.server.client;

import java.util.Optional;

/** What a name server says of a topic's route. */
public sealed interface RouteAnswer {
    /** The server that says it. */
    String server();

    /**
     * What to ask with the next time. Absent if none was asked for, or if the server knows no versions, as Apache's: such a
     * one answers at once, however long it was asked to wait, so that the caller must pause by itself.
     */
    Optional<RouteVersion> version();

    /** There is a route, and it is another one than the caller has. */
    record Found(String server, TopicRoute route, Optional<RouteVersion> version) implements RouteAnswer {}

    /** The route is the one that the caller has the version of. */
    record Unchanged(String server, Optional<RouteVersion> version) implements RouteAnswer {}

    /** Nobody has the topic, or nobody any more. */
    record NoRoute(String server, Optional<RouteVersion> version) implements RouteAnswer {}
}
