package io.namesrv.server.client;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.ProcessorTable;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.netty.ConnectionLimits;
import io.namesrv.remoting.netty.Entrance;
import io.namesrv.remoting.netty.RemotingServer;
import io.namesrv.remoting.netty.SocketOptions;
import io.namesrv.remoting.protocol.RemotingCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A name server that answers what a test says. What measures it is not noted. */
final class FakeNamesrv implements AutoCloseable {
    private static final List<Integer> CODES = List.of(100, 101, 102, 105, 106, 206, 219);

    /** What was asked so far, but for probes. */
    final List<RemotingCommand> asked = new CopyOnWriteArrayList<>();

    private final RemotingServer server;
    private final int port;
    private volatile Function<RemotingCommand, CompletableFuture<RemotingCommand>> answers = request -> later();

    private FakeNamesrv() throws IOException {
        ProcessorTable.Builder table = ProcessorTable.builder();
        Lane inline = Lane.inline("inline");
        for (int code : CODES) {
            table.onLater(code, (context, request) -> answer(request), inline);
        }
        server = new RemotingServer(
                SocketOptions.DEFAULT.listeningOn("127.0.0.1", 0),
                Entrance.PLAIN,
                ConnectionLimits.DEFAULT,
                new RequestDispatcher(table.build(), RequestObserver.NONE, 479),
                new Deaf(),
                new CountingAdmission(0, "registrationInFlightMax"));
        port = server.start().getPort();
    }

    /** One that answers everything alike. */
    static FakeNamesrv saying(RemotingCommand answer) throws IOException {
        byte[] body = answer.bodyBytes();
        return new FakeNamesrv().answers(request -> CompletableFuture.completedFuture(answer.withBody(body)));
    }

    /** One that takes requests and never answers. */
    static FakeNamesrv silent() throws IOException {
        return new FakeNamesrv();
    }

    FakeNamesrv answers(Function<RemotingCommand, CompletableFuture<RemotingCommand>> other) {
        answers = other;
        return this;
    }

    private static CompletableFuture<RemotingCommand> later() {
        return new CompletableFuture<>();
    }

    private CompletableFuture<RemotingCommand> answer(RemotingCommand request) {
        if (!"TBW102".equals(request.extFields().get("topic"))) {
            asked.add(request);
        }
        return answers.apply(request);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** A route of one group of one master. */
    static RemotingCommand route(String addr) {
        return body("""
                {"brokerDatas":[{"brokerAddrs":{"0":"%s"},"brokerName":"b1","cluster":"c1"}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}""".formatted(addr));
    }

    static RemotingCommand body(String json) {
        return RemotingCommand.success(json.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
    }

    private static final class Deaf implements ConnectionListener {
        @Override
        public void opened(Connection connection) {
            // of no interest
        }

        @Override
        public void closed(Connection connection, CloseReason reason) {
            // of no interest
        }
    }
}
