package io.namesrv.remoting.netty;

import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.ReadyFrames;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The answers to those requests of one burst that can be answered at once: frames in one buffer, one write for all of
 * them. They count as answers that wait like any others from the write on; a peer that does not read gets none here.
 */
final class AnswerBurst implements AtOnce {
    /** No buffer grows much larger. */
    private static final int BYTES_MAX = 64 << 10;

    private final NettyConnection connection;
    private final RequestDispatcher dispatcher;
    private @Nullable ByteBuf frames;
    private int usualBytes;
    private int code;
    private int result;
    private int count;
    private long began;

    AnswerBurst(NettyConnection connection, RequestDispatcher dispatcher) {
        this.connection = connection;
        this.dispatcher = dispatcher;
    }

    @Override
    public boolean answers(HeaderScan request) {
        if (!connection.takesAnswers()) {
            return false;
        }
        ReadyAnswer answer = dispatcher.quick(connection, request);
        if (answer == null || answer.body().length > BYTES_MAX) {
            return false;
        }
        append(answer, request);
        count(request.code(), answer.code());
        return true;
    }

    private void append(ReadyAnswer answer, HeaderScan request) {
        ReadyFrames writer = IoScratch.get().frames(dispatcher.protocolVersion());
        int bytes = writer.headMax() + answer.body().length;
        ByteBuf buffer = frames;
        if (buffer != null && buffer.readableBytes() + bytes > BYTES_MAX) {
            send(buffer);
            buffer = null;
        }
        if (buffer == null) {
            buffer = connection.buffer(Math.max(bytes, usualBytes));
            frames = buffer;
        }
        writer.write(answer, request.serializeType(), request.opaque(), buffer);
    }

    private void count(int requestCode, int resultCode) {
        if (count > 0 && (requestCode != code || resultCode != result)) {
            observe();
        }
        if (count == 0) {
            began = System.nanoTime();
        }
        code = requestCode;
        result = resultCode;
        count++;
    }

    @Override
    public void endOfBurst() {
        ByteBuf buffer = frames;
        if (buffer != null) {
            usualBytes = Math.min(buffer.readableBytes(), BYTES_MAX);
            send(buffer);
        }
        if (count > 0) {
            observe();
        }
    }

    private void send(ByteBuf buffer) {
        frames = null;
        connection.send(buffer);
    }

    private void observe() {
        dispatcher.observer().observedAtOnce(code, result, count, System.nanoTime() - began);
        count = 0;
    }
}
