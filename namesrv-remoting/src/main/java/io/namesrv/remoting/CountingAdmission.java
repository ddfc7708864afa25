package io.namesrv.remoting;

import io.namesrv.remoting.protocol.PeerText;
import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An admission that counts the bytes that all connections together have sent, and those that requests grow to while they
 * are carried out; each up to the limit.
 *
 * <p>Bytes that arrive beyond it end the connection that holds most, so that a broker that registers is not the one who
 * pays for a flood of others. What a request would grow to beyond it has to wait, and ends nobody: what others have grown
 * to is given back in a moment, and nobody can hold it up by sending. Methods may be called by any thread.
 */
public final class CountingAdmission implements Admission {
    private static final Logger log = LoggerFactory.getLogger(CountingAdmission.class);

    private static final AtomicLongFieldUpdater<Held> BYTES = AtomicLongFieldUpdater.newUpdater(Held.class, "bytes");

    private final long limit;
    private final String key;

    /** Bytes that have arrived and were not given back, those of connections that have ended meanwhile too. */
    private final AtomicLong received = new AtomicLong();

    private final AtomicLong grown = new AtomicLong();

    /** Bytes that have arrived since the start. */
    private final LongAdder arrivedSoFar = new LongAdder();

    /** Those of open connections, and of ended ones that still hold something. */
    private final Set<Held> accounts = ConcurrentHashMap.newKeySet();

    /** Who needs least is the first: one that needs nearly all of the room must not hold up the others. */
    private final NavigableSet<Waiter> waiters =
            new ConcurrentSkipListSet<>(Comparator.comparingLong(Waiter::bytes).thenComparingLong(Waiter::number));

    private final AtomicLong lastWaiter = new AtomicLong();
    private final LogLimiter warnings = new LogLimiter(10, Duration.ofSeconds(10));

    private record Waiter(long bytes, long number, CompletableFuture<Boolean> room) {}

    /**
     * An empty one.
     *
     * @param limit the most bytes received, and the most bytes grown, at a time by all connections together; 0 = any
     * @param key the setting that sets the limit, for the log
     */
    public CountingAdmission(long limit, String key) {
        this.limit = limit == 0 ? Long.MAX_VALUE : limit;
        this.key = key;
    }

    /** The bytes that all connections and requests hold now. */
    public long total() {
        return received.get() + grown.get();
    }

    /** The bytes that all connections have sent since the start. */
    public long arrivedSoFar() {
        return arrivedSoFar.sum();
    }

    @Override
    public Account open(Connection connection) {
        Held held = new Held(connection);
        accounts.add(held);
        return held;
    }

    /** The account of one request for what it grows to. */
    public Growth growth() {
        return new Growth();
    }

    /**
     * Waits for others to give back.
     *
     * @param bytes how many are wanted; at most the limit counts
     * @param patience how long
     * @return true once so many were free for a moment and nobody waited for less, false after that time; completed on
     *     any thread
     */
    public CompletableFuture<Boolean> whenFree(long bytes, Duration patience) {
        Waiter waiter = new Waiter(Math.min(bytes, limit), lastWaiter.incrementAndGet(), new CompletableFuture<>());
        waiters.add(waiter);
        CompletableFuture<Boolean> room = waiter.room().whenComplete((free, failure) -> waiters.remove(waiter));
        waiter.room().completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS);
        wake();
        return room;
    }

    /** Lets those go on for whom there is room now, each with its own. */
    private void wake() {
        long free = limit - grown.get();
        for (Waiter least : waiters) {
            if (least.bytes() > free) {
                return;
            }
            if (least.room().complete(true)) {
                free -= least.bytes();
            }
        }
    }

    /** Ends the connection that holds most, unless that is this one; false if it is, and somebody has to go. */
    private synchronized boolean shedAnother(Held mine) {
        long over = received.get() - limit;
        Held most = mine;
        for (Held account : accounts) {
            if (account.closed || !account.connection.isOpen()) {
                over -= account.bytes; // on its way out
            } else if (account.bytes > most.bytes) {
                most = account;
            }
        }
        if (over <= 0) {
            return true;
        }
        if (most == mine) {
            return false;
        }
        Connection connection = most.connection;
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "closing connection {}#{}, it holds most of all bytes that were received: held={} limit={} raise={}"
                            + " unlogged={}",
                    PeerText.inLog(connection.remote()),
                    connection.id(),
                    most.bytes,
                    limit,
                    key,
                    leftOut);
        }
        connection.close(CloseReason.LIMIT);
        return true;
    }

    /** There is one for each connection, most of them idle: the counter is no object of its own. */
    private final class Held implements Account {
        private final Connection connection;
        private volatile long bytes;
        private volatile boolean closed;

        Held(Connection connection) {
            this.connection = connection;
        }

        @Override
        public boolean charge(int arrived) {
            if (received.addAndGet(arrived) > limit && !(arrived <= limit && shedAnother(this))) {
                received.addAndGet(-arrived);
                return false;
            }
            BYTES.addAndGet(this, arrived);
            arrivedSoFar.add(arrived);
            return true;
        }

        @Override
        public void giveBack(int some) {
            received.addAndGet(-some);
            if (BYTES.addAndGet(this, -some) == 0 && closed) {
                accounts.remove(this);
            }
        }

        /** What its requests still hold is on its way out, and known as such, until they have been carried out. */
        @Override
        public void close() {
            closed = true;
            if (bytes == 0) {
                accounts.remove(this);
            }
        }
    }

    /** What one request holds beyond the bytes that it brought. Confined to the thread that carries it out. */
    public final class Growth implements AutoCloseable {
        private long bytes;

        private Growth() {}

        /** Takes more; false, and nothing is taken, if there is no room. */
        public boolean take(int more) {
            if (grown.addAndGet(more) > limit) {
                giveBack(more);
                return false;
            }
            bytes += more;
            return true;
        }

        /** The bytes taken so far. */
        public long bytes() {
            return bytes;
        }

        /** Gives all of them back. */
        @Override
        public void close() {
            giveBack(bytes);
            bytes = 0;
        }

        private void giveBack(long some) {
            grown.addAndGet(-some);
            if (!waiters.isEmpty()) {
                wake();
            }
        }
    }
}
