package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes ready answers as frames. All but a few bytes of their headers are the same, and are kept written; the frames are
 * those that a {@link HeaderCodec} would have made. One for each I/O thread.
 */
public final class ReadyFrames {
    private static final int DIGITS_MAX = 11;

    private final int version;

    /** A frame up to its body; what stands before the opaque never changes. */
    private final byte[] jsonHead;

    private final int opaqueAt;
    private final byte[] jsonTail;

    /**
     * Makes a writer.
     *
     * @param version our release number, as answers state it
     */
    public ReadyFrames(int version) {
        this.version = version;
        String before = "{\"code\":0,\"flag\":1,\"language\":\"JAVA\",\"opaque\":";
        this.opaqueAt = FrameHead.PREFIX_BYTES + before.length();
        this.jsonTail = (",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":" + version + "}")
                .getBytes(StandardCharsets.US_ASCII);
        this.jsonHead = new byte[opaqueAt + DIGITS_MAX + jsonTail.length];
        System.arraycopy(
                before.getBytes(StandardCharsets.US_ASCII), 0, jsonHead, FrameHead.PREFIX_BYTES, before.length());
    }

    /** The release that it writes for. */
    public int version() {
        return version;
    }

    /** Bytes that a frame has beside its body, at most, if its answer has no remark. */
    public int headMax() {
        return jsonHead.length;
    }

    /** Appends the frame of an answer to a request of this form and number. */
    public void write(ReadyAnswer answer, SerializeType form, int opaque, ByteBuf out) {
        if (answer.isPlain() && form == SerializeType.JSON) {
            writePlain(answer.body(), opaque, out);
        } else {
            FrameHead.write(answer.command().answering(form, opaque, version), answer.body().length, out);
            out.writeBytes(answer.body());
        }
    }

    private void writePlain(byte[] body, int opaque, ByteBuf out) {
        int end = putDigits(opaque, opaqueAt);
        System.arraycopy(jsonTail, 0, jsonHead, end, jsonTail.length);
        end += jsonTail.length;
        putInt(end - 4 + body.length, 0);
        putInt(SerializeType.JSON.code() << 24 | (end - FrameHead.PREFIX_BYTES), 4);
        out.writeBytes(jsonHead, 0, end).writeBytes(body);
    }

    private void putInt(int value, int at) {
        for (int i = 0; i < 4; i++) {
            jsonHead[at + i] = (byte) (value >>> (24 - 8 * i));
        }
    }

    /** Puts a number where it belongs; gives the place behind it. */
    private int putDigits(int number, int from) {
        int at = from;
        long rest = number;
        if (rest < 0) {
            jsonHead[at++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long power = 10; power <= rest; power *= 10) {
            digits++;
        }
        for (int i = at + digits - 1; i >= at; i--) {
            jsonHead[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }
}
