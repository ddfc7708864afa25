package io.namesrv.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, and how to stop it, in reverse. One step that fails does not keep the others from stopping;
 * stopping twice is harmless.
 */
final class Lifecycle implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);

    private record Started(String name, AutoCloseable part) {}

    private final Deque<Started> started = new ArrayDeque<>();

    /** Notes that a part runs, and how it is stopped. */
    synchronized void started(String name, AutoCloseable part) {
        started.push(new Started(name, part));
    }

    @Override
    public void close() {
        while (true) {
            Started last;
            synchronized (this) {
                if (started.isEmpty()) {
                    return;
                }
                last = started.pop();
            }
            try {
                last.part().close();
            } catch (Exception failed) {
                log.error("cannot stop {}", last.name(), failed);
            }
        }
    }
}
