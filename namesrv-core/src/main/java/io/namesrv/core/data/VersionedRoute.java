package io.namesrv.core.data;

import java.util.Optional;

/**
 * A topic's route and its version, both of one moment.
 *
 * @param version rises with each change that could alter the route; below 0 for a topic that no broker has
 * @param route absent if there is nothing to show
 */
public record VersionedRoute(long version, Optional<TopicRouteData> route) {}
