package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes ready answers as frames. All but a few bytes of their headers are the same, and are kept written; the frames are
 * those that a {@link HeaderCodec} would have made. One for each I/O thread.
 */
public final class ReadyFrames {
    private static final int DIGITS_MAX = 11;
    private static final byte[] CODE = ascii("{\"code\":");
    private static final byte[] OPAQUE = ascii(",\"flag\":1,\"language\":\"JAVA\",\"opaque\":");
    private static final byte[] REMARK = ascii(",\"remark\":\"");

    /** Of a remark that is written here; each character may become two bytes. */
    private static final int REMARK_MAX = PeerText.WHOLE_REMARK_MAX;

    private final int version;

    /** What stands behind the opaque and the remark. */
    private final byte[] end;

    private final int headMax;

    /** The head of the frame that is being written. */
    private final byte[] head;

    private int at;

    /**
     * Makes a writer.
     *
     * @param version our release number, as answers state it
     */
    public ReadyFrames(int version) {
        this.version = version;
        this.end = ascii(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":" + version + "}");
        this.headMax = FrameHead.PREFIX_BYTES + CODE.length + OPAQUE.length + end.length + 2 * DIGITS_MAX;
        this.head = new byte[headMax + REMARK.length + 2 * REMARK_MAX + 1];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The release that it writes for. */
    public int version() {
        return version;
    }

    /** Bytes that a frame has beside its body, at most, if its answer has no remark. */
    public int headMax() {
        return headMax;
    }

    /** Appends the frame of an answer to a request of this form and number. */
    public void write(ReadyAnswer answer, SerializeType form, int opaque, ByteBuf out) {
        if (form == SerializeType.JSON && putHead(answer, opaque)) {
            putInt(at - 4 + answer.body().length, 0);
            putInt(SerializeType.JSON.code() << 24 | (at - FrameHead.PREFIX_BYTES), 4);
            out.writeBytes(head, 0, at);
        } else {
            FrameHead.write(answer.command().answering(form, opaque, version), answer.body().length, out);
        }
        out.writeBytes(answer.body());
    }

    /** Puts the header where it belongs; false if its remark has to be looked at more closely. */
    private boolean putHead(ReadyAnswer answer, int opaque) {
        at = FrameHead.PREFIX_BYTES;
        put(CODE);
        putDigits(answer.code());
        put(OPAQUE);
        putDigits(opaque);
        String remark = answer.remark();
        if (remark != null) {
            put(REMARK);
            if (!putText(remark)) {
                return false;
            }
            head[at++] = '"';
        }
        put(end);
        return true;
    }

    private void put(byte[] bytes) {
        System.arraycopy(bytes, 0, head, at, bytes.length);
        at += bytes.length;
    }

    /** Puts a text in which nothing but line breaks has to be escaped, which is nearly every one. */
    private boolean putText(String text) {
        if (text.length() > REMARK_MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                head[at++] = '\\';
                head[at++] = 'n';
            } else if (c < ' ' || c >= 0x7F || c == '"' || c == '\\') {
                return false;
            } else {
                head[at++] = (byte) c;
            }
        }
        return true;
    }

    private void putInt(int value, int offset) {
        for (int i = 0; i < 4; i++) {
            head[offset + i] = (byte) (value >>> (24 - 8 * i));
        }
    }

    private void putDigits(int number) {
        long rest = number;
        if (rest < 0) {
            head[at++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long power = 10; power <= rest; power *= 10) {
            digits++;
        }
        for (int i = at + digits - 1; i >= at; i--) {
            head[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at += digits;
    }
}
