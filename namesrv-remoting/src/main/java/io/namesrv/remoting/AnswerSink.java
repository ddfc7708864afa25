package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RemotingCommand;

/** The way back to the caller of one request. Exactly one of its methods is called, once, by any thread. */
public interface AnswerSink {
    /** Takes the answer, complete and with its body's reference. */
    void answer(RemotingCommand answer);

    /** Takes note that nothing is going to be sent: the request was one-way, or an answer itself. */
    void nothing();
}
