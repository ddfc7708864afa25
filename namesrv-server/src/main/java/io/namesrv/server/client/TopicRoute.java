package io.namesrv.server.client;

import io.namesrv.core.data.TopicRouteData;

/**
 * The route of a topic as it was answered.
 *
 * @param data groups and queues, each in order of broker names
 * @param orderTopicConf the topic's order configuration, empty for none
 */
public record TopicRoute(TopicRouteData data, String orderTopicConf) {}
