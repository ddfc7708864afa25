package io.namesrv.remoting.protocol;

/** The response codes a name server uses. Plain {@code int}s, since a peer may send any number. */
public final class ResponseCode {
    public static final int SUCCESS = 0;
    /** A handler failed, a registration was refused, a field is missing, a list is disabled. */
    public static final int SYSTEM_ERROR = 1;
    /** A queue is full, a request waited too long, or a reserve is used up: try again. */
    public static final int SYSTEM_BUSY = 2;
    /** Nobody serves this request code here. */
    public static final int REQUEST_CODE_NOT_SUPPORTED = 3;
    /** A protected setting, or a caller that may not. */
    public static final int NO_PERMISSION = 16;
    /** No route for the topic: what makes a producer fall back to the default topic. */
    public static final int TOPIC_NOT_EXIST = 17;
    /** No such KV entry or namespace. */
    public static final int QUERY_NOT_FOUND = 22;
    /** The server is about to stop; only for callers newer than 5.3.1. */
    public static final int GO_AWAY = 1500;

    private ResponseCode() {}

    /** The name of a code for logs and metrics; the number itself for a code without one. */
    public static String name(int code) {
        return switch (code) {
            case SUCCESS -> "SUCCESS";
            case SYSTEM_ERROR -> "SYSTEM_ERROR";
            case SYSTEM_BUSY -> "SYSTEM_BUSY";
            case REQUEST_CODE_NOT_SUPPORTED -> "REQUEST_CODE_NOT_SUPPORTED";
            case NO_PERMISSION -> "NO_PERMISSION";
            case TOPIC_NOT_EXIST -> "TOPIC_NOT_EXIST";
            case QUERY_NOT_FOUND -> "QUERY_NOT_FOUND";
            case GO_AWAY -> "GO_AWAY";
            default -> Integer.toString(code);
        };
    }
}
