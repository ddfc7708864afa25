package io.namesrv.remoting.json;

/** A text that is not the JSON that was expected, or that exceeds a bound. Has no stack trace: peers cause it. */
public final class JsonFormatException extends RuntimeException {
    public JsonFormatException(String message) {
        super(message, null, false, false);
    }
}
