package io.namesrv.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A {@link ConfigKey} that is being written down: {@code intKey("listenPort", 9876).in(0, 65535).fixed().doc("...")}.
 * {@link #doc} ends it.
 */
final class KeyDraft<T> {
    private final String name;
    private final String defaultText;
    private final BiFunction<Long, Long, ValueType<T>> bounded;
    private ValueType<T> type;
    private Optional<String> defaultProperty = Optional.empty();
    private boolean updatable;
    private boolean secret;
    private Optional<ConfigKey.Refusal<T>> refusal = Optional.empty();

    private KeyDraft(String name, String defaultText, ValueType<T> type, BiFunction<Long, Long, ValueType<T>> bounded) {
        this.name = name;
        this.defaultText = defaultText;
        this.type = type;
        this.bounded = bounded;
    }

    static KeyDraft<Boolean> boolKey(String name, boolean byDefault) {
        return unbounded(name, Boolean.toString(byDefault), ValueType.BOOL);
    }

    /** A key that takes 0 and up, unless {@link #in} says otherwise. */
    static KeyDraft<Integer> intKey(String name, int byDefault) {
        return new KeyDraft<>(
                name,
                Integer.toString(byDefault),
                ValueType.intIn(0, Integer.MAX_VALUE),
                (min, max) -> ValueType.intIn(Math.toIntExact(min), Math.toIntExact(max)));
    }

    /** A key that takes 0 and up, unless {@link #in} says otherwise. */
    static KeyDraft<Long> longKey(String name, long byDefault) {
        return new KeyDraft<>(
                name,
                Long.toString(byDefault),
                ValueType.longIn(0, Long.MAX_VALUE),
                (min, max) -> ValueType.longIn(min, max));
    }

    static KeyDraft<String> stringKey(String name, String byDefault) {
        return unbounded(name, byDefault, ValueType.textUpTo(1024));
    }

    static KeyDraft<String> pathKey(String name, String byDefault) {
        return unbounded(name, byDefault, ValueType.PATH);
    }

    /** A path, or nothing. */
    static KeyDraft<String> optionalPathKey(String name, String byDefault) {
        return unbounded(name, byDefault, ValueType.OPTIONAL_PATH);
    }

    /** Nets parted by commas, none by default. */
    static KeyDraft<String> netsKey(String name) {
        return unbounded(name, "", ValueType.NETS);
    }

    /** A key that takes one of a few words, in any case; the first is the default. */
    static KeyDraft<String> choiceKey(String name, String first, String... others) {
        List<String> choices = new ArrayList<>(List.of(others));
        choices.add(0, first);
        return unbounded(name, first, ValueType.oneOf(choices));
    }

    private static <T> KeyDraft<T> unbounded(String name, String byDefault, ValueType<T> type) {
        return new KeyDraft<>(name, byDefault, type, (min, max) -> {
            throw new IllegalArgumentException(name + " has no range");
        });
    }

    /** The least and the greatest value that is taken. */
    KeyDraft<T> in(long min, long max) {
        type = bounded.apply(min, max);
        return this;
    }

    /** Read once at start: request code 318 refuses it. */
    KeyDraft<T> fixed() {
        updatable = false;
        return this;
    }

    /** May change at run time: whoever uses it reads it from {@link LiveConfig} each time. */
    KeyDraft<T> updatable() {
        updatable = true;
        return this;
    }

    /** Never shown. */
    KeyDraft<T> secret() {
        secret = true;
        return this;
    }

    /** The system property that sets the default, as with Apache's. */
    KeyDraft<T> defaultFrom(String systemProperty) {
        defaultProperty = Optional.of(systemProperty);
        return this;
    }

    /** A value that ends the start, with the words for whoever set it. */
    KeyDraft<T> refusing(T value, String reason) {
        refusal = Optional.of(new ConfigKey.Refusal<>(value, reason));
        return this;
    }

    /** What the key means; ends the declaration. */
    ConfigKey<T> doc(String doc) {
        return new ConfigKey<>(name, type, defaultText, defaultProperty, updatable, secret, refusal, doc);
    }
}
