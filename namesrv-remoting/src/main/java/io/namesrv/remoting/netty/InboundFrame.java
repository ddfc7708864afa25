package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.RemotingCommand;

/**
 * A whole frame that was read.
 *
 * @param command what it says
 * @param bytes its length, all of it; charged, and to be given back when the command is done with
 */
record InboundFrame(RemotingCommand command, int bytes) {}
