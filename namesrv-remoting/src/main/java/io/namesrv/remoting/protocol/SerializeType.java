package io.namesrv.remoting.protocol;

import java.util.Optional;

/** The form of a header, named by the high byte of a frame's second word. */
public enum SerializeType {
    JSON(0),
    ROCKETMQ(1);

    private final byte code;

    SerializeType(int code) {
        this.code = (byte) code;
    }

    /** The number of this form on the wire. */
    public byte code() {
        return code;
    }

    /** The form of a number; empty for any number but 0 and 1, which is a protocol error. */
    public static Optional<SerializeType> ofCode(int code) {
        return switch (code) {
            case 0 -> Optional.of(JSON);
            case 1 -> Optional.of(ROCKETMQ);
            default -> Optional.empty();
        };
    }
}
