package io.namesrv.server.config;

import io.namesrv.remoting.Nets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How the text of a setting becomes a value.
 *
 * @param name the type as the documentation calls it
 * @param range the values that are taken, as the documentation and an error show it; empty if every text is one
 * @param parser the value of a text, or nothing if the text is none
 */
record ValueType<T>(String name, String range, Class<T> javaType, Function<String, Optional<T>> parser) {
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,19}");

    static final ValueType<Boolean> BOOL = new ValueType<>(
            "bool", "true or false", Boolean.class, text -> switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.empty();
            });

    /** The text of a path; {@code ${user.home}} in it stands for the home directory and is gone before it is parsed. */
    static final ValueType<String> PATH = path(text -> text.isBlank() ? Optional.empty() : pathText(text));

    /** The same, or an empty text. */
    static final ValueType<String> OPTIONAL_PATH = path(ValueType::pathText);

    /** Nets parted by commas, or nothing. */
    static final ValueType<String> NETS =
            new ValueType<>("nets", "addresses with or without a prefix, as 10.0.0.0/8", String.class, text -> {
                try {
                    Nets.parse(text);
                    return Optional.of(text.strip());
                } catch (IllegalArgumentException none) {
                    return Optional.empty();
                }
            });

    private static ValueType<String> path(Function<String, Optional<String>> parser) {
        return new ValueType<>("path", "", String.class, parser);
    }

    static ValueType<Integer> intIn(int min, int max) {
        return new ValueType<>(
                "int",
                min + ".." + max,
                Integer.class,
                text -> decimal(text, min, max).map(Long::intValue));
    }

    static ValueType<Long> longIn(long min, long max) {
        return new ValueType<>("long", min + ".." + max, Long.class, text -> decimal(text, min, max));
    }

    /** @param most the most characters */
    static ValueType<String> textUpTo(int most) {
        return new ValueType<>(
                "string",
                "up to " + most + " characters",
                String.class,
                text -> text.length() <= most ? Optional.of(text) : Optional.empty());
    }

    static ValueType<String> oneOf(List<String> choices) {
        return new ValueType<>(
                "string",
                String.join(" or ", choices),
                String.class,
                text -> choices.stream()
                        .filter(choice -> choice.equalsIgnoreCase(text.strip()))
                        .findFirst());
    }

    boolean isPath() {
        return name.equals(PATH.name);
    }

    /** What an error says was expected. */
    String expected() {
        return range.isEmpty() ? "a " + name : range;
    }

    private static Optional<Long> decimal(String text, long min, long max) {
        String digits = text.strip();
        if (!DECIMAL.matcher(digits).matches()) {
            return Optional.empty();
        }
        try {
            long number = Long.parseLong(digits);
            return number >= min && number <= max ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException tooLong) {
            return Optional.empty();
        }
    }

    private static Optional<String> pathText(String text) {
        try {
            return Optional.of(Path.of(text)).map(path -> text);
        } catch (InvalidPathException bad) {
            return Optional.empty();
        }
    }
}
