package io.namesrv.remoting.json;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The tokens of a JSON text, one after another: what {@link JsonCursor} makes values of. */
final class JsonLexer {
    /** Any integer of so many digits fits a long. */
    private static final int SHORT_DIGITS = 18;

    /** No integer of so few digits. */
    static final long NO_SHORT_INTEGER = Long.MIN_VALUE;

    private final byte[] text;
    private final int end;
    private final int maxNumberLength;
    private final int maxExponentLength;
    private final @Nullable SharedTexts shared;
    private int at;

    JsonLexer(
            byte[] text,
            int offset,
            int length,
            int maxNumberLength,
            int maxExponentLength,
            @Nullable SharedTexts shared) {
        this.text = text;
        this.at = offset;
        this.end = offset + length;
        this.maxNumberLength = maxNumberLength;
        this.maxExponentLength = maxExponentLength;
        this.shared = shared;
    }

    /** Where the next byte stands. */
    int position() {
        return at;
    }

    /** Goes on at a place further on. */
    void moveTo(int position) {
        at = position;
    }

    /** The next byte that is no blank, without taking it; -1 at the end. */
    int peek() {
        skipBlanks();
        return at < end ? text[at] : -1;
    }

    /** Takes the character that comes next. */
    void expect(char expected) {
        if (peek() != expected) {
            throw malformed("'" + expected + "' is expected");
        }
        at++;
    }

    /** Takes the end of the text: nothing but blanks may be left. */
    void end() {
        skipBlanks();
        if (at != end) {
            throw malformed("text after the end");
        }
    }

    /** Takes a word such as {@code true}, and gives it. */
    String word(String expected) {
        skipBlanks();
        for (int i = 0; i < expected.length(); i++) {
            if (at >= end || text[at] != expected.charAt(i)) {
                throw malformed("'" + expected + "' is expected");
            }
            at++;
        }
        return expected;
    }

    /** Takes a number, checks it, and gives its text. */
    String number() {
        skipBlanks();
        int from = at;
        passNumber();
        return latin(from, at);
    }

    /** Takes an integer if it is a plain one of few digits, as most are; {@link #NO_SHORT_INTEGER}, and nothing taken, if not. */
    long shortInteger() {
        skipBlanks();
        int from = at < end && text[at] == '-' ? at + 1 : at;
        int to = from;
        int most = Math.min(SHORT_DIGITS, maxNumberLength);
        long value = 0;
        while (to < end && to - from <= most && text[to] >= '0' && text[to] <= '9') {
            value = value * 10 + text[to++] - '0';
        }
        boolean plain = to > from
                && to - from <= most
                && (to == end || (text[to] != '.' && text[to] != 'e' && text[to] != 'E'));
        if (!plain) {
            return NO_SHORT_INTEGER;
        }
        value = from > at ? -value : value;
        at = to;
        return value;
    }

    /** Takes an integer that stands where a name belongs. */
    String bareName() {
        int from = at;
        passBareName();
        return latin(from, at);
    }

    /** Takes a string. */
    String string() {
        return string(null);
    }

    /** Takes a string that is likely to come again. */
    String sharedString() {
        return string(shared);
    }

    private String string(@Nullable SharedTexts texts) {
        expect('"');
        int from = at;
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                int to = at++;
                return texts == null ? latin(from, to) : texts.ascii(text, from, to);
            }
            if (b == '\\' || b < 0) {
                return mixedString(from);
            }
            at++;
        }
        throw malformed("a string has no end");
    }

    /** Passes over a string, checking it. */
    void passString() {
        expect('"');
        int from = at;
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                at++;
                return;
            }
            if (b == '\\' || b < 0) {
                String unused = mixedString(from);
                return;
            }
            at++;
        }
        throw malformed("a string has no end");
    }

    /** Passes over an integer that stands where a name belongs. */
    void passBareName() {
        if (at < end && text[at] == '-') {
            at++;
        }
        int digits = digits();
        if (digits == 0 || digits > maxNumberLength) {
            throw malformed("a name is expected");
        }
    }

    JsonFormatException malformed(String what) {
        return new JsonFormatException("malformed JSON at byte " + at + ": " + what);
    }

    /** Passes over a number, checking it; no blanks may come before it. */
    void passNumber() {
        if (at < end && text[at] == '-') {
            at++;
        }
        int length = digits();
        if (length == 0) {
            throw malformed("a value is expected");
        }
        if (at < end && text[at] == '.') {
            at++;
            int fraction = digits();
            if (fraction == 0) {
                throw malformed("digits are expected");
            }
            length += fraction;
        }
        if (length > maxNumberLength) {
            throw malformed("a number has more than " + maxNumberLength + " digits (jsonMaxNumberLength)");
        }
        if (at < end && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            if (at < end && (text[at] == '+' || text[at] == '-')) {
                at++;
            }
            int exponent = digits();
            if (exponent == 0 || exponent > maxExponentLength) {
                throw malformed("an exponent of 1 to " + maxExponentLength + " digits is expected");
            }
        }
    }

    private int digits() {
        int from = at;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at - from;
    }

    /** A string with escapes or more than ASCII, whose first bytes up to the cursor are plain. */
    private String mixedString(int from) {
        StringBuilder out = new StringBuilder(Math.max(32, at - from + 16));
        out.append(latin(from, at));
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                at++;
                return out.toString();
            }
            if (b == '\\') {
                out.append(escape());
            } else if (b >= 0) {
                out.append((char) b);
                at++;
            } else {
                out.appendCodePoint(codePoint());
            }
        }
        throw malformed("a string has no end");
    }

    private char escape() {
        at++;
        int kind = at < end ? text[at++] : -1;
        return switch (kind) {
            case '"', '\\', '/' -> (char) kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw malformed("unknown escape");
        };
    }

    private char hex() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < end ? Character.digit(text[at++], 16) : -1;
            if (digit < 0) {
                throw malformed("four hexadecimal digits are expected");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }

    /** Takes one UTF-8 sequence of two to four bytes: shortest form, no surrogates, nothing beyond U+10FFFF. */
    private int codePoint() {
        int lead = text[at] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || at + length > end) {
            throw malformed("not UTF-8");
        }
        int value = lead & (0x7F >> length);
        for (int i = 1; i < length; i++) {
            int b = text[at + i];
            if ((b & 0xC0) != 0x80) {
                throw malformed("not UTF-8");
            }
            value = value << 6 | (b & 0x3F);
        }
        boolean overlong = value < (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000);
        if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
            throw malformed("not UTF-8");
        }
        at += length;
        return value;
    }

    private void skipBlanks() {
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private String latin(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
