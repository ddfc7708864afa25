package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.time.Duration;

/**
 * What a server answered, whatever it says.
 *
 * @param command the answer; its body lies on the heap and needs no release
 * @param took from the request's way into the network to the answer, without the making of a connection
 */
public record TimedAnswer(RemotingCommand command, Duration took) {}
