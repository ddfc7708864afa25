package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.ProcessorTable;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.RemotingCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a free port with a few codes, and what its listener was told. */
final class TestServer implements AutoCloseable {
    /** Answered at once, on the I/O thread. */
    static final int ECHO = 1;
    /** Answered with a large body. */
    static final int LARGE = 2;
    /** Answered when the test says so. */
    static final int HELD = 3;
    /** Noted in the order of the connection. */
    static final int ORDERED = 4;

    /** Answered with a body beyond every water mark. */
    static final int HUGE = 5;

    /** Answered with a large body in the order of the connection, whether answers are taken or not. */
    static final int ORDERED_LARGE = 6;

    /** Held back until the test says so. */
    static final int WAITING = 7;

    static final int LARGE_BYTES = 300_000;
    static final int HUGE_BYTES = 10_000_000;

    /** What a peer does not read waits here and not in the system, which takes now more and now less. */
    static final SocketOptions SMALL_SEND_BUFFER = smallSendBuffer(SocketOptions.DEFAULT);

    /** Large answers made so far. */
    final AtomicInteger largeMade = new AtomicInteger();

    final List<String> events = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<RemotingCommand>> held = new CopyOnWriteArrayList<>();
    final CountingAdmission admission = new CountingAdmission(0, "registrationInFlightMax");
    final Lane lane = Lane.pooled("liveness", 2, 10_000, Duration.ZERO);
    final RemotingServer server;
    final InetSocketAddress address;

    TestServer() throws IOException {
        this(ConnectionLimits.DEFAULT);
    }

    TestServer(ConnectionLimits limits) throws IOException {
        this(SMALL_SEND_BUFFER, limits);
    }

    TestServer(SocketOptions options, ConnectionLimits limits) throws IOException {
        this(options, Entrance.PLAIN, limits);
    }

    TestServer(SocketOptions options, Entrance entrance, ConnectionLimits limits) throws IOException {
        RequestDispatcher dispatcher = new RequestDispatcher(table(), RequestObserver.NONE, 479);
        server = new RemotingServer(
                options.listeningOn("127.0.0.1", 0), entrance, limits, dispatcher, new Events(), admission);
        address = server.start();
    }

    private static SocketOptions smallSendBuffer(SocketOptions usual) {
        return new SocketOptions(
                usual.bindAddress(),
                usual.port(),
                usual.backlog(),
                usual.selectorThreads(),
                usual.nativeTransport(),
                64 << 10,
                usual.receiveBuffer(),
                usual.highWaterMark(),
                usual.lowWaterMark(),
                usual.pooledBuffers());
    }

    static ConnectionLimits limits(Duration idle, int pendingMax, Duration drain) {
        return new ConnectionLimits(
                1 << 24,
                Duration.ofSeconds(30),
                idle,
                pendingMax,
                drain,
                8 << 20,
                HeaderLimits.DEFAULT,
                ConnectionLimits.Together.DEFAULT);
    }

    /** The usual limits for one connection, with others for all together. */
    static ConnectionLimits limits(int outboundMax, ConnectionLimits.Together together) {
        ConnectionLimits usual = ConnectionLimits.DEFAULT;
        return new ConnectionLimits(
                usual.frameMaxLength(),
                usual.frameDeadline(),
                usual.idle(),
                usual.pendingMax(),
                usual.drainDeadline(),
                outboundMax,
                usual.header(),
                together);
    }

    private ProcessorTable table() {
        Lane inline = Lane.inline("inline");
        byte[] large = new byte[LARGE_BYTES];
        byte[] huge = new byte[HUGE_BYTES];
        return ProcessorTable.builder()
                .on(ECHO, (context, request) -> RemotingCommand.success(request.bodyBytes()), inline)
                .on(
                        LARGE,
                        (context, request) -> {
                            largeMade.incrementAndGet();
                            return RemotingCommand.success(large);
                        },
                        lane)
                .on(HUGE, (context, request) -> RemotingCommand.success(huge), lane)
                .onLater(
                        HELD,
                        (context, request) -> {
                            CompletableFuture<RemotingCommand> answer = new CompletableFuture<>();
                            held.add(answer);
                            return answer;
                        },
                        inline)
                .onLater(
                        WAITING,
                        (context, request) -> {
                            HeldAnswer answer = new HeldAnswer();
                            held.add(answer);
                            return answer;
                        },
                        lane)
                .inOrder(
                        ORDERED,
                        (context, request) -> {
                            events.add("request " + request.opaque());
                            return RemotingCommand.success();
                        },
                        lane)
                .inOrder(ORDERED_LARGE, (context, request) -> RemotingCommand.success(large), lane)
                .build();
    }

    Peer peer() throws IOException {
        return new Peer(address);
    }

    @Override
    public void close() {
        held.forEach(answer -> answer.complete(RemotingCommand.success()));
        server.stop(Duration.ofSeconds(5));
        lane.close(Duration.ofSeconds(5));
    }

    private final class Events implements ConnectionListener {
        @Override
        public void opened(Connection connection) {
            events.add("opened " + connection.id());
        }

        @Override
        public void closed(Connection connection, CloseReason reason) {
            events.add("closed " + connection.id() + " " + reason);
        }
    }
}
