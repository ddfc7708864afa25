package io.namesrv.core.data;

import java.util.List;
import java.util.Optional;

/**
 * The answer to code 304: what counts as a topic without being one.
 *
 * @param names all cluster names and all broker names, each once, in order
 * @param brokerAddr some broker, which the client asks for its own system topics; absent when none is known
 */
public record SystemTopics(List<String> names, Optional<String> brokerAddr) {}
