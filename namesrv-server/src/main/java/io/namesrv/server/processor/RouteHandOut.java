package io.namesrv.server.processor;

import io.namesrv.core.Guarded;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.RouteQuery.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers those who waited, in slices between which the lane does other work. Their bodies are made once and shared by all
 * who get the same. A connection that does not take the answers before it has its own put aside, as for any request.
 */
final class RouteHandOut {
    private static final int SLICE = 256;

    /** Bodies kept of one moment; more zones than that are not asked for but to do harm. */
    private static final int SHAPES_MAX = 16;

    /** What there is to say of a topic, with the bodies that were made so far. */
    private record Shared(RouteMoment moment, Map<Shape, byte[]> bodies) {
        RemotingCommand answer(RouteWaiter waiter) {
            return moment.answer(waiter.query(), this::body);
        }

        private byte[] body(Shape shape) {
            return bodies.containsKey(shape) || bodies.size() < SHAPES_MAX
                    ? bodies.computeIfAbsent(shape, moment::body)
                    : moment.body(shape);
        }
    }

    private final RouteAnswers answers;
    private final Lane lane;
    private final Guarded<WaiterIndex> index;
    private final Queue<RouteWaiter> due = new ConcurrentLinkedQueue<>();

    /** The last one that was asked for: those who wait for one topic come side by side. */
    private volatile @Nullable Shared latest;

    RouteHandOut(RouteAnswers answers, Lane lane, Guarded<WaiterIndex> index) {
        this.answers = answers;
        this.lane = lane;
        this.index = index;
    }

    /** Looks at these soon, and answers those whose version has moved. */
    void look(List<RouteWaiter> waiters) {
        int added = 0;
        for (RouteWaiter waiter : waiters) {
            if (waiter.due.compareAndSet(false, true)) {
                due.add(waiter);
                added++;
            }
        }
        for (int left = added; left > 0; left -= SLICE) {
            lane.execute(this::slice);
        }
    }

    private void slice() {
        List<RouteWaiter> slice = new ArrayList<>(SLICE);
        RouteWaiter next;
        while (slice.size() < SLICE && (next = due.poll()) != null) {
            next.due.set(false); // a change from now on queues it anew; those before are seen below
            slice.add(next);
        }
        Shared now = null;
        for (RouteWaiter waiter : slice) {
            if (now == null || !now.moment().topic().equals(waiter.topic())) {
                now = now(waiter.topic());
            }
            if (!now.moment().version().saysTheSameAs(waiter.known())) {
                answer(waiter, now);
            }
        }
    }

    /** Answers one, whether its version has moved or its time is up. */
    void answerNow(RouteWaiter waiter) {
        if (!waiter.isAnswered()) {
            answer(waiter, now(waiter.topic()));
        }
    }

    /** Answers these, which are in the index no more, whether their connections take it or not. */
    void answerLast(List<RouteWaiter> waiters) {
        for (RouteWaiter waiter : waiters) {
            Shared now = now(waiter.topic());
            waiter.finish(() -> now.answer(waiter));
        }
    }

    private void answer(RouteWaiter waiter, Shared now) {
        Connection connection = waiter.connection();
        if (connection.isOpen() && !connection.takesAnswers()) {
            putAside(waiter);
        } else if (index.write(i -> i.remove(waiter))) {
            waiter.finish(() -> now.answer(waiter));
        }
    }

    /** It goes on waiting, and is told what holds when its connection takes answers. */
    private void putAside(RouteWaiter waiter) {
        if (waiter.aside.compareAndSet(false, true)) {
            waiter.connection()
                    .whenItTakesAnswers(() -> lane.execute(() -> {
                        waiter.aside.set(false);
                        answerNow(waiter);
                    }));
        }
    }

    private Shared now(String topic) {
        Shared last = latest;
        if (last != null
                && last.moment().topic().equals(topic)
                && last.moment().version().equals(answers.version(topic))) {
            return last;
        }
        Shared now = new Shared(answers.now(topic), new ConcurrentHashMap<>());
        latest = now;
        return now;
    }
}
