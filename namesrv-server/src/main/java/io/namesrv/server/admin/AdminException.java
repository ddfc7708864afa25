package io.namesrv.server.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is answered with an error. */
final class AdminException extends Exception {
    private final HttpResponseStatus status;
    private final String code;
    private final String hint;

    /**
     * Makes one.
     *
     * @param code a word for programs, such as {@code topic_not_found}
     * @param hint what to do, for people
     */
    AdminException(HttpResponseStatus status, String code, String message, String hint) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    static AdminException badRequest(String message) {
        return new AdminException(
                HttpResponseStatus.BAD_REQUEST, "bad_request", message, "see docs/admin.md for the parameters");
    }

    static AdminException notFound(String code, String message, String hint) {
        return new AdminException(HttpResponseStatus.NOT_FOUND, code, message, hint);
    }

    HttpResponseStatus status() {
        return status;
    }

    String code() {
        return code;
    }

    String hint() {
        return hint;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
