package io.namesrv.remoting.protocol;

import java.util.Objects;

/**
 * A request that is answered with an error code and a remark: the peer's mistake, or a refusal.
 *
 * <p>It carries no stack trace, so that refusing costs little. What it quotes of the peer's own text goes through
 * {@link PeerText} first.
 */
public final class CommandException extends Exception {
    private final int code;
    private final String remark;

    /**
     * @param code one of {@link ResponseCode}, not 0
     * @param remark what was found and what was expected, for a person
     */
    public CommandException(int code, String remark) {
        super(remark, null, false, false);
        this.code = code;
        this.remark = Objects.requireNonNull(remark);
    }

    /** The response code, see {@link ResponseCode}. */
    public int code() {
        return code;
    }

    /** The text for the caller. */
    public String remark() {
        return remark;
    }
}
