package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.util.Optional;

/**
 * Tries to answer a request on the I/O thread, before it is handed over to its lane: from a cache, say.
 *
 * <p>It must not block, parse or build anything: every connection of the thread waits for it.
 */
@FunctionalInterface
public interface QuickAnswer {
    /** The answer, or empty to go the long way. */
    Optional<RemotingCommand> find(RequestContext context, RemotingCommand request);
}
