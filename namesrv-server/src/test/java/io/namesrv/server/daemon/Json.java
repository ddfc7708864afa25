package io.namesrv.server.daemon;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * JSON text in one order: members and elements sorted, no blanks, every token as it was written. So a bare key is another
 * than a quoted one, and an escaped character another than a plain one, while an order that nobody promised is of no
 * account.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static String sorted(String text) {
        Json json = new Json(text);
        String value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw new AssertionError("something follows the JSON: " + text);
        }
        return value;
    }

    private String value() {
        blanks();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            default -> token();
        };
    }

    private String object() {
        TreeMap<String, String> members = new TreeMap<>();
        for (at++; !ends('}'); separator()) {
            blanks();
            String key = token();
            blanks();
            if (text.charAt(at++) != ':') {
                throw new AssertionError("no colon at " + at + " of " + text);
            }
            if (members.put(key, value()) != null) {
                throw new AssertionError("a second " + key + " in " + text);
            }
        }
        List<String> lines = new ArrayList<>();
        members.forEach((key, value) -> lines.add(key + ":" + value));
        return "{" + String.join(",", lines) + "}";
    }

    private String array() {
        List<String> elements = new ArrayList<>();
        for (at++; !ends(']'); separator()) {
            elements.add(value());
        }
        elements.sort(null);
        return "[" + String.join(",", elements) + "]";
    }

    private boolean ends(char bracket) {
        blanks();
        boolean ended = text.charAt(at) == bracket;
        at += ended ? 1 : 0;
        return ended;
    }

    private void separator() {
        blanks();
        at += text.charAt(at) == ',' ? 1 : 0;
    }

    /** A string with its quotes, or a bare word. */
    private String token() {
        int begin = at;
        if (text.charAt(at) == '"') {
            for (at++; text.charAt(at) != '"'; at++) {
                at += text.charAt(at) == '\\' ? 1 : 0;
            }
            at++;
        } else {
            while (at < text.length() && "{}[]:,\" \n\r\t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }
        if (begin == at) {
            throw new AssertionError("a value is expected at " + at + " of " + text);
        }
        return text.substring(begin, at);
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
