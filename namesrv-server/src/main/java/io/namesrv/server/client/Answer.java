package io.namesrv.server.client;

import java.time.Duration;

/**
 * What one server answered.
 *
 * @param server {@code host:port} as it was named
 * @param took from the request's way into the network to the answer, without the making of a connection
 */
public record Answer<T>(String server, T value, Duration took) {}
