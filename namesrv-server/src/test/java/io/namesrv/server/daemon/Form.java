package io.namesrv.server.daemon;

/** The two forms of a header. */
enum Form {
    JSON(0),
    ROCKETMQ(1);

    /** The first byte of the head word. */
    final int code;

    Form(int code) {
        this.code = code;
    }

    static Form of(int code) {
        return switch (code) {
            case 0 -> JSON;
            case 1 -> ROCKETMQ;
            default -> throw new AssertionError("form " + code);
        };
    }
}
