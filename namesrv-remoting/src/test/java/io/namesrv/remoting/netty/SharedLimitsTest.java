package io.namesrv.remoting.netty;

import static io.namesrv.remoting.netty.TestServer.ECHO;
import static io.namesrv.remoting.netty.TestServer.LARGE;
import static io.namesrv.remoting.netty.TestServer.ORDERED_LARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.remoting.Nets;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.netty.ConnectionLimits.Together;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What all connections of a server have to share. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class SharedLimitsTest {
    private static final int USUAL = ConnectionLimits.DEFAULT.outboundMax();

    /** A peer whose requests are answered with 300 KB each and that reads none of it. */
    private static Peer deafPeer(TestServer server, int code, int requests) throws IOException {
        Peer peer = new Peer(server.address, 4096);
        byte[][] frames = new byte[requests][];
        for (int i = 0; i < requests; i++) {
            frames[i] = Wire.encode(Peer.request(code, i));
        }
        peer.send(Wire.join(frames));
        return peer;
    }

    // ---- connections

    @Test
    void a_connection_beyond_the_limit_is_closed_at_once_and_the_others_are_served() throws IOException {
        try (TestServer server = new TestServer(TestServer.limits(USUAL, new Together(2, 0, 0)));
                Peer first = server.peer()) {
            try (Peer second = server.peer();
                    Peer third = server.peer()) {
                second.ask(ECHO, 1);

                assertThat(third.isClosedByServer()).isTrue();
                assertThat(first.ask(ECHO, 5).opaque()).isEqualTo(5);
                assertThat(server.server.refusedConnections()).isOne();
            }
            await().until(() -> server.server.connections().size() == 1);
            try (Peer next = server.peer()) {
                assertThat(next.ask(ECHO, 6).opaque()).isEqualTo(6);
            }
        }
    }

    @Test
    void a_connection_beyond_the_limit_of_its_address_is_closed_at_once() throws IOException {
        try (TestServer server = new TestServer(TestServer.limits(USUAL, new Together(0, 1, 0)));
                Peer first = server.peer()) {
            first.ask(ECHO, 1);
            try (Peer second = server.peer()) {
                assertThat(second.isClosedByServer()).isTrue();
            }
            assertThat(first.ask(ECHO, 5).opaque()).isEqualTo(5);
        }
    }

    @Test
    void clients_of_a_proxy_are_counted_by_their_own_addresses() throws IOException {
        Entrance entrance = new Entrance(Optional.empty(), Nets.parse("127.0.0.1"), Duration.ofSeconds(10));
        ConnectionLimits limits = TestServer.limits(USUAL, new Together(0, 1, 0));
        try (TestServer server = new TestServer(TestServer.SMALL_SEND_BUFFER, entrance, limits);
                Peer one = proxied(server, "10.0.0.1");
                Peer two = proxied(server, "10.0.0.2")) {
            assertThat(one.ask(ECHO, 1).opaque()).isEqualTo(1);
            assertThat(two.ask(ECHO, 2).opaque()).isEqualTo(2);
            try (Peer again = proxied(server, "10.0.0.1")) {
                assertThat(again.isClosedByServer()).isTrue();
            }
            one.socket.close();
            await().until(() -> server.server.connections().size() == 1);
            try (Peer again = proxied(server, "10.0.0.1")) {
                assertThat(again.ask(ECHO, 3).opaque()).isEqualTo(3);
            }
        }
    }

    private static Peer proxied(TestServer server, String client) throws IOException {
        return server.peer()
                .send(("PROXY TCP4 " + client + " 127.0.0.1 40000 9876\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void counts_are_right_again_after_all_have_gone() {
        ConnectionCounts counts = new ConnectionCounts(2, 1);
        InetAddress ip = InetAddress.getLoopbackAddress();

        assertThat(List.of(counts.enter(), counts.enter(), counts.enter())).containsExactly(true, true, false);
        assertThat(List.of(counts.enter(ip), counts.enter(ip))).containsExactly(true, false);
        assertThat(counts.refused()).isEqualTo(2);
        counts.leave();
        counts.leave();
        counts.leave(ip);
        assertThat(counts.open()).isZero();
        assertThat(counts.addresses()).isZero();
    }

    // ---- answers

    @Test
    void a_connection_for_which_too_much_waits_is_closed() throws IOException {
        try (TestServer server = new TestServer(TestServer.limits(1 << 20, Together.DEFAULT));
                Peer other = server.peer()) {
            other.ask(ECHO, 1); // it is the first now
            try (Peer deaf = deafPeer(server, ORDERED_LARGE, 100)) {
                assertThat(deaf.socket.isConnected()).isTrue();
                await().atMost(Duration.ofSeconds(20)).until(() -> server.events.contains("closed 2 SLOW_READER"));
                assertThat(other.ask(ECHO, 5).opaque()).isEqualTo(5);
            }
            await().until(() -> server.server.outbound() == 0);
        }
    }

    @Test
    void the_connections_for_which_most_waits_are_closed_when_all_together_is_too_much() throws IOException {
        Together together = new Together(0, 0, 8_000_000);
        try (TestServer server = new TestServer(TestServer.limits(0, together));
                Peer reader = server.peer()) {
            reader.ask(ECHO, 1);
            List<Peer> deaf = new ArrayList<>();
            try {
                for (int i = 0; i < 12; i++) {
                    deaf.add(deafPeer(server, LARGE, 20));
                }
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> server.events.stream().anyMatch(event -> event.endsWith(" SLOW_READER")));
                for (int i = 0; i < 10; i++) {
                    assertThat(reader.ask(LARGE, i).bodyBytes()).hasSize(TestServer.LARGE_BYTES);
                }
                assertThat(server.events).noneMatch(event -> event.startsWith("closed 1 "));
                await().until(() -> server.server.outbound() <= 8_000_000);
            } finally {
                for (Peer peer : deaf) {
                    peer.close();
                }
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> server.server.outbound() == 0);
        }
    }

    @Test
    void nothing_is_left_on_the_accounts_when_connections_break_off() throws IOException {
        try (TestServer server = new TestServer()) {
            for (int i = 0; i < 100; i++) {
                try (Peer peer = deafPeer(server, i % 2 == 0 ? LARGE : ORDERED_LARGE, 10)) {
                    peer.socket.setSoLinger(true, 0);
                }
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> server.events.size() == 200);
            await().until(() -> server.server.outbound() == 0 && server.admission.total() == 0);
        }
    }
}
