package io.namesrv.remoting.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How long the frame may take that a connection is in the middle of. Confined to the connection's I/O thread. */
final class FrameDeadline {
    /** An alarm that comes later than this came late because its thread did not run. */
    private static final long LATE_NANOS = Duration.ofMillis(500).toNanos();

    private final long limitNanos;
    private boolean begun;
    private long beganNanos;
    private @Nullable ScheduledFuture<?> alarm;

    FrameDeadline(Duration limit) {
        this.limitNanos = limit.toNanos();
    }

    /** The frame was read whole; what may follow in the buffer is another one. */
    void frameIsWhole() {
        begun = false;
    }

    /**
     * Looks at what has been read so far.
     *
     * @param unfinished whether there are bytes of a frame that is not whole
     * @param late called on the I/O thread when that frame has taken too long
     */
    void watch(ChannelHandlerContext ctx, boolean unfinished, Consumer<ChannelHandlerContext> late) {
        if (!unfinished) {
            begun = false;
        } else if (!begun) {
            begun = true;
            beganNanos = now(ctx);
            if (alarm == null && limitNanos > 0) {
                schedule(ctx, limitNanos, late);
            }
        }
    }

    void cancel() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    private void schedule(ChannelHandlerContext ctx, long nanos, Consumer<ChannelHandlerContext> late) {
        long due = now(ctx) + nanos;
        alarm = ctx.executor().schedule(() -> look(ctx, due, late), nanos, TimeUnit.NANOSECONDS);
    }

    /** One alarm serves many frames: it looks how old the present one is, and comes back when that might be late. */
    private void look(ChannelHandlerContext ctx, long due, Consumer<ChannelHandlerContext> late) {
        alarm = null;
        if (!begun) {
            return;
        }
        long left = limitNanos - (now(ctx) - beganNanos);
        if (left > 0) {
            schedule(ctx, left, late);
        } else if (ctx.channel().config().isAutoRead() && now(ctx) - due < LATE_NANOS) {
            late.accept(ctx);
        } else {
            // We did not read, or this process did not run: the peer cannot be blamed, it gets its time anew.
            beganNanos = now(ctx);
            schedule(ctx, limitNanos, late);
        }
    }

    private static long now(ChannelHandlerContext ctx) {
        return ctx.executor().ticker().nanoTime();
    }
}
