package io.namesrv.server.client;

import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;

/** Answers that say no, and which of them only mean: not here, not now. */
final class Refusals {
    /** With code 1, what a 5.x server says of any route for the time after its start that it is told to wait. */
    private static final String NOT_READY = "name server not ready";

    private Refusals() {}

    /** Refuses an answer that says nothing of what was asked. */
    static void throwIfTemporary(String server, int asked, RemotingCommand answer) throws RefusedException {
        int code = answer.code();
        boolean notReady = asked == RequestCode.GET_ROUTEINFO_BY_TOPIC
                && code == ResponseCode.SYSTEM_ERROR
                && answer.remark().orElse("").equals(NOT_READY);
        if (notReady || code == ResponseCode.SYSTEM_BUSY || code == ResponseCode.GO_AWAY) {
            throw refused(server, answer, true);
        }
    }

    /** Refuses every answer but success. */
    static void throwUnlessSuccess(String server, RemotingCommand answer) throws RefusedException {
        if (answer.code() != ResponseCode.SUCCESS) {
            throw refused(server, answer, false);
        }
    }

    private static RefusedException refused(String server, RemotingCommand answer, boolean temporary) {
        return new RefusedException(server, answer.code(), answer.remark().orElse(""), temporary);
    }
}
