package io.namesrv.core.data;

import java.util.Optional;

/**
 * A topic's route and its version, both of one moment.
 *
 * @param version of the topic
 * @param route absent if there is nothing to show
 */
public record VersionedRoute(TopicVersion version, Optional<TopicRouteData> route) {}
