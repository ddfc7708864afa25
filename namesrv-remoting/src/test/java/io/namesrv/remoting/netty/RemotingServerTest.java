package io.namesrv.remoting.netty;

import static io.namesrv.remoting.netty.TestServer.ECHO;
import static io.namesrv.remoting.netty.TestServer.HELD;
import static io.namesrv.remoting.netty.TestServer.LARGE;
import static io.namesrv.remoting.netty.TestServer.ORDERED;
import static io.namesrv.remoting.netty.TestServer.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.ProcessorTable;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.RequestObserver;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class RemotingServerTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private static SocketOptions options(boolean nativeTransport, boolean pooled) {
        SocketOptions usual = SocketOptions.DEFAULT;
        return new SocketOptions(
                "127.0.0.1",
                0,
                16,
                2,
                nativeTransport,
                65536,
                65536,
                usual.highWaterMark(),
                usual.lowWaterMark(),
                pooled);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void requests_are_answered_in_their_own_form_on_any_transport(boolean best) throws IOException {
        try (TestServer server = new TestServer(options(best, best), ConnectionLimits.DEFAULT);
                Peer peer = server.peer()) {
            for (int opaque : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                for (SerializeType form : SerializeType.values()) {
                    byte[] body = ("body " + opaque).getBytes(StandardCharsets.UTF_8);
                    RemotingCommand answer = peer.send(
                                    Peer.request(ECHO, opaque).withBody(body).withSerializeType(form))
                            .receive();

                    assertThat(answer.opaque()).isEqualTo(opaque);
                    assertThat(answer.serializeType()).isEqualTo(form);
                    assertThat(answer.bodyBytes()).isEqualTo(body);
                }
            }
        }
    }

    @Test
    void five_hundred_requests_in_one_write_are_all_answered() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            byte[][] frames = new byte[500][];
            Set<Integer> missing = new HashSet<>();
            for (int i = 0; i < frames.length; i++) {
                SerializeType form = i % 2 == 0 ? SerializeType.JSON : SerializeType.ROCKETMQ;
                frames[i] =
                        Wire.encode(Peer.request(i % 3 == 0 ? ORDERED : ECHO, i).withSerializeType(form));
                missing.add(i);
            }
            peer.send(Wire.join(frames));

            for (int i = 0; i < frames.length; i++) {
                assertThat(missing.remove(peer.receive().opaque())).isTrue();
            }
        }
    }

    @Test
    void a_bad_frame_ends_its_connection_and_no_other() throws IOException {
        try (TestServer server = new TestServer();
                Peer good = server.peer();
                Peer bad = server.peer()) {
            bad.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(bad.isClosedByServer()).isTrue();
            await().until(() -> server.events.stream().anyMatch(event -> event.endsWith(" BAD_FRAME")));
            assertThat(good.ask(ECHO, 5).opaque()).isEqualTo(5);
        }
    }

    @Test
    void a_probe_without_a_byte_opens_and_closes() throws IOException {
        try (TestServer server = new TestServer()) {
            server.peer().close();

            await().until(() -> server.events.contains("closed 1 PEER"));
            assertThat(server.events).containsExactly("opened 1", "closed 1 PEER");
            assertThat(server.server.connections()).isEmpty();
        }
    }

    @Test
    void the_end_of_a_connection_comes_after_its_requests_and_once() throws IOException {
        try (TestServer server = new TestServer()) {
            for (int round = 1; round <= 50; round++) {
                server.events.clear();
                byte[][] frames = new byte[40][];
                for (int i = 0; i < frames.length; i++) {
                    frames[i] = Wire.encode(Peer.request(ORDERED, i).withFlag(RemotingCommand.FLAG_ONEWAY));
                }
                try (Peer peer = server.peer()) {
                    peer.send(Wire.join(frames));
                }

                String end = "closed " + round + " PEER";
                await().pollInterval(Duration.ofMillis(1)).until(() -> server.events.contains(end));
                assertThat(server.events)
                        .hasSize(42)
                        .endsWith("request 39", end)
                        .startsWith("opened " + round);
                for (int i = 0; i < frames.length; i++) {
                    assertThat(server.events.get(i + 1)).isEqualTo("request " + i);
                }
            }
        }
    }

    @Test
    void a_half_closed_connection_is_closed() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.send(Arrays.copyOf(Wire.golden("g1-request-105-json"), 20));
            peer.socket.shutdownOutput();

            assertThat(peer.isClosedByServer()).isTrue();
            await().until(() -> server.events.contains("closed 1 PEER"));
            assertThat(server.admission.total()).isZero();
        }
    }

    @Test
    void a_connection_that_says_nothing_is_closed() throws IOException {
        ConnectionLimits limits = TestServer.limits(Duration.ofMillis(300), 1024, LONG);
        try (TestServer server = new TestServer(limits);
                Peer peer = server.peer()) {
            assertThat(peer.isClosedByServer()).isTrue();
            await().until(() -> server.events.contains("closed 1 IDLE"));
        }
    }

    @Test
    void a_connection_is_closed_on_demand() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.ask(ECHO, 1);

            assertThat(server.server.close(1, CloseReason.EVICTED)).isTrue();

            assertThat(peer.isClosedByServer()).isTrue();
            await().until(() -> server.events.contains("closed 1 EVICTED"));
            assertThat(server.server.close(1, CloseReason.EVICTED)).isFalse();
        }
    }

    @Test
    void reading_stops_while_too_many_requests_have_no_answer() throws IOException {
        ConnectionLimits limits = TestServer.limits(LONG, 10, LONG);
        try (TestServer server = new TestServer(limits);
                Peer peer = server.peer()) {
            byte[][] frames = new byte[1000][];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = Wire.encode(Peer.request(HELD, i));
            }
            peer.send(Wire.join(frames));
            await().until(() -> server.held.size() == 10);
            try (Peer other = server.peer()) {
                other.ask(ECHO, 1);
            }
            assertThat(server.held).hasSize(10);

            for (int i = 0; i < frames.length; i++) {
                int next = i;
                await().pollInterval(Duration.ofMillis(1)).until(() -> server.held.size() > next);
                assertThat(server.server.pending()).isLessThanOrEqualTo(10);
                server.held.get(i).complete(RemotingCommand.success());
                assertThat(peer.receive().opaque()).isEqualTo(i);
            }
            await().until(() -> server.admission.total() == 0);
        }
    }

    @Test
    void requests_that_are_held_back_are_not_pending_and_a_connection_with_many_is_read_on() throws IOException {
        ConnectionLimits limits = TestServer.limits(LONG, 10, LONG);
        try (TestServer server = new TestServer(limits);
                Peer peer = server.peer()) {
            byte[][] frames = new byte[1000][];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = Wire.encode(Peer.request(WAITING, i).withBody(new byte[100]));
            }
            peer.send(Wire.join(frames));
            await().until(() -> server.held.size() == frames.length);

            await().until(() -> server.admission.total() == 0 && server.server.pending() == 0);
            assertThat(peer.ask(ECHO, 5000).opaque()).isEqualTo(5000);

            Set<Integer> missing = new HashSet<>();
            for (int i = 0; i < frames.length; i++) {
                missing.add(i);
                server.held.get(i).complete(RemotingCommand.success());
            }
            for (int i = 0; i < frames.length; i++) {
                assertThat(missing.remove(peer.receive().opaque())).isTrue();
            }
            assertThat(server.admission.total()).isZero();
            assertThat(server.server.pending()).isZero();
        }
    }

    @Test
    void a_stop_does_not_wait_for_what_is_held_back() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.send(Peer.request(WAITING, 1));
            await().until(() -> server.held.size() == 1 && server.server.pending() == 0);

            assertThat(server.server.stop(Duration.ofSeconds(20))).isTrue();

            assertThat(peer.isClosedByServer()).isTrue();
            assertThat(server.held.get(0).complete(RemotingCommand.success())).isTrue();
            assertThat(server.server.outbound()).isZero();
        }
    }

    @Test
    void reading_stops_while_answers_are_not_taken_and_nothing_is_lost() throws IOException {
        ConnectionLimits limits = TestServer.limits(LONG, 1024, LONG);
        try (TestServer server = new TestServer(limits);
                Peer peer = new Peer(server.address, 4096)) {
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 200; i++) {
                    try {
                        peer.send(Peer.request(LARGE, i));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                RemotingCommand answer = peer.receive();
                assertThat(answer.bodyBytes()).hasSize(TestServer.LARGE_BYTES);
                answered.add(answer.opaque());
            }

            asking.join();
            assertThat(answered).hasSize(200);
            assertThat(peer.ask(ECHO, 5).opaque()).isEqualTo(5);
        }
    }

    @Test
    void a_peer_that_never_reads_its_answers_has_few_of_them_made() throws IOException {
        ConnectionLimits limits = TestServer.limits(LONG, 1024, Duration.ofMillis(500));
        try (TestServer server = new TestServer(limits);
                Peer peer = new Peer(server.address, 4096)) {
            byte[][] frames = new byte[200][];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = Wire.encode(Peer.request(LARGE, i));
            }
            peer.send(Wire.join(frames));

            await().atMost(Duration.ofSeconds(20)).until(() -> server.events.contains("closed 1 SLOW_READER"));
            assertThat(server.largeMade).hasValueLessThan(40);
            await().until(() -> server.admission.total() == 0);
        }
    }

    @Test
    void a_peer_that_reads_gets_every_answer_it_asked_for_at_once_however_large() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = new Peer(server.address)) {
            byte[][] frames = new byte[6][];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = Wire.encode(Peer.request(TestServer.HUGE, i));
            }
            peer.send(Wire.join(frames));

            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i < frames.length; i++) {
                RemotingCommand answer = peer.receive();
                assertThat(answer.bodyBytes()).hasSize(TestServer.HUGE_BYTES);
                answered.add(answer.opaque());
            }

            assertThat(answered).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void a_peer_that_takes_none_of_its_answers_for_a_while_is_closed() throws IOException {
        ConnectionLimits limits = TestServer.limits(LONG, 1024, Duration.ofMillis(300));
        try (TestServer server = new TestServer(limits);
                Peer peer = new Peer(server.address, 4096)) {
            byte[][] frames = new byte[40][];
            for (int i = 0; i < frames.length; i++) {
                frames[i] = Wire.encode(Peer.request(LARGE, i));
            }
            peer.send(Wire.join(frames));

            await().atMost(Duration.ofSeconds(20)).until(() -> server.events.contains("closed 1 SLOW_READER"));
        }
    }

    @Test
    void a_stop_answers_what_was_taken() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.send(Peer.request(HELD, 1)).send(Peer.request(HELD, 2));
            await().until(() -> server.held.size() == 2);

            CompletableFuture<Boolean> stop =
                    CompletableFuture.supplyAsync(() -> server.server.stop(Duration.ofSeconds(20)));
            assertThatIOException().isThrownBy(() -> {
                while (true) {
                    server.peer().close();
                }
            });
            server.held.get(1).complete(RemotingCommand.success());
            server.held.get(0).complete(RemotingCommand.success(new byte[LARGE]));

            assertThat(peer.receive().opaque()).isEqualTo(2);
            assertThat(peer.receive().opaque()).isEqualTo(1);
            assertThat(peer.isClosedByServer()).isTrue();
            assertThat(stop.join()).isTrue();
            await().until(() -> server.events.contains("closed 1 SHUTDOWN"));
        }
    }

    @Test
    void a_stop_does_not_wait_for_ever() throws IOException {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.send(Peer.request(HELD, 1));
            await().until(() -> server.held.size() == 1);

            assertThat(server.server.stop(Duration.ofMillis(100))).isFalse();

            assertThat(peer.isClosedByServer()).isTrue();
            await().until(() -> server.events.contains("closed 1 SHUTDOWN"));
        }
    }

    @Test
    void a_port_that_is_taken_is_an_error_that_names_it() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SocketOptions options = SocketOptions.DEFAULT.listeningOn("127.0.0.1", taken.getLocalPort());
            RemotingServer server = new RemotingServer(
                    options,
                    Entrance.PLAIN,
                    ConnectionLimits.DEFAULT,
                    new RequestDispatcher(ProcessorTable.builder().build(), RequestObserver.NONE, 479),
                    ConnectionListener.NONE,
                    new CountingAdmission(0, "registrationInFlightMax"));

            assertThatIOException()
                    .isThrownBy(server::start)
                    .withMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void a_thousand_connections_come_and_go_without_a_trace() throws IOException {
        try (TestServer server = new TestServer()) {
            for (int i = 0; i < 1000; i++) {
                try (Peer peer = server.peer()) {
                    if (i % 3 == 0) {
                        peer.send(new byte[] {0, 0, 0});
                    } else if (i % 3 == 1) {
                        peer.send(Peer.request(LARGE, i));
                        peer.socket.setSoLinger(true, 0);
                    } else {
                        peer.ask(ECHO, i);
                    }
                }
            }

            await().atMost(Duration.ofSeconds(20)).until(() -> server.events.size() == 2000);
            assertThat(server.server.connections()).isEmpty();
            await().until(() -> server.admission.total() == 0);
        }
    }

    @Test
    void during_a_stop_newer_callers_are_sent_away_and_what_was_taken_is_answered() throws Exception {
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            peer.send(Peer.request(HELD, 1));
            await().until(() -> server.held.size() == 1);
            CompletableFuture<Boolean> stop =
                    CompletableFuture.supplyAsync(() -> server.server.stop(Duration.ofSeconds(20)));
            await().until(() -> !isListening(server));

            RemotingCommand newer = peer.ask(ECHO, 2);
            RemotingCommand older =
                    peer.send(Peer.request(ECHO, 3).withVersion(475)).receive();
            server.held.get(0).complete(RemotingCommand.success());

            assertThat(newer.code()).isEqualTo(1500);
            assertThat(older.code()).isZero();
            assertThat(peer.receive().opaque()).isEqualTo(1);
            assertThat(stop.get()).isTrue();
            assertThat(peer.isClosedByServer()).isTrue();
        }
    }

    private static boolean isListening(TestServer server) {
        try {
            server.peer().close();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void the_death_of_any_thread_is_told() throws Exception {
        for (int number = 0; number < 1 + SocketOptions.DEFAULT.selectorThreads(); number++) {
            try (TestServer server = new TestServer();
                    Peer peer = server.peer()) {
                peer.ask(ECHO, 1);
                List<String> deaths = new CopyOnWriteArrayList<>();
                server.server.onDeath(deaths::add);
                List<EventExecutor> threads = new ArrayList<>();
                server.server.threads().forEach(threads::add);

                var unused = threads.get(number).shutdownGracefully(0, 0, TimeUnit.SECONDS);

                String expected = number == 0
                        ? "the thread that accepts connections"
                        : "a thread that reads and writes connections";
                await().until(() -> deaths.contains(expected));
            }
        }
    }

    @Test
    void a_stop_is_the_death_of_nobody() throws Exception {
        List<String> deaths = new CopyOnWriteArrayList<>();
        try (TestServer server = new TestServer();
                Peer peer = server.peer()) {
            server.server.onDeath(deaths::add);
            peer.ask(ECHO, 1);

            server.server.stop(Duration.ofSeconds(5));

            for (EventExecutor thread : server.server.threads()) {
                await().until(thread::isTerminated);
            }
            assertThat(deaths).isEmpty();
        }
    }
}
