package io.namesrv.remoting.protocol;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * A cursor over the bytes of a JSON text that accepts nothing but the grammar of RFC 8259 within {@link JsonBounds}.
 *
 * <p>It never recurses and never allocates by what a text claims. Offsets in its exceptions count from the start of
 * the text.
 */
final class JsonScanner {
    private static final int ESCAPES = 1;
    private static final int NON_ASCII = 2;

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final JsonBounds bounds;
    private final boolean bareNumberKeys;
    private int at;

    private JsonScanner(byte[] bytes, int offset, int length, JsonBounds bounds, boolean bareNumberKeys) {
        this.bytes = bytes;
        this.start = offset;
        this.end = offset + length;
        this.bounds = bounds;
        this.bareNumberKeys = bareNumberKeys;
        this.at = offset;
    }

    static JsonScanner strict(byte[] bytes, JsonBounds bounds) {
        return new JsonScanner(bytes, 0, bytes.length, bounds, false);
    }

    static JsonScanner withBareNumberKeys(byte[] bytes, int offset, int length, JsonBounds bounds) {
        return new JsonScanner(bytes, offset, length, bounds, true);
    }

    /** The first byte of the next token, which stays unread; 0, which begins no token, at the end. */
    byte peek() {
        while (at < end) {
            byte b = bytes[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            at++;
        }
        return 0;
    }

    /** Reads one of the characters that give a text its structure. */
    void expect(char structural) throws MalformedJsonException {
        if (!accept(structural)) {
            throw malformed("expected '" + structural + "'");
        }
    }

    /** Reads the character if it comes next. */
    boolean accept(char structural) {
        if (peek() == structural) {
            at++;
            return true;
        }
        return false;
    }

    /** Reads the end of the text. */
    void end() throws MalformedJsonException {
        peek();
        if (at < end) {
            throw malformed("unexpected text after the end");
        }
    }

    /** Reads a string. A surrogate that was escaped without its other half is kept as it is. */
    String string() throws MalformedJsonException {
        peek();
        int from = at + 1;
        int kinds = passString();
        int to = at - 1;
        if ((kinds & ESCAPES) != 0) {
            return unescape(from, to);
        }
        return new String(
                bytes,
                from,
                to - from,
                (kinds & NON_ASCII) != 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    /** Reads a number and gives its text as it stands. */
    String number() throws MalformedJsonException {
        peek();
        int from = at;
        passNumber();
        return new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
    }

    /** Reads {@code null} if it comes next. */
    boolean acceptNull() throws MalformedJsonException {
        return peek() == 'n' && !word("null").isEmpty();
    }

    /** Reads one of the words {@code true}, {@code false} and {@code null}, and gives it. */
    String word(String word) throws MalformedJsonException {
        for (int i = 0; i < word.length(); i++, at++) {
            if (at >= end || bytes[at] != word.charAt(i)) {
                throw malformed("expected " + word);
            }
        }
        return word;
    }

    /** Reads one value of any kind and forgets it, {@code outerDepth} objects and arrays deep. */
    void skipValue(int outerDepth) throws MalformedJsonException {
        byte first = peek();
        if (first != '{' && first != '[') {
            passScalar(first);
            return;
        }
        BitSet objects = new BitSet();
        int depth = outerDepth;
        while (true) {
            first = peek();
            if (first == '{' || first == '[') {
                at++;
                deeper(++depth);
                objects.set(depth, first == '{');
                if (accept(first == '{' ? '}' : ']')) {
                    depth--;
                } else {
                    passKeyIf(first == '{');
                    continue;
                }
            } else {
                passScalar(first);
            }
            while (depth > outerDepth && !accept(',')) {
                expect(objects.get(depth) ? '}' : ']');
                depth--;
            }
            if (depth == outerDepth) {
                return;
            }
            passKeyIf(objects.get(depth));
        }
    }

    /** Refuses a depth beyond the bound. */
    void deeper(int depth) throws MalformedJsonException {
        if (depth > bounds.maxDepth()) {
            throw malformed("nested deeper than " + bounds.maxDepth());
        }
    }

    MalformedJsonException malformed(String problem) {
        return new MalformedJsonException(problem, at - start);
    }

    private void passScalar(byte first) throws MalformedJsonException {
        switch (first) {
            case '"' -> passString();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> passNumber();
        }
    }

    private void passKeyIf(boolean object) throws MalformedJsonException {
        if (!object) {
            return;
        }
        if (peek() != '"' && bareNumberKeys) {
            accept('-');
            passDigits(bounds.maxNumberLength());
        } else {
            passString();
        }
        expect(':');
    }

    /** Moves behind the closing quote; tells which kinds of characters were passed. */
    private int passString() throws MalformedJsonException {
        expect('"');
        int kinds = 0;
        while (at < end) {
            byte b = bytes[at];
            if (b == '"') {
                at++;
                return kinds;
            } else if (b == '\\') {
                kinds |= ESCAPES;
                passEscape();
            } else if (b < 0) {
                kinds |= NON_ASCII;
                int length = Utf8.sequenceLength(bytes, at, end);
                if (length == 0) {
                    throw malformed("not UTF-8");
                }
                at += length;
            } else if (b < ' ') {
                throw malformed("control character in a string");
            } else {
                at++;
            }
        }
        throw malformed("string without an end");
    }

    private void passEscape() throws MalformedJsonException {
        if (at + 1 < end) {
            byte kind = bytes[at + 1];
            if (kind == 'u' && at + 5 < end && hex(at + 2) >= 0) {
                at += 6;
                return;
            }
            if (simpleEscape(kind) != 0) {
                at += 2;
                return;
            }
        }
        throw malformed("bad escape");
    }

    private String unescape(int from, int to) {
        StringBuilder out = new StringBuilder(to - from);
        int plain = from;
        int i = from;
        while (i < to) {
            if (bytes[i] != '\\') {
                i++;
                continue;
            }
            out.append(new String(bytes, plain, i - plain, StandardCharsets.UTF_8));
            if (bytes[i + 1] == 'u') {
                out.append((char) hex(i + 2));
                i += 6;
            } else {
                out.append(simpleEscape(bytes[i + 1]));
                i += 2;
            }
            plain = i;
        }
        return out.append(new String(bytes, plain, to - plain, StandardCharsets.UTF_8))
                .toString();
    }

    /** What a backslash and this letter stand for; 0 when nothing. */
    private static char simpleEscape(byte letter) {
        return switch (letter) {
            case '"', '\\', '/' -> (char) letter;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> 0;
        };
    }

    /** The number that four hexadecimal digits stand for; -1 when they are none. */
    private int hex(int from) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = bytes[i] < 0 ? -1 : Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private void passNumber() throws MalformedJsonException {
        int room = bounds.maxNumberLength();
        accept('-');
        boolean zero = at < end && bytes[at] == '0';
        int whole = passDigits(room);
        if (zero && whole > 1) {
            throw malformed("number with a leading zero");
        }
        if (at < end && bytes[at] == '.') {
            at++;
            passDigits(room - whole);
        }
        if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            passDigits(bounds.maxExponentDigits());
        }
    }

    /** Moves behind one or more digits, at most {@code room}; tells how many. */
    private int passDigits(int room) throws MalformedJsonException {
        int from = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            if (at - from == room) {
                throw malformed("number with too many digits");
            }
            at++;
        }
        if (at == from) {
            throw malformed("expected a value");
        }
        return at - from;
    }
}
