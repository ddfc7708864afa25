package io.namesrv.server.config;

/** Settings that can't be used. The message is for an operator: what was found, what was expected, and where. */
public sealed class ConfigException extends Exception permits NoHomeException {
    private final String message;

    ConfigException(String message) {
        super(message);
        this.message = message;
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}
