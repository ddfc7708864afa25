package io.namesrv.server.processor;

import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonFormatException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A zlib stream, inflated piece by piece as its numbers and blocks are read: never more is held than the block at hand,
 * and no length is believed before its bytes are there. It ends with a {@link JsonFormatException} where the stream is
 * broken or too short, or where it inflates to more than the given bytes or to more than {@value #RATIO_MAX} times its
 * own size beyond the first MiB; and with a {@link NoRoomException} where there is no room for it now.
 */
final class InflatedBlocks implements AutoCloseable {
    private static final int RATIO_MAX = 200;
    private static final int FREE_OF_RATIO = 1 << 20;
    private static final int PIECE = 16 << 10;

    private final Inflater inflater = new Inflater();
    private final long max;
    private final byte[] piece = new byte[PIECE];
    private int at;
    private int end;
    private final CountingAdmission.Growth growth;
    private long inflated;

    /**
     * Stands at the beginning.
     *
     * @param max most bytes that it may inflate to
     * @param growth charged with them as they come
     */
    InflatedBlocks(byte[] compressed, long max, CountingAdmission.Growth growth) {
        this.growth = growth;
        this.max = Math.min(max, FREE_OF_RATIO + (long) compressed.length * RATIO_MAX);
        inflater.setInput(compressed);
    }

    /** A block with its length before it. */
    byte[] block(int maxLength, String what) {
        int length = count(what);
        if (length > maxLength) {
            throw new JsonFormatException("the " + what + " has more than " + maxLength + " bytes");
        }
        return bytes(length);
    }

    /** A number that counts something, from 0 on. */
    int count(String what) {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = (value << 8) | (next() & 0xFF);
        }
        if (value < 0) {
            throw new JsonFormatException("a negative number of " + what);
        }
        return value;
    }

    /** The next bytes. */
    byte[] bytes(int length) {
        byte[] out = new byte[Math.min(length, PIECE)];
        int filled = 0;
        while (filled < length) {
            if (at == end) {
                fill();
            }
            int some = Math.min(end - at, length - filled);
            if (filled + some > out.length) {
                out = Arrays.copyOf(out, (int) Math.min(length, Math.max(2L * out.length, filled + some)));
            }
            System.arraycopy(piece, at, out, filled, some);
            at += some;
            filled += some;
        }
        return out;
    }

    /** Passes over the next bytes. */
    void pass(int length) {
        for (int left = length; left > 0; ) {
            if (at == end) {
                fill();
            }
            int some = Math.min(end - at, left);
            at += some;
            left -= some;
        }
    }

    /** Ends the stream: whatever is left is passed over, and its checksum has to be right. */
    void end() {
        while (!inflater.finished()) {
            if (inflateSome() == 0 && !inflater.finished()) {
                throw new JsonFormatException("the compressed body ends too early");
            }
        }
    }

    private byte next() {
        if (at == end) {
            fill();
        }
        return piece[at++];
    }

    private void fill() {
        if (inflateSome() == 0) {
            throw new JsonFormatException("the compressed body ends too early");
        }
    }

    private int inflateSome() {
        at = 0;
        try {
            end = inflater.inflate(piece);
        } catch (DataFormatException e) {
            throw new JsonFormatException("the compressed body is broken");
        }
        inflated += end;
        if (inflated > max) {
            throw new JsonFormatException("the body inflates to more than " + max + " bytes (bodyMaxDecompressed)");
        }
        NoRoomException.orTake(growth, end);
        return end;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
