package io.namesrv.remoting.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: a text that is none is an error and never becomes replacement characters. Stateless. */
final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    private Utf8() {}

    /**
     * The text of {@code length} bytes from {@code offset} on.
     *
     * @throws CharacterCodingException for overlong forms, surrogates, numbers past U+10FFFF and cut sequences
     */
    static String decode(byte[] bytes, int offset, int length) throws CharacterCodingException {
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
}
