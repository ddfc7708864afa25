package io.namesrv.server.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks a name server for the route of the topic, fifty times a second, and keeps the longest time during which a producer
 * could not have sent anything by its answers. Silence counts like an answer without a route.
 */
final class RouteWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final RawQuery QUERY = RawQuery.route(Clusters.TOPIC);

    private final Dial dial;
    private final Thread thread = new Thread(this::watch, "route-watch");
    private volatile Route last = Route.NO_ANSWER;
    private volatile boolean over;
    private @Nullable Socket connection;
    private volatile long longestNanos;
    private final AtomicInteger connections = new AtomicInteger();

    private RouteWatch(Dial dial) {
        this.dial = dial;
    }

    static RouteWatch start(NamesrvProcess namesrv) {
        RouteWatch watch = new RouteWatch(namesrv.dial());
        watch.last = watch.ask();
        watch.thread.start();
        return watch;
    }

    /** Waits until an answer is like this; returns how long that took. */
    Duration until(String what, Duration limit, Predicate<Route> condition) throws InterruptedException {
        return within(limit, condition)
                .orElseThrow(() -> new AssertionError("not within " + limit + ": " + what + "; the route is " + last));
    }

    /** The same, with nothing returned at the end of the time. */
    Optional<Duration> within(Duration limit, Predicate<Route> condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.test(last)) {
            if (System.nanoTime() - start > limit.toNanos()) {
                return Optional.empty();
            }
            Thread.sleep(PAUSE.toMillis());
        }
        return Optional.of(Duration.ofNanos(System.nanoTime() - start));
    }

    Route route() {
        return last;
    }

    /** The longest time without a route that a producer could use, so far. */
    Duration longestWithoutRoute() {
        return Duration.ofNanos(longestNanos);
    }

    /** How many it has used; one, unless the name server closed it or was away. */
    int connections() {
        return connections.get();
    }

    private void watch() {
        long usable = System.nanoTime();
        while (!over) {
            Route route = ask();
            last = route;
            long now = System.nanoTime();
            if (route.isWritable()) {
                usable = now;
            } else {
                longestNanos = Math.max(longestNanos, now - usable);
            }
            try {
                Thread.sleep(PAUSE.toMillis());
            } catch (InterruptedException e) {
                break;
            }
        }
        disconnect();
    }

    /** Over the same connection as long as it holds. */
    private Route ask() {
        try {
            if (connection == null) {
                connection = dial.connect();
                connections.incrementAndGet();
            }
            return Route.of(QUERY.ask(connection));
        } catch (IOException down) {
            disconnect();
            return Route.NO_ANSWER;
        }
    }

    private void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            connection = null;
        }
    }

    @Override
    public void close() {
        over = true;
        thread.interrupt();
    }
}
