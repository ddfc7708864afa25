package io.namesrv.server.config;

import io.namesrv.remoting.protocol.PeerText;
import java.util.Optional;

/**
 * One setting: its name, type and range, its default, whether it may change while the daemon runs, and what it means.
 *
 * @param name as in the file; unique
 * @param defaultText the default as it would stand in the file; for a path with {@code ${user.home}} in it
 * @param defaultProperty the system property of Apache's that sets the default, if there is one
 * @param updatable whether request code 318 may change it
 * @param secret whether its value is shown as {@code ***}
 * @param refusal why a value that can be parsed is refused all the same, if there is such a value
 * @param doc one sentence, or a few
 */
record ConfigKey<T>(
        String name,
        ValueType<T> type,
        String defaultText,
        Optional<String> defaultProperty,
        boolean updatable,
        boolean secret,
        Optional<Refusal<T>> refusal,
        String doc) {

    /** What stands for a value that nobody is to read. */
    static final String SECRET_SHOWN = "***";

    /** A value that would ask for something that is not there, and the words for whoever set it. */
    record Refusal<T>(T value, String reason) {}

    /**
     * The value of a text.
     *
     * @throws ConfigException naming key, value and expectation, as in {@code listenPort: 99999 (expected: 0..65535)}
     */
    T parse(String text) throws ConfigException {
        Optional<T> value = type.parser().apply(text);
        if (value.isEmpty()) {
            throw new ConfigException(found(text) + " (expected: " + type.expected() + ")");
        }
        if (refusal.isPresent() && refusal.get().value().equals(value.get())) {
            throw new ConfigException(found(text) + " (" + refusal.get().reason() + ")");
        }
        return value.get();
    }

    private String found(String text) {
        return name + ": " + (secret ? SECRET_SHOWN : PeerText.inLog(text));
    }

    /** The variable that sets this key: {@code listenPort} is {@code NAMESRV_CONF_LISTEN_PORT}. */
    String environmentName() {
        StringBuilder upperSnake = new StringBuilder(ConfigSource.ENVIRONMENT_PREFIX);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                upperSnake.append('_');
            }
            upperSnake.append(Character.toUpperCase(c));
        }
        return upperSnake.toString();
    }
}
