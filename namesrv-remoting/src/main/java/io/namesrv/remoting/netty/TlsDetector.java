package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsMode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.List;

/**
 * Decides on the first byte whether a connection speaks TLS: a handshake begins with 0x16, with which no frame of
 * allowed length does. Gone after that byte; a TLS handler takes its place, or nothing.
 */
final class TlsDetector extends ByteToMessageDecoder {
    private static final byte HANDSHAKE = 0x16;

    private final TlsContexts tls;
    private final Duration deadline;

    TlsDetector(TlsContexts tls, Duration deadline) {
        this.tls = tls;
        this.deadline = deadline;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        boolean handshake = in.getByte(in.readerIndex()) == HANDSHAKE;
        TlsMode refusing = handshake ? TlsMode.DISABLED : TlsMode.ENFORCING;
        if (tls.mode() == refusing) {
            in.skipBytes(in.readableBytes());
            ctx.fireUserEventTriggered(new Condemned(
                    CloseReason.BAD_FRAME,
                    "tls.server.mode is " + tls.mode() + (handshake ? ", TLS came" : ", no TLS came")));
            return;
        }
        if (handshake) {
            SslHandler handler = tls.server().newHandler(ctx.alloc());
            handler.setHandshakeTimeoutMillis(deadline.toMillis());
            ctx.pipeline().addAfter(ctx.name(), "tls", handler);
        }
        ctx.pipeline().remove(this);
    }
}
