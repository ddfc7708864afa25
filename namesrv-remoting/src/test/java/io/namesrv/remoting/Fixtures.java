package io.namesrv.remoting;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Peers and the ways back to them, without a network. */
public final class Fixtures {
    private Fixtures() {}

    /** A connection that is open. */
    public static Connection connection(long id) {
        return new FakeConnection(id);
    }

    /** A request in JSON form of an up-to-date caller. */
    static RemotingCommand request(int code) {
        return RemotingCommand.request(code, Map.of()).withOpaque(7).withVersion(479);
    }

    private record FakeConnection(long id) implements Connection {
        @Override
        public InetSocketAddress remoteAddress() {
            return InetSocketAddress.createUnresolved("10.0.0.5", 40122);
        }

        @Override
        public String remote() {
            return "10.0.0.5:40122";
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close(CloseReason reason) {}

        @Override
        public boolean takesAnswers() {
            return true;
        }

        @Override
        public void whenItTakesAnswers(Runnable task) {
            task.run();
        }
    }

    /** Keeps what comes back to the caller of one request. */
    static final class Caller implements AnswerSink {
        final List<RemotingCommand> answers = Collections.synchronizedList(new ArrayList<>());
        volatile int nothings;
        volatile int helds;

        @Override
        public synchronized void answer(RemotingCommand answer) {
            answers.add(answer);
        }

        @Override
        public synchronized void held() {
            helds++;
        }

        @Override
        public synchronized void nothing() {
            nothings++;
        }

        /** How often the request has come to an end; right is 1. */
        synchronized int ends() {
            return answers.size() + nothings;
        }

        RemotingCommand onlyAnswer() {
            if (answers.size() != 1 || nothings != 0) {
                throw new AssertionError(answers + " and " + nothings + " times nothing");
            }
            return answers.get(0);
        }
    }
}
