package io.namesrv.server.client;

import io.namesrv.remoting.protocol.ResponseCode;
import java.io.IOException;

/** A name server answered with an error code. Carries no stack trace. */
public final class RefusedException extends IOException {
    private final int code;
    private final boolean temporary;

    /**
     * @param temporary whether it is only this server, at this time: another one may be asked
     */
    RefusedException(String server, int code, String remark, boolean temporary) {
        super(server + " refused: " + ResponseCode.name(code) + (remark.isEmpty() ? "" : ", " + remark));
        this.code = code;
        this.temporary = temporary;
    }

    /** The response code. */
    public int code() {
        return code;
    }

    /** Whether the server only cannot answer now: it is busy, about to stop, or not ready yet. */
    public boolean isTemporary() {
        return temporary;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
