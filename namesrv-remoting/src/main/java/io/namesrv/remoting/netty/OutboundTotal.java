package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.LogLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of answers that wait to be sent, of all connections together. Beyond the limit those connections are closed
 * that have most of them, until it is kept. For any thread.
 */
final class OutboundTotal {
    private static final Logger log = LoggerFactory.getLogger(RemotingServer.class);

    private final long max;
    private final Collection<NettyConnection> open;
    private final AtomicLong total = new AtomicLong();
    private final LongAdder sent = new LongAdder();
    private final LogLimiter warnings = new LogLimiter(10, Duration.ofSeconds(10));

    /**
     * Nothing waits.
     *
     * @param open the connections that are open: a view that changes with them
     */
    OutboundTotal(long max, Collection<NettyConnection> open) {
        this.max = max;
        this.open = open;
    }

    /** The bytes that wait now. */
    long bytes() {
        return total.get();
    }

    void add(long bytes) {
        if (total.addAndGet(bytes) > max) {
            shed();
        }
    }

    void remove(long bytes) {
        total.addAndGet(-bytes);
        sent.add(bytes);
    }

    /** The bytes that waited once and do so no more. */
    long sentSoFar() {
        return sent.sum();
    }

    /** A connection and the answers that waited for it when it was asked; the number goes on changing. */
    private record Waiting(NettyConnection connection, long bytes) {}

    private synchronized void shed() {
        long over = total.get() - max;
        List<Waiting> waiting = new ArrayList<>();
        for (NettyConnection connection : open) {
            long bytes = connection.outbound();
            if (!connection.isOpen()) {
                over -= bytes; // on its way out
            } else if (bytes > 0) {
                waiting.add(new Waiting(connection, bytes));
            }
        }
        waiting.sort(Comparator.comparingLong(Waiting::bytes).reversed());
        for (int i = 0; over > 0 && i < waiting.size(); i++) {
            Waiting most = waiting.get(i);
            over -= most.bytes();
            warn(most);
            most.connection().close(CloseReason.SLOW_READER);
        }
    }

    private void warn(Waiting most) {
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "closing connection {}, most of all answers wait for it: bytes={} limit={} raise=outboundTotalMax"
                            + " unlogged={}",
                    most.connection(),
                    most.bytes(),
                    max,
                    leftOut);
        }
    }
}
