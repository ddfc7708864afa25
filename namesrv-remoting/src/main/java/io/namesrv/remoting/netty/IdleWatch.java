package io.namesrv.remoting.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleStateEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that nothing comes or goes over a connection, or that its peer takes nothing of what waits for it, and says so
 * by an {@link IdleStateEvent}. It is looked at again and again by the {@link IdleSweep} of its event loop, and is told only
 * that something came: nothing is timed, and nothing scheduled, for each request or connection. Confined to the I/O thread.
 *
 * <p>Before it says anything it lets the thread have another look: this process may have been stopped for a while, and what
 * the peer sent meanwhile lies in the socket.
 */
final class IdleWatch {
    /** Enough for a thread to read what is there. */
    static final Duration SECOND_LOOK = Duration.ofMillis(500);

    private static final long NEVER = Long.MIN_VALUE;

    private final Channel channel;
    private final ConnectionLimits limits;
    private boolean heard;
    private boolean sent;

    /** When something came or went last, and when something of what waits was taken last or nothing waited. */
    private long active;

    private long taken;

    /** What waited to be sent, and how much of the first piece of it had been sent. */
    private long waiting;

    private long progress;

    /** When it was found idle first. */
    private long suspected = NEVER;

    /** Place in its sweep; its own business. */
    int place;

    IdleWatch(Channel channel, ConnectionLimits limits) {
        this.channel = channel;
        this.limits = limits;
    }

    /** Something came. */
    void heard() {
        heard = true;
    }

    /** Something went. */
    void sent() {
        sent = true;
    }

    /** From this moment on. */
    void begin(long now) {
        active = now;
        taken = now;
    }

    /** Looks at the connection, at a time of the loop's clock. */
    void look(long now) {
        boolean less = isTaken();
        boolean some = sent || less;
        if (some || waiting == 0) {
            taken = now;
        }
        if (some || heard) {
            active = now;
        }
        heard = false;
        sent = false;
        IdleStateEvent event = event(now);
        if (event == null) {
            suspected = NEVER;
        } else if (suspected == NEVER) {
            suspected = now;
        } else if (now - suspected >= SECOND_LOOK.toNanos()) {
            suspected = NEVER;
            channel.pipeline().fireUserEventTriggered(event);
        }
    }

    /** Whether less waits, or more of the first piece has been sent, than at the last look. */
    private boolean isTaken() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        long waits = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        long sentOfFirst = buffer == null ? 0 : buffer.currentProgress();
        boolean some = waits < waiting || sentOfFirst != progress;
        waiting = waits;
        progress = sentOfFirst;
        return some;
    }

    private @Nullable IdleStateEvent event(long now) {
        if (isOver(limits.idle(), now - active)) {
            return IdleStateEvent.FIRST_ALL_IDLE_STATE_EVENT;
        }
        return waiting > 0 && isOver(limits.drainDeadline(), now - taken)
                ? IdleStateEvent.FIRST_WRITER_IDLE_STATE_EVENT
                : null;
    }

    private static boolean isOver(Duration limit, long nanos) {
        return !limit.isZero() && nanos >= limit.toNanos();
    }
}
