package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:10911,127.0.0.1,10911",
        "broker-a.example:1,broker-a.example,1",
        "[::1]:65535,::1,65535",
        "::1:10911,::1,10911",
        "fe80::1:2:10911,fe80::1:2,10911"
    })
    void an_address_is_read(String text, String host, int port) {
        assertThat(HostPort.parse(text)).contains(InetSocketAddress.createUnresolved(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", ":1", "x:", "x:0", "x:65536", "x:-1", "x:y", "a:b:1", "[]:1", "[x:y]:1", " :1"})
    void what_is_no_address_is_none(String text) {
        assertThat(HostPort.parse(text)).isEmpty();
    }
}
