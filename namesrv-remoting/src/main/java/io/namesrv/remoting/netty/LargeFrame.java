package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A frame that comes in many pieces, such as the registration of a broker with thousands of topics. The pieces of its body
 * are kept as they came, and copied once, when all are here. What fits behind the content of the last piece is copied there:
 * bytes that come one by one do not keep a buffer each.
 */
final class LargeFrame {
    /** Of a body of this many bytes and more. */
    static final int BODY_MIN = 64 << 10;

    private final SerializeType form;
    private final byte[] header;
    private final int bodyLength;
    private final Deque<ByteBuf> pieces = new ArrayDeque<>();
    private int arrived;

    /** One of whose body nothing has arrived. */
    LargeFrame(SerializeType form, byte[] header, int bodyLength) {
        this.form = form;
        this.header = header;
        this.bodyLength = bodyLength;
    }

    SerializeType form() {
        return form;
    }

    byte[] header() {
        return header;
    }

    /**
     * Takes over what arrived as far as it is the body's.
     *
     * @return what is behind it, for the caller to release
     */
    ByteBuf take(ByteBuf in) {
        int missing = bodyLength - arrived;
        if (in.readableBytes() > missing) {
            add(in.readRetainedSlice(missing));
            return in;
        }
        add(in);
        return Unpooled.EMPTY_BUFFER;
    }

    private void add(ByteBuf piece) {
        arrived += piece.readableBytes();
        ByteBuf last = pieces.peekLast();
        boolean fits = last != null
                && piece.readableBytes() <= last.writableBytes()
                && last.refCnt() == 1
                && !last.isReadOnly();
        if (last != null && fits) {
            last.writeBytes(piece);
            piece.release();
        } else {
            pieces.add(piece);
        }
    }

    boolean isWhole() {
        return arrived == bodyLength;
    }

    /** The body of a whole frame; the pieces are let go. */
    byte[] body() {
        byte[] body = new byte[bodyLength];
        int at = 0;
        for (ByteBuf piece : pieces) {
            int bytes = piece.readableBytes();
            piece.readBytes(body, at, bytes);
            at += bytes;
        }
        release();
        return body;
    }

    /** Lets the pieces go. */
    void release() {
        pieces.forEach(ByteBuf::release);
        pieces.clear();
    }
}
