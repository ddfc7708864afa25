package io.namesrv.server.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text in the syntax of {@link Properties}: read, written, and changed in place.
 *
 * <p>What is written is ASCII: {@code mqadmin} and Apache's NameServer read properties as ISO 8859-1, and other characters
 * reach them whole only as {@code \}{@code uXXXX}.
 */
final class PropertiesText {
    /** A text that is no properties text: a broken {@code \}{@code uXXXX} is the only way to be none. */
    static final class MalformedException extends Exception {
        MalformedException(String message) {
            super(message);
        }
    }

    private static final Pattern NATURAL_LINE = Pattern.compile("[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+");

    private PropertiesText() {}

    /** The keys and values of a text, in the order of keys; of a key that comes twice the last value. */
    static SortedMap<String, String> parse(String text) throws MalformedException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IllegalArgumentException broken) {
            throw new MalformedException("no properties text: " + broken.getMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        SortedMap<String, String> values = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            values.put(key, properties.getProperty(key));
        }
        return values;
    }

    /** One line that reads back as this key and value, its line end included. */
    static String line(String key, String value) {
        StringBuilder out = new StringBuilder();
        escape(key, true, out);
        out.append('=');
        escape(value, false, out);
        return out.append('\n').toString();
    }

    /** One line for each entry, in the order of the map. */
    static String lines(Map<String, String> values) {
        StringBuilder out = new StringBuilder();
        values.forEach((key, value) -> out.append(line(key, value)));
        return out.toString();
    }

    /**
     * The text with some values changed: the line of a key is replaced where it stands, a key that is not there is
     * appended, and all other lines, comments among them, stay as they are.
     */
    static String edit(String text, Map<String, String> changes) throws MalformedException {
        SortedMap<String, String> open = new TreeMap<>(changes);
        StringBuilder out = new StringBuilder();
        for (String line : logicalLines(text)) {
            SortedMap<String, String> entry = parse(line);
            if (entry.isEmpty() || !changes.containsKey(entry.firstKey())) {
                out.append(line);
                continue;
            }
            String value = open.remove(entry.firstKey());
            // A key that comes twice counts with its last line, so the later ones go.
            if (value != null) {
                out.append(line(entry.firstKey(), value));
            }
        }
        if (!open.isEmpty() && !out.isEmpty() && !endsLine(out)) {
            out.append('\n');
        }
        return out.append(lines(open)).toString();
    }

    /** The lines with their line ends; a line and those it goes on in, by a backslash at its end, are one. */
    private static List<String> logicalLines(String text) throws MalformedException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        Matcher natural = NATURAL_LINE.matcher(text);
        while (natural.find()) {
            boolean begins = line.isEmpty();
            line.append(natural.group());
            if (!goesOn(natural.group(), begins)) {
                lines.add(line.toString());
                line.setLength(0);
            }
        }
        if (!line.isEmpty()) {
            // The text ends where a line was to go on: it would go on in whatever is appended.
            lines.add(lines(parse(line.toString())));
        }
        return lines;
    }

    private static boolean goesOn(String line, boolean begins) {
        String content = line.replaceAll("[\r\n]+$", "");
        String shown = content.replaceAll("^[ \t\f]+", "");
        if (begins && (shown.startsWith("#") || shown.startsWith("!"))) {
            return false;
        }
        int backslashes = 0;
        while (backslashes < content.length() && content.charAt(content.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    private static boolean endsLine(CharSequence text) {
        char last = text.charAt(text.length() - 1);
        return last == '\n' || last == '\r';
    }

    private static void escape(String text, boolean key, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\f' -> out.append("\\f");
                case ' ' -> out.append(key || i == 0 ? "\\ " : " ");
                case '=', ':', '#', '!' -> out.append(key ? "\\" : "").append(c);
                default -> {
                    if (c < ' ' || c > '~') {
                        out.append(String.format("\\u%04X", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
