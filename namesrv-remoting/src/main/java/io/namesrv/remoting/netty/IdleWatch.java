package io.namesrv.remoting.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Finds connections over which nothing comes or goes. Before it says so it lets its thread have another look at them: this
 * process may have been stopped for a while, and what the peer sent meanwhile lies in the socket.
 */
final class IdleWatch extends IdleStateHandler {
    /** Enough for a thread to read what is there. */
    static final Duration SECOND_LOOK = Duration.ofMillis(500);

    private boolean heard;

    /**
     * Makes a watch; a time of zero is none.
     *
     * @param drain how long nothing may be taken of what waits to be sent
     * @param idle how long nothing may come or go
     */
    IdleWatch(Duration drain, Duration idle) {
        super(true, 0, drain.toMillis(), idle.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) throws Exception {
        heard = true;
        super.channelRead(ctx, msg);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
        heard = false;
        long waiting = waitingBytes(ctx);
        var unused = ctx.executor()
                .schedule(
                        () -> {
                            boolean taken = waitingBytes(ctx) < waiting;
                            if (ctx.channel().isActive() && !heard && !taken) {
                                ctx.fireUserEventTriggered(event);
                            }
                        },
                        SECOND_LOOK.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static long waitingBytes(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }
}
