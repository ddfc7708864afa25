package io.namesrv.remoting.json;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Walks one JSON text, value by value, without building a tree: what the caller does not ask for is checked and passed
 * over, so a text costs no more memory than the values taken from it.
 *
 * <pre>{@code
 * cursor.beginObject();
 * while (cursor.nextMember()) {
 *     switch (cursor.name()) {
 *         case "counter" -> counter = cursor.longValue();
 *         default -> cursor.skip();
 *     }
 * }
 * cursor.end();
 * }</pre>
 *
 * <p>It reads RFC 8259 and, beyond it, integers without quotes as names ({@code {0:1}}, as fastjson 1 writes maps with
 * number keys) and control characters inside strings. Everything else is a {@link JsonFormatException}: text that is not
 * UTF-8, nesting beyond the given depth, numbers of more than {@value #MAX_NUMBER_LENGTH} digits or exponents of more
 * than {@value #MAX_EXPONENT_LENGTH}. Of a name that comes twice both members are reported, in order.
 *
 * <p>Not safe for use by several threads.
 */
public final class JsonCursor {
    /** Most characters of a number before its exponent. */
    public static final int MAX_NUMBER_LENGTH = 64;

    /** Most digits of an exponent. */
    public static final int MAX_EXPONENT_LENGTH = 3;

    private final byte[] text;
    private final int end;
    private final int maxDepth;
    private final int maxNumberLength;
    private final int maxExponentLength;
    private int at;
    private int depth;
    /** Whether an object or array was just opened, so that no comma is due. */
    private boolean opened;

    private String name = "";

    public JsonCursor(byte[] text, int maxDepth) {
        this(text, 0, text.length, maxDepth);
    }

    /** Reads {@code length} bytes from {@code offset} on. */
    public JsonCursor(byte[] text, int offset, int length, int maxDepth) {
        this(text, offset, length, maxDepth, MAX_NUMBER_LENGTH, MAX_EXPONENT_LENGTH);
    }

    /** Reads {@code length} bytes from {@code offset} on, with bounds of its own for numbers. */
    public JsonCursor(byte[] text, int offset, int length, int maxDepth, int maxNumberLength, int maxExponentLength) {
        this.text = text;
        this.at = offset;
        this.end = offset + length;
        this.maxDepth = maxDepth;
        this.maxNumberLength = maxNumberLength;
        this.maxExponentLength = maxExponentLength;
    }

    // ---- structure

    /** Enters the object that the cursor stands at. */
    public void beginObject() {
        open('{');
    }

    /**
     * Moves to the next member: {@link #name()} is its name, and the cursor stands at its value, which must be taken or
     * skipped. False if there is none; then the object has been left.
     */
    public boolean nextMember() {
        if (!nextItem('}')) {
            return false;
        }
        name = peek() == '"' ? string() : bareName();
        expect(':');
        return true;
    }

    /** The name of the current member. */
    public String name() {
        return name;
    }

    /** Enters the array that the cursor stands at. */
    public void beginArray() {
        open('[');
    }

    /** Moves to the next element, which must be taken or skipped. False if there is none; then the array has been left. */
    public boolean nextElement() {
        return nextItem(']');
    }

    /** Ends the text: nothing but blanks may be left. */
    public void end() {
        skipBlanks();
        if (at != end) {
            throw malformed("text after the end");
        }
    }

    private void open(char bracket) {
        expect(bracket);
        if (++depth > maxDepth) {
            throw new JsonFormatException("JSON nested deeper than " + maxDepth);
        }
        opened = true;
    }

    private boolean nextItem(char bracket) {
        boolean first = opened;
        opened = false;
        int next = peek();
        if (next == bracket) {
            at++;
            depth--;
            return false;
        }
        if (!first) {
            expect(',');
            skipBlanks();
        }
        return true;
    }

    private String bareName() {
        int from = at;
        if (at < end && text[at] == '-') {
            at++;
        }
        int digits = digits();
        if (digits == 0 || digits > maxNumberLength) {
            throw malformed("a name is expected");
        }
        return latin(from, at);
    }

    // ---- values

    /** Takes a null, if that is what the cursor stands at. */
    public boolean tryNull() {
        if (peek() != 'n') {
            return false;
        }
        word("null");
        return true;
    }

    /** Whether the cursor stands at an object. */
    public boolean atObject() {
        return peek() == '{';
    }

    /** Whether the cursor stands at an array. */
    public boolean atArray() {
        return peek() == '[';
    }

    /** Takes a string. */
    public String string() {
        expect('"');
        int from = at;
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                return latin(from, at++);
            }
            if (b == '\\' || b < 0) {
                return mixedString(from);
            }
            at++;
        }
        throw malformed("a string has no end");
    }

    /** Takes a string, number or boolean as its text, as fastjson reads one where a string belongs. */
    public String stringOrText() {
        int next = peek();
        if (next == '"') {
            return string();
        }
        int from = at;
        scalar(next);
        return latin(from, at);
    }

    /** Takes an integer, also one in quotes, that fits a long. */
    public long longValue() {
        String digits = peek() == '"' ? string() : numberText();
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw malformed("an integer is expected");
        }
    }

    /** Takes an integer, also one in quotes, that fits an int. */
    public int intValue() {
        long value = longValue();
        if (value != (int) value) {
            throw malformed("an integer of 32 bits is expected");
        }
        return (int) value;
    }

    /** Takes a boolean, also one in quotes; a quoted text that is not {@code true} is false. */
    public boolean booleanValue() {
        int next = peek();
        if (next == '"') {
            return string().equalsIgnoreCase("true");
        }
        if (next == 't') {
            word("true");
            return true;
        }
        word("false");
        return false;
    }

    /** Passes over any value, checking it. Does not recurse, so that a text without a bound of depth does no harm. */
    public void skip() {
        if (!atObject() && !atArray()) {
            skipScalar(peek());
            return;
        }
        int outer = depth;
        BitSet objects = new BitSet();
        do {
            boolean ended = depth > outer && (objects.get(depth) ? !nextMember() : !nextElement());
            if (ended) {
                continue;
            }
            int next = peek();
            if (next == '{' || next == '[') {
                open((char) next);
                objects.set(depth, next == '{');
            } else {
                skipScalar(next);
            }
        } while (depth > outer);
    }

    private void skipScalar(int first) {
        if (first == '"') {
            string();
        } else if (first == 'n') {
            word("null");
        } else {
            scalar(first);
        }
    }

    private void scalar(int first) {
        if (first == 't') {
            word("true");
        } else if (first == 'f') {
            word("false");
        } else {
            number();
        }
    }

    private void word(String expected) {
        skipBlanks();
        for (int i = 0; i < expected.length(); i++) {
            if (at >= end || text[at] != expected.charAt(i)) {
                throw malformed("'" + expected + "' is expected");
            }
            at++;
        }
    }

    private String numberText() {
        skipBlanks();
        int from = at;
        number();
        return latin(from, at);
    }

    private void number() {
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
            throw malformed("a number has more than " + maxNumberLength + " digits");
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

    // ---- strings beyond plain ASCII

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

    // ---- bytes

    /** The next byte that is no blank, without taking it; -1 at the end. */
    private int peek() {
        skipBlanks();
        return at < end ? text[at] : -1;
    }

    private void expect(char expected) {
        if (peek() != expected) {
            throw malformed("'" + expected + "' is expected");
        }
        at++;
    }

    private void skipBlanks() {
        while (at < end && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private String latin(int from, int to) {
        return new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private JsonFormatException malformed(String what) {
        return new JsonFormatException("malformed JSON at byte " + at + ": " + what);
    }
}
