package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.core.Ticker;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.server.NamesrvController;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes to the ports for operators, and when they are open. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdminPortsDaemonTest {
    private static final int PORT = Http.freePort();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon()
            .with("adminPort", PORT)
            .with("adminToken", "open sesame")
            .with("adminConnectionsMax", 3);

    private final Http http = new Http(PORT);

    private NamesrvController another() throws Exception {
        return new NamesrvController(
                daemon.load(), new TlsContexts(TlsOptions.DEFAULT), Ticker.system(), SerializeType.JSON, died -> {});
    }

    @Test
    void whoever_brings_the_token_is_answered() throws Exception {
        assertThat(http.get("/livez", "Authorization", "Bearer open sesame").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer open", "Bearer", "Basic open sesame", "open sesame", "bearer open sesame"})
    void nobody_else_is(String authorization) throws Exception {
        assertThat(http.get("/api/v1/status", "Authorization", authorization).statusCode())
                .isEqualTo(401);
        assertThat(http.get("/api/v1/status").statusCode()).isEqualTo(401);
    }

    @Test
    void a_port_that_was_set_and_is_taken_ends_the_start() throws Exception {
        try (NamesrvController second = another()) {
            assertThatThrownBy(second::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1:" + PORT)
                    .hasMessageEndingWith("(set adminPort, or 0 for none)");
        }
    }

    @Test
    void beyond_loopback_there_is_no_port_without_a_token() throws Exception {
        daemon.with("adminBindAddress", "0.0.0.0").with("adminToken", "");

        try (NamesrvController second = another()) {
            assertThatThrownBy(second::start)
                    .isInstanceOf(IOException.class)
                    .hasMessage("adminBindAddress: 0.0.0.0 (beyond loopback only with an adminToken)");
        }
    }

    @Test
    void one_connection_too_many_is_told_so() throws Exception {
        try (Socket first = open();
                Socket second = open();
                Socket third = open()) {
            assertThat(first.isConnected() && second.isConnected() && third.isConnected())
                    .isTrue();
            try (Socket fourth = open()) {
                fourth.setSoTimeout(10_000);
                assertThat(new String(fourth.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 503 ");
            }
        }
    }

    private static Socket open() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), PORT);
    }
}
