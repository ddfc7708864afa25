package io.namesrv.remoting.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Short texts that come again and again within what is read, one object each while they are remembered. Of fixed size: a
 * text takes the place of another one that meets it there, so it costs little whatever comes.
 *
 * <p>Not safe for use by several threads.
 */
public final class SharedTexts {
    private static final int SLOTS = 512;
    private static final int LONGEST = 64;

    private static final class Known {
        final byte[] ascii;
        final String text;

        Known(byte[] ascii, String text) {
            this.ascii = ascii;
            this.text = text;
        }
    }

    private final @Nullable Known[] slots = new @Nullable Known[SLOTS];

    /** The text of these bytes, which must be ASCII. */
    String ascii(byte[] source, int from, int to) {
        int slot = slot(source, from, to);
        Known known = slots[slot];
        if (known != null && Arrays.equals(known.ascii, 0, known.ascii.length, source, from, to)) {
            return known.text;
        }
        String text = new String(source, from, to - from, StandardCharsets.ISO_8859_1);
        if (to - from <= LONGEST) {
            slots[slot] = new Known(Arrays.copyOfRange(source, from, to), text);
        }
        return text;
    }

    /** By length, beginning and end: names of brokers differ in their last characters, those of members in their first. */
    private static int slot(byte[] source, int from, int to) {
        int hash = to - from;
        if (to > from) {
            hash = hash * 31 + source[from];
            hash = hash * 31 + source[from + (to - from) / 2];
            hash = hash * 31 + source[to - 1];
            hash = hash * 31 + source[Math.max(from, to - 2)];
            hash = hash * 31 + source[Math.max(from, to - 3)];
        }
        return (hash ^ (hash >>> 9)) & (SLOTS - 1);
    }
}
