package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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

    private final List<Object> events = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    IdleWatchTest() {
        channel.freezeTime();
        channel.pipeline().addLast(new IdleWatch(Duration.ZERO, IDLE)).addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                events.add(event);
            }
        });
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void a_silent_connection_is_idle_at_the_second_look() {
        pass(IDLE);
        assertThat(events).isEmpty();

        pass(IdleWatch.SECOND_LOOK);

        assertThat(events).containsExactly(IdleStateEvent.FIRST_ALL_IDLE_STATE_EVENT);
    }

    @Test
    void one_that_is_heard_before_the_second_look_is_not() {
        pass(IDLE.plusSeconds(30)); // the process did not run
        channel.writeInbound(Unpooled.copyLong(1));
        pass(IdleWatch.SECOND_LOOK);
        assertThat(events).isEmpty();

        pass(IDLE);
        pass(IdleWatch.SECOND_LOOK);

        assertThat(events).hasSize(1);
    }

    @Test
    void one_that_has_ended_meanwhile_is_not() {
        pass(IDLE);
        channel.close().syncUninterruptibly();

        pass(IdleWatch.SECOND_LOOK);

        assertThat(events).isEmpty();
    }
}
