package io.namesrv.server.client;

import java.time.Duration;
import java.util.Optional;

/**
 * What a client knows of a server.
 *
 * @param server {@code host:port} as it was named
 * @param healthy false from a failure until it is known to answer again
 * @param answerTime its answer time, smoothed; absent if it was not measured since it failed, or at all
 */
public record ServerState(String server, boolean healthy, Optional<Duration> answerTime) {}
