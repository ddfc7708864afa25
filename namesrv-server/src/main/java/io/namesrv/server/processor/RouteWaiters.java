package io.namesrv.server.processor;

import io.namesrv.core.Guarded;
import io.namesrv.core.data.RouteChange;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.Lane;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.processor.WaiterIndex.Touched;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The route queries that are held back until their topic's version moves, or their time is up. None costs a thread: one
 * timer ends them all, and what follows from a change is done on a lane, in slices ({@link RouteHandOut}). Whoever changes
 * the tables only looks up whether what it changed is waited for.
 *
 * <p>Nothing is missed: one who waits is put into the index first, and then looked at once more; a change is made first,
 * and then looked up in the index. Methods may be called by any thread.
 */
public final class RouteWaiters implements ConnectionListener, AutoCloseable {
    /** The most characters of a caller's that are kept while it waits. */
    private static final int TEXT_MAX = 1024;

    private final RouteAnswers answers;
    private final Lane lane;
    private final Guarded<WaiterIndex> index;
    private final RouteHandOut handOut;
    private final ScheduledThreadPoolExecutor timer;

    /** What has been changed and is waited for, until somebody gathers those who wait. */
    private final Set<String> movedTopics = ConcurrentHashMap.newKeySet();

    private final Set<String> movedBrokers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean gathering = new AtomicBoolean();

    /**
     * Nobody waits yet, and no thread is there.
     *
     * @param lane where those who waited are answered
     * @param limit how many may wait at a time
     */
    public RouteWaiters(RouteAnswers answers, Lane lane, int limit) {
        this.answers = answers;
        this.lane = lane;
        this.index = new Guarded<>(new WaiterIndex(limit));
        this.handOut = new RouteHandOut(answers, lane, index);
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "namesrv-waits");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Holds a query back whose caller has the current version.
     *
     * @param known that version
     * @param wait for how long at most
     * @return the answer to come; empty if it is to be given at once, since there is no room, or the version has moved
     */
    Optional<HeldAnswer> hold(RouteQuery query, RouteVersion known, Connection connection, Duration wait) {
        if (query.length() > TEXT_MAX) {
            return Optional.empty();
        }
        RouteWaiter waiter = new RouteWaiter(query, known, connection);
        List<String> brokerNames = answers.brokersOf(query.topic());
        boolean added = index.write(i -> i.add(waiter, brokerNames));
        if (!added) {
            return Optional.empty();
        }
        waiter.endsWith(timer.schedule(
                () -> lane.execute(() -> handOut.answerNow(waiter)), wait.toMillis(), TimeUnit.MILLISECONDS));
        boolean late = !answers.version(query.topic()).saysTheSameAs(known) || !connection.isOpen();
        if (late && index.write(i -> i.remove(waiter))) {
            waiter.end();
            return Optional.empty();
        }
        return Optional.of(waiter.answer());
    }

    /** After a step of the tables: those whose topic's version it moved are answered, on the lane. */
    public void changed(RouteChange change) {
        if (change.isEmpty()) {
            return;
        }
        Touched touched = index.read(i -> i.touched(change));
        if (touched.isEmpty()) {
            return;
        }
        movedTopics.addAll(touched.topics());
        movedBrokers.addAll(touched.brokerNames());
        if (gathering.compareAndSet(false, true)) {
            lane.execute(this::gather);
        }
    }

    private void gather() {
        gathering.set(false); // what comes from now on is gathered anew
        Touched touched = new Touched(drain(movedTopics), drain(movedBrokers));
        handOut.look(index.read(i -> i.of(touched)));
    }

    private static Set<String> drain(Set<String> names) {
        Set<String> drained = new HashSet<>();
        for (Iterator<String> each = names.iterator(); each.hasNext(); each.remove()) {
            drained.add(each.next());
        }
        return drained;
    }

    /** After a change of settings: all are answered if it moved all versions. */
    public void settingsChanged(NamesrvConfig before, NamesrvConfig after) {
        if (answers.settingsChanged(before.routes(), after.routes())) {
            lane.execute(() -> handOut.look(index.read(WaiterIndex::all)));
        }
    }

    /** How many wait. */
    public int waiting() {
        return index.read(WaiterIndex::size);
    }

    /** What does not hold of the index, a sentence each: for tests. */
    public List<String> invariantViolations() {
        return index.read(WaiterIndex::violations);
    }

    @Override
    public void opened(Connection connection) {}

    /** Those who wait end with their connection. */
    @Override
    public void closed(Connection connection, CloseReason reason) {
        List<RouteWaiter> gone = index.write(i -> i.removeAllOf(connection.id()));
        if (!gone.isEmpty()) {
            lane.execute(() -> gone.forEach(RouteWaiter::end));
        }
    }

    /** Answers all, on this thread, and holds nobody back any more: the daemon is about to stop. Idempotent. */
    public void answerAll() {
        handOut.answerLast(index.write(WaiterIndex::close));
    }

    /** Ends the timer. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
