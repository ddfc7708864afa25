package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.util.concurrent.CompletableFuture;

/**
 * An answer that is held back until there is something to say, as an {@link AsyncRequestProcessor} gives it for a code
 * that is served in any order. Its caller is owed nothing meanwhile: the request counts neither as pending nor as late, what
 * its frame was charged is given back, and no more of it is kept than its answer needs. How many are held at a time, and
 * that they end with their connections, is for whoever holds them to see to.
 */
public final class HeldAnswer extends CompletableFuture<RemotingCommand> {}
