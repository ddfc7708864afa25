package io.namesrv.remoting.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: a text that is none is an error and never becomes replacement characters. Stateless. */
public final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * The text of {@code length} bytes from {@code offset} on.
     *
     * @throws CharacterCodingException for overlong forms, surrogates, numbers past U+10FFFF and cut sequences
     */
    public static String decode(byte[] bytes, int offset, int length) throws CharacterCodingException {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            // Either the peer sent this very character, or something was replaced: only the decoder knows.
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
        }
        return text;
    }

    /** The text of all the bytes, as {@link #decode(byte[], int, int)}. */
    public static String decode(byte[] bytes) throws CharacterCodingException {
        return decode(bytes, 0, bytes.length);
    }

    /**
     * The number of bytes of the well-formed sequence that begins at {@code at} with a byte of 0x80 or above; 0 when
     * what stands there before {@code end} is none.
     */
    static int sequenceLength(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xFF;
        if (lead >= 0xC2 && lead <= 0xDF) {
            return at + 1 < end && isTail(bytes[at + 1]) ? 2 : 0;
        }
        if (lead >= 0xE0 && lead <= 0xEF) {
            return at + 2 < end && secondFits(lead, bytes[at + 1] & 0xFF) && isTail(bytes[at + 2]) ? 3 : 0;
        }
        if (lead >= 0xF0 && lead <= 0xF4) {
            boolean whole = at + 3 < end && isTail(bytes[at + 2]) && isTail(bytes[at + 3]);
            return whole && secondFits(lead, bytes[at + 1] & 0xFF) ? 4 : 0;
        }
        return 0;
    }

    /** Shuts out overlong forms (E0, F0), surrogates (ED) and what lies past U+10FFFF (F4). */
    private static boolean secondFits(int lead, int second) {
        int from = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int to = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        return second >= from && second <= to;
    }

    private static boolean isTail(byte b) {
        return (b & 0xC0) == 0x80;
    }
}
