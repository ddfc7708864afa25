package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The first look at a header: finds where everything stands, and makes no object of it. It reads what well-meaning
 * peers send, in any order and with any names: numbers, words and plain ASCII texts. For all else (escapes, other
 * characters, fractions, nested values, a field beyond its limit) it says that it does not know, and a {@link
 * HeaderCodec} has to read the header. Where it knows, the codec would read the same; {@code HeaderScanTest} holds them together.
 *
 * <p>One for each I/O thread, used for one header after another.
 */
public final class HeaderScan {
    /** More fields than any request has. */
    private static final int FIELDS_MAX = 32;

    /** Any number of so few digits fits a long. */
    private static final int DIGITS_MAX = 10;

    private static final byte[] CODE = ascii("code");
    private static final byte[] FLAG = ascii("flag");
    private static final byte[] OPAQUE = ascii("opaque");
    private static final byte[] REMARK = ascii("remark");
    private static final byte[] VERSION = ascii("version");
    private static final byte[] LANGUAGE = ascii("language");
    private static final byte[] EXT_FIELDS = ascii("extFields");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] NULL = ascii("null");

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private boolean known;

    /** Whether an object was just opened, so that no comma is due. */
    private boolean opened;

    private HeaderLimits limits = HeaderLimits.DEFAULT;

    private SerializeType type = SerializeType.JSON;
    private int code;
    private int opaque;
    private int flag;
    private int version;
    private int languageCode;
    private int languageFrom;
    private int languageTo;
    private int remarkFrom;
    private int remarkTo;
    private boolean fieldsSeen;
    private int fields;

    /** Of each field: from and to of its name, from and to of its value. */
    private final int[] spans = new int[4 * FIELDS_MAX];

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Looks at a header.
     *
     * @param form of the header
     * @param header begins with it; is looked into until the next call, and must not change
     * @return whether this knows all of it
     */
    public boolean read(SerializeType form, byte[] header, int length, HeaderLimits within) {
        bytes = header;
        at = 0;
        end = length;
        known = true;
        limits = within;
        type = form;
        code = 0;
        opaque = 0;
        flag = 0;
        version = 0;
        languageCode = -1;
        languageFrom = -1;
        remarkFrom = -1;
        fieldsSeen = false;
        fields = 0;
        if (form == SerializeType.JSON) {
            json();
        } else {
            binary();
        }
        return known;
    }

    // ---- what was found

    public SerializeType serializeType() {
        return type;
    }

    public int code() {
        return code;
    }

    public int opaque() {
        return opaque;
    }

    public int flag() {
        return flag;
    }

    public int version() {
        return Math.max(version, 0);
    }

    /** How many fields there are. */
    public int fields() {
        return fields;
    }

    /** Whether the name of a field, counted from 0, is this one, in ASCII. */
    public boolean isName(int field, byte[] name) {
        return is(spans[4 * field], spans[4 * field + 1], name);
    }

    /** The bytes that {@link #valueFrom} and {@link #valueTo} count in, until the next header. */
    public byte[] bytes() {
        return bytes;
    }

    public int valueFrom(int field) {
        return spans[4 * field + 2];
    }

    public int valueTo(int field) {
        return spans[4 * field + 3];
    }

    /** The value of a field. */
    public String value(int field) {
        return text(valueFrom(field), valueTo(field));
    }

    /** The command that this is the header of. */
    public RemotingCommand command(ByteBuf body) {
        FieldCollector collector = new FieldCollector(limits);
        for (int i = 0; i < fields; i++) {
            collector.put(text(spans[4 * i], spans[4 * i + 1]), value(i));
        }
        return RemotingCommand.received(
                type,
                code,
                language(),
                version,
                opaque,
                flag,
                remarkFrom < 0 ? null : text(remarkFrom, remarkTo),
                collector,
                body);
    }

    private LanguageCode language() {
        if (languageFrom >= 0) {
            return LanguageCode.ofName(text(languageFrom, languageTo));
        }
        return languageCode < 0 ? LanguageCode.JAVA : LanguageCode.ofCode(languageCode);
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private boolean is(int from, int to, byte[] text) {
        if (to - from != text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (bytes[from + i] != text[i]) {
                return false;
            }
        }
        return true;
    }

    // ---- JSON

    private void json() {
        known = limits.json().maxDepth() >= 2;
        open();
        while (known && nextMember()) {
            int from = at;
            int to = passString();
            expect(':');
            if (known) {
                member(from + 1, to);
            }
        }
        skipBlanks();
        known &= at == end;
    }

    private void open() {
        expect('{');
        opened = true;
    }

    /** Goes to the name of the next member, if there is one; else leaves the object. */
    private boolean nextMember() {
        int next = peek();
        if (next == '}') {
            at++;
            opened = false;
            return false;
        }
        if (!opened) {
            expect(',');
            next = peek();
        }
        opened = false;
        known &= next == '"';
        return known;
    }

    private void member(int from, int to) {
        switch (to - from) {
            case 4 -> {
                if (is(from, to, CODE)) {
                    code = integer();
                } else if (is(from, to, FLAG)) {
                    flag = integer();
                } else {
                    passScalar();
                }
            }
            case 6 -> {
                if (is(from, to, OPAQUE)) {
                    opaque = integer();
                } else if (is(from, to, REMARK)) {
                    remark();
                } else {
                    passScalar();
                }
            }
            case 7 -> {
                if (is(from, to, VERSION)) {
                    version = integer();
                } else {
                    passScalar();
                }
            }
            case 8 -> {
                if (is(from, to, LANGUAGE)) {
                    languageName();
                } else {
                    passScalar();
                }
            }
            case 9 -> {
                if (is(from, to, EXT_FIELDS)) {
                    extFields();
                } else {
                    passScalar();
                }
            }
            default -> passScalar();
        }
    }

    private void remark() {
        if (peek() == 'n') {
            passWord(NULL);
            remarkFrom = -1;
            return;
        }
        skipBlanks();
        remarkFrom = at + 1;
        remarkTo = passString();
    }

    private void languageName() {
        skipBlanks();
        languageFrom = at + 1;
        languageTo = passString();
        known &= languageTo > languageFrom && bytes[languageFrom] > '9'; // else it may be a number
    }

    private void extFields() {
        known &= !fieldsSeen; // of two the last one counts
        fieldsSeen = true;
        if (peek() == 'n') {
            passWord(NULL);
            return;
        }
        open();
        while (known && nextMember()) {
            int nameFrom = at + 1;
            int nameTo = passString();
            expect(':');
            skipBlanks();
            int valueFrom = at + 1;
            int valueTo = passString();
            field(nameFrom, nameTo, valueFrom, valueTo);
        }
    }

    private void field(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        known &= fields < FIELDS_MAX
                && fields < limits.fieldsMax()
                && nameTo - nameFrom <= limits.fieldNameMax()
                && valueTo - valueFrom <= limits.fieldValueMax();
        if (known) {
            spans[4 * fields] = nameFrom;
            spans[4 * fields + 1] = nameTo;
            spans[4 * fields + 2] = valueFrom;
            spans[4 * fields + 3] = valueTo;
            fields++;
        }
    }

    /** A whole number of 32 bits. */
    private int integer() {
        skipBlanks();
        boolean negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        int from = at;
        long value = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9' && at - from <= DIGITS_MAX) {
            value = value * 10 + bytes[at++] - '0';
        }
        int digits = at - from;
        value = negative ? -value : value;
        known &= digits > 0
                && digits <= DIGITS_MAX
                && digits <= limits.json().maxNumberLength()
                && value == (int) value
                && (at == end || (bytes[at] != '.' && bytes[at] != 'e' && bytes[at] != 'E'));
        return (int) value;
    }

    private void passScalar() {
        switch (peek()) {
            case '"' -> passString();
            case 't' -> passWord(TRUE);
            case 'f' -> passWord(FALSE);
            case 'n' -> passWord(NULL);
            default -> integer();
        }
    }

    /** Passes over a plain string; gives the place of its closing quote. */
    private int passString() {
        expect('"');
        while (at < end) {
            byte b = bytes[at];
            if (b == '"') {
                return at++;
            }
            if (b == '\\' || b < 0) {
                break;
            }
            at++;
        }
        known = false;
        return at;
    }

    private void passWord(byte[] word) {
        known &= end - at >= word.length && is(at, at + word.length, word);
        at += word.length;
    }

    private void expect(char expected) {
        if (peek() == expected) {
            at++;
        } else {
            known = false;
        }
    }

    private int peek() {
        skipBlanks();
        return at < end ? bytes[at] : -1;
    }

    private void skipBlanks() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
    }

    // ---- binary

    private void binary() {
        code = (short) number(2);
        languageCode = number(1) & 0xFF;
        version = (short) number(2);
        opaque = number(4);
        flag = number(4);
        int remark = number(4);
        if (remark != 0) {
            remarkFrom = at;
            remarkTo = passText(remark);
        }
        int block = number(4);
        known &= block == end - at;
        while (known && at < end) {
            int name = number(2);
            int nameFrom = at;
            int nameTo = passText((short) name);
            int value = number(4);
            int valueFrom = at;
            int valueTo = passText(value);
            known &= name != 0 && value != 0; // null stands for the one or the other
            field(nameFrom, nameTo, valueFrom, valueTo);
        }
    }

    private int number(int length) {
        if (!known || end - at < length) {
            known = false;
            return 0;
        }
        int value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | (bytes[at++] & 0xFF);
        }
        return value;
    }

    /** Passes over a text of ASCII; gives its end. */
    private int passText(int length) {
        if (!known || length < 0 || length > end - at) {
            known = false;
            return at;
        }
        int to = at + length;
        while (at < to) {
            known &= bytes[at++] >= 0;
        }
        return at;
    }
}
