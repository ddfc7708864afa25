package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.namesrv.remoting.Connection;
import io.namesrv.remoting.Nets;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.tls.TestCertificates;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsMode;
import io.namesrv.remoting.tls.TlsOptions;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class EntranceTest {
    private static final String HEADER = "{\"code\":1,\"opaque\":7}";
    private static final byte[] REQUEST = frame();
    private static final byte[] PROXY_V2 = HexFormat.of()
            .parseHex("0d0a0d0a000d0a515549540a" + "2111000c" + "0a090807" + "01020304" + "9c40" + "2694");

    @TempDir
    Path directory;

    private static byte[] frame() {
        byte[] header = HEADER.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(8 + header.length)
                .putInt(4 + header.length)
                .putInt(header.length)
                .put(header)
                .array();
    }

    private static Entrance tls(TlsMode mode) throws IOException {
        TlsOptions usual = TlsOptions.DEFAULT;
        return new Entrance(
                Optional.of(new TlsContexts(new TlsOptions(
                        mode, usual.testMode(), usual.clientAuth(), usual.server(), false, usual.client()))),
                Nets.NONE,
                Duration.ofSeconds(10));
    }

    private static Entrance proxied(String net, Duration deadline) throws IOException {
        return new Entrance(Optional.of(new TlsContexts(TlsOptions.DEFAULT)), Nets.parse(net), deadline);
    }

    private static TestServer server(Entrance entrance) throws IOException {
        return new TestServer(SocketOptions.DEFAULT, entrance, ConnectionLimits.DEFAULT);
    }

    private static Socket plain(TestServer server) throws IOException {
        Socket socket = new Socket(server.address.getAddress(), server.address.getPort());
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static SSLSocket secure(TestServer server, Socket over) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return (SSLSocket)
                    context.getSocketFactory().createSocket(over, "localhost", server.address.getPort(), true);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isAnswered(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(REQUEST);
        out.flush();
        return readsAnswer(socket);
    }

    private static boolean readsAnswer(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        return new String(answer, 4, answer.length - 4, StandardCharsets.US_ASCII).contains("\"opaque\":7");
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    // ---- TLS

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void permissive_serves_tls_and_plain_connections_on_one_port(String protocol) throws IOException {
        try (TestServer server = server(tls(TlsMode.PERMISSIVE));
                Socket plain = plain(server);
                SSLSocket secure = secure(server, plain(server))) {
            secure.setEnabledProtocols(new String[] {protocol});

            assertThat(isAnswered(secure)).isTrue();
            assertThat(isAnswered(plain)).isTrue();
            assertThat(isAnswered(secure)).isTrue();
        }
    }

    @Test
    void disabled_closes_a_tls_connection() throws IOException {
        try (TestServer server = server(tls(TlsMode.DISABLED));
                Socket plain = plain(server);
                SSLSocket secure = secure(server, plain(server))) {
            assertThatExceptionOfType(IOException.class).isThrownBy(secure::startHandshake);
            assertThat(isAnswered(plain)).isTrue();
        }
    }

    @Test
    void enforcing_closes_a_plain_connection() throws IOException {
        try (TestServer server = server(tls(TlsMode.ENFORCING));
                Socket plain = plain(server);
                SSLSocket secure = secure(server, plain(server))) {
            plain.getOutputStream().write(REQUEST);

            assertThat(isClosed(plain)).isTrue();
            assertThat(isAnswered(secure)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsMode.class)
    void a_connection_that_says_nothing_is_kept_and_leaves_quietly(TlsMode mode) throws IOException {
        try (TestServer server = server(tls(mode))) {
            Socket probe = plain(server);
            await().until(() -> server.server.connections().size() == 1);

            probe.close();

            await().until(() -> server.server.connections().isEmpty());
        }
    }

    @Test
    void a_handshake_that_is_none_is_closed() throws IOException {
        try (TestServer server = server(tls(TlsMode.PERMISSIVE));
                Socket socket = plain(server)) {
            socket.getOutputStream().write(HexFormat.of().parseHex("16030100a5010000a10303" + "11".repeat(159)));

            // The alert that may come first is no answer.
            while (!isClosed(socket)) {
                assertThat(socket.isClosed()).isFalse();
            }
        }
    }

    @Test
    void a_handshake_that_never_ends_is_closed_at_its_deadline() throws IOException {
        Entrance entrance =
                new Entrance(Optional.of(new TlsContexts(TlsOptions.DEFAULT)), Nets.NONE, Duration.ofMillis(200));
        try (TestServer server = server(entrance);
                Socket socket = plain(server)) {
            socket.getOutputStream().write(HexFormat.of().parseHex("1603010200"));

            assertThat(isClosed(socket)).isTrue();
        }
    }

    @Test
    void new_files_serve_new_connections_and_leave_those_that_are_open() throws IOException {
        TestCertificates first = TestCertificates.write(directory, "pair");
        TlsContexts contexts = new TlsContexts(new TlsOptions(
                TlsMode.ENFORCING,
                false,
                TlsOptions.ClientAuth.NONE,
                first.identity(),
                false,
                TlsOptions.Identity.NONE));
        Entrance entrance = new Entrance(Optional.of(contexts), Nets.NONE, Duration.ofSeconds(10));
        try (TestServer server = server(entrance);
                SSLSocket old = secure(server, plain(server))) {
            assertThat(isAnswered(old)).isTrue();
            assertThat(certificateOf(old)).isEqualTo(first.certificate());

            TestCertificates second = TestCertificates.write(directory, "pair");
            assertThat(contexts.reload()).isTrue();

            assertThat(isAnswered(old)).isTrue();
            try (SSLSocket fresh = secure(server, plain(server))) {
                assertThat(isAnswered(fresh)).isTrue();
                assertThat(certificateOf(fresh)).isEqualTo(second.certificate());
            }
        }
    }

    private static Certificate certificateOf(SSLSocket socket) throws IOException {
        return socket.getSession().getPeerCertificates()[0];
    }

    // ---- PROXY protocol

    private static byte[] join(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static byte[] version1(String line) {
        return (line + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String soleRemote(TestServer server) {
        return server.server.connections().stream()
                .map(Connection::remote)
                .findFirst()
                .orElse("");
    }

    @Test
    void a_header_from_a_named_net_gives_the_connection_its_clients_address() throws IOException {
        byte[][] headers = {version1("PROXY TCP4 10.9.8.7 1.2.3.4 40000 9876"), PROXY_V2};
        for (byte[] header : headers) {
            try (TestServer server = server(proxied("127.0.0.0/8", Duration.ofSeconds(10)));
                    Socket socket = plain(server)) {
                socket.getOutputStream().write(join(header, REQUEST));

                assertThat(readsAnswer(socket)).isTrue();
                assertThat(soleRemote(server)).isEqualTo("10.9.8.7:40000");
            }
        }
    }

    @Test
    void a_header_may_come_byte_by_byte_and_before_tls() throws IOException {
        try (TestServer server = server(proxied("127.0.0.0/8", Duration.ofSeconds(10)));
                Socket socket = plain(server)) {
            for (byte b : version1("PROXY TCP4 10.9.8.7 1.2.3.4 40000 9876")) {
                socket.getOutputStream().write(b);
                socket.getOutputStream().flush();
            }
            SSLSocket secure = secure(server, socket);

            assertThat(isAnswered(secure)).isTrue();
            assertThat(soleRemote(server)).isEqualTo("10.9.8.7:40000");
        }
    }

    @Test
    void a_header_of_unknown_origin_leaves_the_connection_its_own_address() throws IOException {
        try (TestServer server = server(proxied("127.0.0.0/8", Duration.ofSeconds(10)));
                Socket socket = plain(server)) {
            socket.getOutputStream().write(join(version1("PROXY UNKNOWN"), REQUEST));

            assertThat(readsAnswer(socket)).isTrue();
            assertThat(soleRemote(server)).startsWith("127.0.0.1:");
        }
    }

    @Test
    void a_named_sender_may_do_without_a_header() throws IOException {
        try (TestServer server = server(proxied("127.0.0.0/8", Duration.ofSeconds(10)));
                Socket socket = plain(server)) {
            assertThat(isAnswered(socket)).isTrue();
        }
    }

    @Test
    void a_header_from_anybody_else_is_no_frame() throws IOException {
        byte[][] headers = {version1("PROXY TCP4 10.9.8.7 1.2.3.4 40000 9876"), PROXY_V2};
        for (byte[] header : headers) {
            try (TestServer server = server(proxied("10.0.0.0/8", Duration.ofSeconds(10)));
                    Socket socket = plain(server)) {
                socket.getOutputStream().write(join(header, REQUEST));

                assertThat(isClosed(socket)).isTrue();
            }
        }
    }

    @Test
    void a_malformed_or_endless_header_is_closed() throws IOException {
        byte[][] headers = {
            version1("PROXY TCP4 " + "x".repeat(4000)),
            version1("PROXY TCP4 1 2 3 4"),
            HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111ffff" + "00".repeat(50)),
            version1("PRI * HTTP/2.0")
        };
        for (byte[] header : headers) {
            try (TestServer server = server(proxied("127.0.0.0/8", Duration.ofMillis(300)));
                    Socket socket = plain(server)) {
                socket.getOutputStream().write(header);

                assertThat(isClosed(socket)).isTrue();
            }
        }
    }
}
