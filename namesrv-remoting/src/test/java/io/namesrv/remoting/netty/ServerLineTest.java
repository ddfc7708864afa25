package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.namesrv.remoting.Nets;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsMode;
import io.namesrv.remoting.tls.TlsOptions;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class ServerLineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(150);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable open : opened) {
            open.close();
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.add(0, resource);
        return resource;
    }

    private RemotingClient client(ClientOptions options) {
        return open(new RemotingClient(options, Optional::empty));
    }

    private ServerLine line(String address) {
        return client(ClientOptions.DEFAULT).line(address);
    }

    private static String address(TestServer server) {
        return "127.0.0.1:" + server.address.getPort();
    }

    private static RemotingCommand request(int code) {
        return RemotingCommand.request(code, Map.of("name", "ü"));
    }

    private static Reason failure(CompletableFuture<TimedAnswer> future) {
        Throwable thrown = catchThrowable(future::join);
        assertThat(thrown).isInstanceOf(CompletionException.class);
        return assertThat(thrown.getCause())
                .asInstanceOf(type(NoAnswerException.class))
                .actual()
                .reason();
    }

    private static byte[] answer(int opaque, String body) {
        String header = "{\"code\":0,\"flag\":1,\"opaque\":" + opaque + "}";
        return Wire.frame(Wire.JSON, header.getBytes(StandardCharsets.UTF_8), body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void what_is_asked_is_answered_in_either_form(SerializeType form) throws IOException {
        TestServer server = open(new TestServer());
        ServerLine line = client(ClientOptions.DEFAULT.withSerializeType(form)).line(address(server));

        TimedAnswer answer = line.ask(request(TestServer.ECHO).withBody(new byte[] {1, 2, 3}), PATIENCE)
                .join();

        assertThat(answer.command().bodyBytes()).containsExactly(1, 2, 3);
        assertThat(answer.command().serializeType()).isEqualTo(form);
        assertThat(answer.took()).isPositive();
        assertThat(line.pending()).isZero();
    }

    @Test
    void many_requests_share_a_connection_and_may_be_answered_in_any_order() throws IOException {
        TestServer server = open(new TestServer());
        ServerLine line = line(address(server));
        CompletableFuture<TimedAnswer> held = line.ask(request(TestServer.HELD), PATIENCE);
        List<CompletableFuture<TimedAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(line.ask(request(TestServer.ECHO).withBody(new byte[] {(byte) i}), PATIENCE));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(answers.get(i).join().command().bodyBytes()).containsExactly(i);
        }
        assertThat(held).isNotDone();
        server.held.get(0).complete(RemotingCommand.success(new byte[] {99}));

        assertThat(held.join().command().bodyBytes()).containsExactly(99);
        assertThat(server.events).containsExactly("opened 1");
    }

    @Test
    void a_request_beyond_the_limit_of_pending_ones_is_refused_at_once() throws IOException {
        TestServer server = open(new TestServer());
        ServerLine line = client(ClientOptions.DEFAULT.withPendingMax(2)).line(address(server));
        CompletableFuture<TimedAnswer> first = line.ask(request(TestServer.HELD), PATIENCE);
        CompletableFuture<TimedAnswer> second = line.ask(request(TestServer.HELD), PATIENCE);

        assertThat(failure(line.ask(request(TestServer.ECHO), PATIENCE))).isEqualTo(Reason.TOO_MANY_PENDING);

        await().until(() -> server.held.size() == 2);
        server.held.get(0).complete(RemotingCommand.success());
        server.held.get(1).complete(RemotingCommand.success());
        CompletableFuture.allOf(first, second).join();
        assertThat(line.ask(request(TestServer.ECHO), PATIENCE).join().command().code())
                .isZero();
    }

    @Test
    void nobody_listens() throws IOException {
        String dead;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            dead = "127.0.0.1:" + socket.getLocalPort();
        }

        assertThat(failure(line(dead).ask(request(1).withBody(new byte[100_000]), PATIENCE)))
                .isEqualTo(Reason.NOT_CONNECTED);
    }

    @Test
    void a_server_that_never_answers_is_given_up_and_connected_to_anew() throws IOException {
        RawServer server = open(new RawServer((socket, in) -> in.readAllBytes()));
        ServerLine line = line(server.address());

        assertThat(failure(line.ask(request(1), Duration.ofSeconds(1)))).isEqualTo(Reason.TIMEOUT);
        assertThat(failure(line.ask(request(1), Duration.ofSeconds(1)))).isEqualTo(Reason.TIMEOUT);

        assertThat(server.connections()).isEqualTo(2);
        assertThat(line.pending()).isZero();
    }

    @Test
    void a_late_answer_is_thrown_away_and_the_connection_stays_while_others_are_answered() throws IOException {
        TestServer server = open(new TestServer());
        ServerLine line = line(address(server));
        CompletableFuture<TimedAnswer> late = line.ask(request(TestServer.HELD), Duration.ofMillis(500));
        while (!late.isDone()) {
            line.ask(request(TestServer.ECHO), PATIENCE).join();
        }

        server.held.get(0).complete(RemotingCommand.success());

        assertThat(failure(late)).isEqualTo(Reason.TIMEOUT);
        assertThat(line.ask(request(TestServer.ECHO), PATIENCE).join().command().code())
                .isZero();
        assertThat(server.events).containsExactly("opened 1");
    }

    @Test
    void a_server_that_closes_in_the_middle_of_an_answer_is_connected_to_anew() throws IOException {
        RawServer server = open(new RawServer((socket, in) -> {
            byte[] whole = answer(RawServer.request(in), "{}");
            socket.getOutputStream().write(whole, 0, whole.length - 1);
        }));
        ServerLine line = line(server.address());

        assertThat(failure(line.ask(request(1), PATIENCE))).isEqualTo(Reason.ENDED);
        assertThat(failure(line.ask(request(1), PATIENCE))).isEqualTo(Reason.ENDED);
        assertThat(server.connections()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\2abcdefgh", "\0\0\0\10\0\0\0\4abcdefgh"})
    void garbage_fails_all_that_wait_and_ends_the_connection(String garbage) throws IOException {
        RawServer server = open(new RawServer((socket, in) -> {
            RawServer.request(in);
            RawServer.request(in);
            socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
            in.readAllBytes();
        }));
        ServerLine line = line(server.address());

        CompletableFuture<TimedAnswer> one = line.ask(request(1), PATIENCE);
        CompletableFuture<TimedAnswer> other = line.ask(request(1), PATIENCE);

        assertThat(List.of(failure(one), failure(other))).containsOnly(Reason.BAD_ANSWER);
    }

    @Test
    void an_answer_to_nobodys_question_and_a_request_are_passed_over() throws IOException {
        RawServer server = open(new RawServer((socket, in) -> {
            int opaque = RawServer.request(in);
            socket.getOutputStream()
                    .write(Wire.join(
                            answer(opaque + 1000, "x"),
                            Wire.encode(Peer.request(905, opaque)),
                            answer(opaque, "the answer"),
                            answer(opaque, "once more")));
            in.readAllBytes();
        }));

        TimedAnswer answer = line(server.address()).ask(request(1), PATIENCE).join();

        assertThat(answer.command().bodyBytes()).isEqualTo("the answer".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void an_answer_that_is_too_large_is_refused_at_sight_of_its_length() throws IOException {
        TestServer server = open(new TestServer());
        String address = address(server);
        ServerLine small = client(ClientOptions.DEFAULT.withAnswerMax(TestServer.LARGE_BYTES))
                .line(address);

        assertThat(failure(small.ask(request(TestServer.LARGE), PATIENCE))).isEqualTo(Reason.BAD_ANSWER);
        assertThat(small.ask(request(TestServer.ECHO), PATIENCE)
                        .join()
                        .command()
                        .code())
                .isZero();
        assertThat(line(address)
                        .ask(request(TestServer.LARGE), PATIENCE)
                        .join()
                        .command()
                        .bodyBytes())
                .hasSize(TestServer.LARGE_BYTES);
    }

    @Test
    void an_idle_connection_is_closed_but_not_while_an_answer_is_awaited() throws IOException {
        TestServer server = open(new TestServer());
        ServerLine line = client(ClientOptions.DEFAULT.withIdle(SHORT)).line(address(server));
        CompletableFuture<TimedAnswer> held = line.ask(request(TestServer.HELD), PATIENCE);
        await().until(() -> !server.held.isEmpty());
        // Three idle times, told by another line to the same server that comes and goes.
        ServerLine other = client(ClientOptions.DEFAULT.withIdle(SHORT)).line(address(server));
        for (int i = 0; i < 3; i++) {
            int before = server.events.size();
            other.ask(request(TestServer.ECHO), PATIENCE).join();
            await().until(() -> server.events.size() == before + 2);
        }

        assertThat(server.events).doesNotContain("closed 1 PEER");
        server.held.get(0).complete(RemotingCommand.success());

        assertThat(held.join().command().code()).isZero();
        await().until(() -> server.events.contains("closed 1 PEER"));
        assertThat(line.ask(request(TestServer.ECHO), PATIENCE).join().command().code())
                .isZero();
    }

    @Test
    void closing_fails_what_waits_and_what_is_asked_afterwards() throws Exception {
        TestServer server = open(new TestServer());
        RemotingClient client = client(ClientOptions.DEFAULT);
        ServerLine line = client.line(address(server));
        CompletableFuture<TimedAnswer> held = line.ask(request(TestServer.HELD), PATIENCE);
        await().until(() -> !server.held.isEmpty());
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread waiter = new Thread(() -> seen.set(catchThrowable(held::get)));
        waiter.start();

        client.close();
        client.close();

        waiter.join(PATIENCE.toMillis());
        assertThat(seen.get()).hasCauseInstanceOf(NoAnswerException.class);
        assertThat(failure(held)).isEqualTo(Reason.CLOSED);
        assertThat(failure(line.ask(request(TestServer.ECHO), PATIENCE))).isEqualTo(Reason.CLOSED);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> client.line(address(server)));
        await().until(() -> server.events.contains("closed 1 PEER"));
    }

    @Test
    void a_client_that_is_closed_from_its_own_thread_does_not_wait_for_itself() throws IOException {
        TestServer server = open(new TestServer());
        RemotingClient client = client(ClientOptions.DEFAULT);
        ServerLine line = client.line(address(server));
        CompletableFuture<TimedAnswer> held = line.ask(request(TestServer.HELD), PATIENCE);

        line.ask(request(TestServer.ECHO), PATIENCE)
                .thenRun(client::close)
                .orTimeout(1, TimeUnit.SECONDS)
                .join();

        assertThat(failure(held)).isEqualTo(Reason.CLOSED);
    }

    @Test
    void whatever_is_on_its_way_when_the_client_closes_is_told() throws IOException {
        TestServer server = open(new TestServer());
        for (int round = 0; round < 30; round++) {
            RemotingClient client = client(ClientOptions.DEFAULT);
            ServerLine line = client.line(address(server));
            List<CompletableFuture<TimedAnswer>> asked = new ArrayList<>();
            Thread asking = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    asked.add(line.ask(request(TestServer.ECHO).withBody(new byte[8192]), PATIENCE));
                }
            });
            asking.start();
            if (round % 2 == 0) {
                await().pollInterval(Duration.ofMillis(1)).until(() -> line.pending() > 0 || !asking.isAlive());
            }

            client.close();

            assertThat(catchThrowable(() -> asking.join(PATIENCE.toMillis()))).isNull();
            CompletableFuture<Void> all = CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .exceptionally(some -> null);
            assertThat(all).succeedsWithin(PATIENCE);
            assertThat(line.pending()).isZero();
        }
    }

    @Test
    void an_interrupted_waiter_harms_nobody_else() throws Exception {
        TestServer server = open(new TestServer());
        ServerLine line = line(address(server));
        CompletableFuture<TimedAnswer> held = line.ask(request(TestServer.HELD), PATIENCE);
        await().until(() -> !server.held.isEmpty());
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread waiter = new Thread(() -> seen.set(catchThrowable(held::get)));
        waiter.start();

        waiter.interrupt();
        waiter.join(PATIENCE.toMillis());
        server.held.get(0).complete(RemotingCommand.success());

        assertThat(seen.get()).isInstanceOf(InterruptedException.class);
        assertThat(held.join().command().code()).isZero();
    }

    @Test
    void tls_is_spoken_where_there_is_a_context() throws IOException {
        TlsOptions usual = TlsOptions.DEFAULT;
        TlsContexts contexts = new TlsContexts(
                new TlsOptions(TlsMode.ENFORCING, true, usual.clientAuth(), usual.server(), true, usual.client()));
        Entrance entrance = new Entrance(Optional.of(contexts), Nets.NONE, Duration.ofSeconds(10));
        TestServer server = open(new TestServer(SocketOptions.DEFAULT, entrance, ConnectionLimits.DEFAULT));
        RemotingClient secret = open(new RemotingClient(ClientOptions.DEFAULT, contexts::client));

        TimedAnswer answer = secret.line(address(server))
                .ask(request(TestServer.LARGE), PATIENCE)
                .join();

        assertThat(answer.command().bodyBytes()).hasSize(TestServer.LARGE_BYTES);
        assertThat(failure(line(address(server)).ask(request(TestServer.ECHO), PATIENCE)))
                .isEqualTo(Reason.ENDED);
    }

    @Test
    void a_handshake_that_fails_is_no_connection() throws IOException {
        RawServer plain = open(new RawServer((socket, in) -> {
            in.readByte();
            socket.getOutputStream().write("HTTP/1.1 400\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            in.readAllBytes();
        }));
        RawServer closing = open(new RawServer((socket, in) -> in.readByte()));
        Optional<SslContext> context = trusting();
        RemotingClient secret = open(new RemotingClient(ClientOptions.DEFAULT, () -> context));

        for (RawServer server : List.of(plain, closing)) {
            assertThat(failure(secret.line(server.address()).ask(request(1).withBody(new byte[10_000]), PATIENCE)))
                    .isEqualTo(Reason.NOT_CONNECTED);
        }
    }

    @Test
    void a_context_that_cannot_be_had_is_no_connection() throws IOException {
        TestServer server = open(new TestServer());
        RemotingClient secret = open(new RemotingClient(ClientOptions.DEFAULT, () -> {
            throw new IllegalStateException("no context");
        }));

        assertThat(failure(secret.line(address(server)).ask(request(TestServer.ECHO), PATIENCE)))
                .isEqualTo(Reason.NOT_CONNECTED);
    }

    private static Optional<SslContext> trusting() throws IOException {
        TlsOptions usual = TlsOptions.DEFAULT;
        return new TlsContexts(
                        new TlsOptions(usual.mode(), true, usual.clientAuth(), usual.server(), true, usual.client()))
                .client();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":1", "host:0", "host:65536", "a:b:1"})
    void what_is_no_address_has_no_line(String address) {
        RemotingClient client = client(ClientOptions.DEFAULT);

        assertThatIllegalArgumentException().isThrownBy(() -> client.line(address));
    }
}
