package io.namesrv.remoting.protocol;

import org.jspecify.annotations.Nullable;

/** An answer without fields that is the same for all who ask, whatever form their requests have. Its body is shared. */
public final class ReadyAnswer {
    private static final byte[] NOTHING = new byte[0];

    private final int code;
    private final @Nullable String remark;
    private final byte[] body;

    private ReadyAnswer(int code, @Nullable String remark, byte[] body) {
        this.code = code;
        this.remark = remark;
        this.body = body;
    }

    /** An answer of code 0; the array is used as it is and must not change. */
    public static ReadyAnswer success(byte[] body) {
        return new ReadyAnswer(ResponseCode.SUCCESS, null, body);
    }

    /** An answer that says no, as {@link RemotingCommand#error}. */
    public static ReadyAnswer error(int code, String remark) {
        return new ReadyAnswer(code, remark, NOTHING);
    }

    /** The response code. */
    public int code() {
        return code;
    }

    /** The body, not to be changed. */
    public byte[] body() {
        return body;
    }

    /** Why not, if it says no. */
    @Nullable
    String remark() {
        return remark;
    }

    /** The same as a command, without the number of a request. */
    RemotingCommand command() {
        return remark == null ? RemotingCommand.success(body) : RemotingCommand.error(code, remark);
    }
}
