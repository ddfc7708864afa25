package io.namesrv.remoting;

import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;

/** Carries out the requests of one code. Called by many threads at once. */
@FunctionalInterface
public interface RequestProcessor {
    /**
     * Carries out one request.
     *
     * @return its answer; opaque, flag, form and version are stamped by the dispatcher, and a one-way request's answer
     *     is dropped there
     * @throws CommandException for a request that is answered with an error code; anything else that is thrown is
     *     logged with its stack and answered with code 1
     */
    RemotingCommand process(RequestContext context, RemotingCommand request) throws CommandException;
}
