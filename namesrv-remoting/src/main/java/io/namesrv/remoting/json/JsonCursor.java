package io.namesrv.remoting.json;

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

    /** What {@link #tryPlainInteger} gives for what is no such integer. */
    public static final long NOT_PLAIN = JsonLexer.NO_SHORT_INTEGER;

    /** Most digits of an exponent. */
    public static final int MAX_EXPONENT_LENGTH = 3;

    private final JsonLexer lexer;
    private final byte[] text;
    private final int maxDepth;
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
        this(new JsonLexer(text, offset, length, maxNumberLength, maxExponentLength, null), text, maxDepth);
    }

    private JsonCursor(JsonLexer lexer, byte[] text, int maxDepth) {
        this.lexer = lexer;
        this.text = text;
        this.maxDepth = maxDepth;
    }

    /** Reads {@code length} bytes from {@code offset} on; member names and {@link #sharedString} come out of a collection. */
    public static JsonCursor sharing(SharedTexts shared, byte[] text, int offset, int length, int maxDepth) {
        return sharing(shared, text, offset, length, maxDepth, MAX_NUMBER_LENGTH);
    }

    /** The same with a bound of its own for numbers. */
    public static JsonCursor sharing(
            SharedTexts shared, byte[] text, int offset, int length, int maxDepth, int maxNumberLength) {
        return new JsonCursor(
                new JsonLexer(text, offset, length, maxNumberLength, MAX_EXPONENT_LENGTH, shared), text, maxDepth);
    }

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
        name = lexer.peek() == '"' ? lexer.sharedString() : lexer.bareName();
        lexer.expect(':');
        return true;
    }

    /** The same where the name is of no account: none is made, and {@link #name} is the former one. */
    public boolean passToMember() {
        if (!nextItem('}')) {
            return false;
        }
        if (lexer.peek() == '"') {
            lexer.passString();
        } else {
            lexer.passBareName();
        }
        lexer.expect(':');
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
        lexer.end();
    }

    private void open(char bracket) {
        lexer.expect(bracket);
        if (++depth > maxDepth) {
            throw new JsonFormatException("JSON nested deeper than " + maxDepth + " (jsonMaxDepth)");
        }
        opened = true;
    }

    private boolean nextItem(char bracket) {
        boolean first = opened;
        opened = false;
        if (lexer.peek() == bracket) {
            lexer.expect(bracket);
            depth--;
            return false;
        }
        if (!first) {
            lexer.expect(',');
        }
        return true;
    }

    /** Takes a null, if that is what the cursor stands at. */
    public boolean tryNull() {
        if (lexer.peek() != 'n') {
            return false;
        }
        lexer.word("null");
        return true;
    }

    /** Whether the cursor stands at an object. */
    public boolean atObject() {
        return lexer.peek() == '{';
    }

    /** Whether the cursor stands at an array. */
    public boolean atArray() {
        return lexer.peek() == '[';
    }

    /** Takes a string. */
    public String string() {
        return lexer.string();
    }

    /** Takes a string that is likely to come again. */
    public String sharedString() {
        return lexer.sharedString();
    }

    /** The text that this walks through; the caller must not change it. */
    public byte[] text() {
        return text;
    }

    /** Where in the text the cursor stands: right behind what it has taken, or passed over to look ahead. */
    public int position() {
        return lexer.position();
    }

    /** Passes over the next value, of which the caller knows that it ends, well-formed, right before this position. */
    public void passTo(int position) {
        lexer.moveTo(position);
    }

    /** Takes a string, number or boolean as its text, as fastjson reads one where a string belongs. */
    public String stringOrText() {
        int next = lexer.peek();
        return next == '"' ? string() : scalar(next);
    }

    /** Takes an integer, also one in quotes, that fits a long. */
    public long longValue() {
        long plain = lexer.shortInteger();
        if (plain != JsonLexer.NO_SHORT_INTEGER) {
            return plain;
        }
        String digits = lexer.peek() == '"' ? string() : lexer.number();
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw lexer.malformed("an integer is expected");
        }
    }

    /** Takes an integer, also one in quotes, that fits an int. */
    public int intValue() {
        long value = longValue();
        if (value != (int) value) {
            throw lexer.malformed("an integer of 32 bits is expected");
        }
        return (int) value;
    }

    /** Takes an integer that stands there plainly, in 18 digits at most; {@link #NOT_PLAIN}, and nothing taken, if it does not. */
    public long tryPlainInteger() {
        return lexer.shortInteger();
    }

    /** Takes a boolean, also one in quotes; a quoted text that is not {@code true} is false. */
    public boolean booleanValue() {
        int next = lexer.peek();
        if (next == '"') {
            return string().equalsIgnoreCase("true");
        }
        if (next == 't') {
            lexer.word("true");
            return true;
        }
        lexer.word("false");
        return false;
    }

    /** Passes over any value, checking it. Does not recurse, so that a text without a bound of depth does no harm. */
    public void skip() {
        if (!atObject() && !atArray()) {
            skipScalar(lexer.peek());
            return;
        }
        int outer = depth;
        BitSet objects = new BitSet();
        do {
            boolean ended = depth > outer && (objects.get(depth) ? !nextMember() : !nextElement());
            if (ended) {
                continue;
            }
            int next = lexer.peek();
            if (next == '{' || next == '[') {
                open((char) next);
                objects.set(depth, next == '{');
            } else {
                skipScalar(next);
            }
        } while (depth > outer);
    }

    private void skipScalar(int first) {
        switch (first) {
            case '"' -> lexer.passString();
            case 'n' -> lexer.word("null");
            case 't' -> lexer.word("true");
            case 'f' -> lexer.word("false");
            default -> lexer.passNumber();
        }
    }

    private String scalar(int first) {
        return switch (first) {
            case 't' -> lexer.word("true");
            case 'f' -> lexer.word("false");
            default -> lexer.number();
        };
    }
}
