package io.namesrv.remoting;

import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import java.util.concurrent.CompletionStage;

/** Carries out the requests of one code and answers later, holding no thread meanwhile. */
@FunctionalInterface
public interface AsyncRequestProcessor {
    /**
     * Begins to carry out one request.
     *
     * @return the answer to come, to be completed on any thread, exceptionally with a {@link CommandException} for an
     *     error code; a stage that never completes leaves the caller without an answer
     * @throws CommandException for a request that is refused at once
     */
    CompletionStage<RemotingCommand> process(RequestContext context, RemotingCommand request) throws CommandException;
}
