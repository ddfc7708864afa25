package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RemotingCommand;

/** The way back to the caller of one request. Exactly one of {@link #answer} and {@link #nothing} is called, once, by
 * any thread. */
public interface AnswerSink {
    /** Takes the answer, complete and with its body's reference. */
    void answer(RemotingCommand answer);

    /**
     * Takes note that the answer is held back: nothing of the request is kept but the way for the answer. Called once or
     * never, before the others.
     */
    default void held() {}

    /** Takes note that nothing is going to be sent: the request was one-way, or an answer itself. */
    void nothing();
}
