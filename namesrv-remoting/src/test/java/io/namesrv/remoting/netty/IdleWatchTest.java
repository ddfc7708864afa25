package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.remoting.protocol.HeaderLimits;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.timeout.IdleStateEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class IdleWatchTest {
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final Duration DRAIN = Duration.ofSeconds(30);

    /** A second look, and what a sweep may be late. */
    private static final Duration SECOND_LOOK = IdleWatch.SECOND_LOOK.plusSeconds(2);

    private final List<Object> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }
    });
    private final IdleWatch watch;
    private final IdleSweep sweep;

    IdleWatchTest() {
        ConnectionLimits limits = new ConnectionLimits(
                0, Duration.ZERO, IDLE, 0, DRAIN, 0, HeaderLimits.DEFAULT, ConnectionLimits.Together.DEFAULT);
        channel.freezeTime();
        watch = new IdleWatch(channel, limits);
        sweep = new IdleSweep(channel.eventLoop(), limits);
        sweep.add(watch);
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    /** The same with the loop running all the while. */
    private void passRunning(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void a_silent_connection_is_idle_at_the_second_look() {
        passRunning(IDLE.minusSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(events).isEmpty();

        passRunning(SECOND_LOOK);

        assertThat(events).containsExactly(IdleStateEvent.FIRST_ALL_IDLE_STATE_EVENT);
    }

    @Test
    void one_that_is_heard_now_and_then_is_not() {
        for (int i = 0; i < 5; i++) {
            passRunning(IDLE.minusSeconds(5));
            watch.heard();
        }

        assertThat(events).isEmpty();
    }

    @Test
    void one_over_which_something_is_sent_now_and_then_is_not() {
        for (int i = 0; i < 5; i++) {
            passRunning(IDLE.minusSeconds(5));
            watch.sent();
        }

        assertThat(events).isEmpty();
    }

    @Test
    void one_that_is_heard_before_the_second_look_is_not() {
        pass(IDLE.plusSeconds(30)); // the process did not run
        watch.heard();
        passRunning(SECOND_LOOK);
        assertThat(events).isEmpty();

        passRunning(IDLE.plus(SECOND_LOOK));

        assertThat(events).isNotEmpty().containsOnly(IdleStateEvent.FIRST_ALL_IDLE_STATE_EVENT);
    }

    @Test
    void one_that_has_ended_meanwhile_is_not() {
        pass(IDLE);
        sweep.remove(watch);

        passRunning(SECOND_LOOK);

        assertThat(events).isEmpty();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void a_peer_that_takes_nothing_of_what_waits_is_found_out_though_it_asks_for_more() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        for (int second = 0; second < 40; second++) {
            waiting.addMessage(Unpooled.buffer(8).writeLong(1), 8, channel.voidPromise());
            watch.heard();
            passRunning(Duration.ofSeconds(1));
        }

        assertThat(events).isNotEmpty().containsOnly(IdleStateEvent.FIRST_WRITER_IDLE_STATE_EVENT);
    }

    @Test
    void a_peer_that_takes_a_little_of_what_waits_now_and_then_is_not_found_out() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        waiting.addMessage(Unpooled.buffer(1_000).writeZero(1_000), 1_000, channel.voidPromise());
        waiting.addFlush();
        for (int i = 0; i < 5; i++) {
            passRunning(DRAIN.minusSeconds(5));
            waiting.progress(10);
        }

        assertThat(events).isEmpty();
    }

    @Test
    void a_peer_for_which_nothing_waited_has_all_its_time_when_something_does() {
        passRunning(DRAIN.plusSeconds(20));
        channel.unsafe().outboundBuffer().addMessage(Unpooled.buffer(8).writeLong(1), 8, channel.voidPromise());

        passRunning(DRAIN.minusSeconds(2));
        assertThat(events).isEmpty();
        passRunning(SECOND_LOOK.plusSeconds(2));

        assertThat(events).containsExactly(IdleStateEvent.FIRST_WRITER_IDLE_STATE_EVENT);
    }

    @Test
    void each_connection_of_a_loop_is_watched_by_itself() {
        List<IdleWatch> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(new IdleWatch(new EmbeddedChannel(), ConnectionLimits.DEFAULT));
            sweep.add(others.get(i));
        }
        sweep.remove(others.get(0));
        sweep.remove(others.get(4));
        sweep.remove(others.get(2));

        passRunning(IDLE.plus(SECOND_LOOK));

        assertThat(events).containsExactly(IdleStateEvent.FIRST_ALL_IDLE_STATE_EVENT);
    }
}
