package io.namesrv.remoting;

import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Tries to answer a request on the I/O thread as soon as its header has been looked at: from a cache, say.
 *
 * <p>It must not block, nor do anything that takes more than a moment: every connection of the thread waits for it.
 */
@FunctionalInterface
public interface QuickAnswer {
    /** The answer, or null to go the long way. The request is of the code that this is for, and wants an answer. */
    @Nullable
    ReadyAnswer find(Connection connection, HeaderScan request);
}
