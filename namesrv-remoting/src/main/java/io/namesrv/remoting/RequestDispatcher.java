package io.namesrv.remoting;

import io.namesrv.remoting.ProcessorTable.Entry;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands each request to its processor and turns whatever comes of it into exactly one answer, or into none for a
 * one-way request: the one place where errors become codes.
 *
 * <p>An answer has the form and number of its request, the answer bit, and our language and release, on every path: the
 * originals answer some errors in a form of their own. A frame that is an answer itself is dropped without a word; this
 * server asks nobody.
 *
 * <p>{@link #dispatch} is called on the I/O thread, in the order of arrival within a connection, and never blocks.
 */
public final class RequestDispatcher {
    private static final Logger log = LoggerFactory.getLogger(RequestDispatcher.class);

    /** Literally as the originals say it, for a full queue. */
    private static final String OVERLOAD = "[OVERLOAD]system busy, start flow control for a while";

    private static final String TOO_OLD = "[OVERLOAD]system busy, the request waited too long";

    private static final String SHUT = "[OVERLOAD]system busy, requests of this kind are not taken for lack of memory";

    /** 5.3.1: newer callers understand GO_AWAY and turn to another name server. */
    private static final int LAST_VERSION_WITHOUT_GO_AWAY = 475;

    private final ProcessorTable table;
    private final Exchange.Frame frame;
    private volatile boolean goingAway;

    /**
     * @param table who carries out what
     * @param observer told of every request
     * @param protocolVersion our release number as answers state it; 479 is 5.3.3
     */
    public RequestDispatcher(ProcessorTable table, RequestObserver observer, int protocolVersion) {
        this(table, observer, protocolVersion, System::nanoTime);
    }

    RequestDispatcher(ProcessorTable table, RequestObserver observer, int protocolVersion, LongSupplier nanoTime) {
        this.table = table;
        this.frame = new Exchange.Frame(observer, protocolVersion, nanoTime);
    }

    /** The sequence of a new connection. */
    public ConnectionOrder newOrder() {
        return new ConnectionOrder(table.orderedLane());
    }

    /** From now on callers newer than 5.3.1 are told to go away (code 1500), as 5.x does while it shuts down. */
    public void sendAway() {
        goingAway = true;
    }

    /**
     * Takes one request.
     *
     * @param order the sequence of the connection that it came over
     * @param sink told of its end, possibly before this returns
     */
    public void dispatch(RequestContext context, RemotingCommand request, ConnectionOrder order, AnswerSink sink) {
        if (request.isResponse()) {
            sink.nothing();
            return;
        }
        Entry entry = table.find(request.code()).orElse(null);
        String lane = entry == null ? "" : entry.lane().name();
        Exchange exchange = new Exchange(frame, context, request, lane, sink);
        if (request.defect().isPresent()) {
            exchange.fail(request.defect().get());
        } else if (entry == null) {
            exchange.refuse(
                    ResponseCode.REQUEST_CODE_NOT_SUPPORTED, " request type " + request.code() + " not supported");
        } else if (goingAway && request.version() > LAST_VERSION_WITHOUT_GO_AWAY) {
            exchange.refuse(ResponseCode.GO_AWAY, "please go away");
        } else if (entry.lane().isShut()) {
            exchange.refuse(ResponseCode.SYSTEM_BUSY, SHUT);
        } else {
            enqueue(entry, exchange, order);
        }
    }

    /**
     * The answer to a request that can be given at once, on the I/O thread, before anything is made of the request; null if
     * it has to be {@linkplain #dispatch dispatched}. Whoever gives it tells the {@link #observer}.
     */
    public @Nullable ReadyAnswer quick(Connection connection, HeaderScan request) {
        QuickAnswer quick = table.quick(request.code());
        if (quick == null || request.flag() != 0 || (goingAway && request.version() > LAST_VERSION_WITHOUT_GO_AWAY)) {
            return null;
        }
        try {
            return quick.find(connection, request);
        } catch (RuntimeException broken) {
            log.error("quick answer failed code={}", request.code(), broken);
            return null;
        }
    }

    /** Who is told of requests. */
    public RequestObserver observer() {
        return frame.observer();
    }

    /** Our release number, as answers state it. */
    public int protocolVersion() {
        return frame.protocolVersion();
    }

    /** Lets a listener know of the end of a connection, in the connection's own order. */
    public void end(ConnectionOrder order, ConnectionListener listener, Connection connection, CloseReason reason) {
        order.end(() -> {
            try {
                listener.closed(connection, reason);
            } catch (RuntimeException broken) {
                log.error("the end of connection {} could not be handled", connection.remote(), broken);
            }
        });
    }

    private static void enqueue(Entry entry, Exchange exchange, ConnectionOrder order) {
        WaitingCap cap = entry.cap();
        if (cap != null && !cap.enter()) {
            exchange.refuse(ResponseCode.SYSTEM_ERROR, cap.remark());
            return;
        }
        boolean queued = entry.ordered()
                ? order.offer(() -> {
                    leave(cap);
                    return run(entry, exchange);
                })
                : entry.lane().offer(() -> {
                    leave(cap);
                    runWhenAnswerable(entry, exchange);
                });
        if (!queued) {
            leave(cap);
            exchange.refuse(ResponseCode.SYSTEM_BUSY, OVERLOAD);
        }
    }

    private static void leave(@Nullable WaitingCap cap) {
        if (cap != null) {
            cap.leave();
        }
    }

    /**
     * Runs a request whose turn has come, unless the answers before it still wait to be read: then it is put aside, so
     * that a caller who asks faster than it reads costs no answers that lie in memory. It holds no thread meanwhile.
     */
    private static void runWhenAnswerable(Entry entry, Exchange exchange) {
        Connection connection = exchange.context().connection();
        if (exchange.request().isOneway() || connection.takesAnswers()) {
            run(entry, exchange);
            return;
        }
        exchange.begin();
        connection.whenItTakesAnswers(() -> entry.lane().execute(() -> {
            if (!connection.isOpen()) {
                exchange.refuse(ResponseCode.SYSTEM_ERROR, "the connection has ended");
            } else if (connection.takesAnswers()) {
                runNow(entry, exchange);
            } else {
                runWhenAnswerable(entry, exchange);
            }
        }));
    }

    /** Runs a request whose turn has come; gives the stage that its answer is waiting for, if it is. */
    private static Optional<CompletionStage<?>> run(Entry entry, Exchange exchange) {
        if (entry.lane().isTooOld(exchange.begin())) {
            exchange.refuse(ResponseCode.SYSTEM_BUSY, TOO_OLD);
            return Optional.empty();
        }
        if (entry.lane().isShut()) {
            exchange.refuse(ResponseCode.SYSTEM_BUSY, SHUT);
            return Optional.empty();
        }
        return runNow(entry, exchange);
    }

    private static Optional<CompletionStage<?>> runNow(Entry entry, Exchange exchange) {
        try {
            exchange.run();
            if (entry.now() != null) {
                exchange.succeed(entry.now().process(exchange.context(), exchange.request()));
                return Optional.empty();
            }
            CompletionStage<RemotingCommand> answer =
                    Objects.requireNonNull(entry.later()).process(exchange.context(), exchange.request());
            if (answer instanceof HeldAnswer) {
                exchange.hold();
            }
            return Optional.of(answer.whenComplete(exchange::settle));
        } catch (Throwable broken) {
            exchange.fail(broken);
            return Optional.empty();
        }
    }
}
