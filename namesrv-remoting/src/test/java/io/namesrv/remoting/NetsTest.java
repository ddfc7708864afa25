package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class NetsTest {
    private static InetSocketAddress at(String host) {
        return new InetSocketAddress(host, 1);
    }

    @Test
    void an_address_lies_in_the_nets_that_contain_it() {
        Nets nets = Nets.parse("10.0.0.0/8, 192.168.1.7 ,fd00::/8,::1");

        assertThat(nets.contain(at("10.255.0.1"))).isTrue();
        assertThat(nets.contain(at("192.168.1.7"))).isTrue();
        assertThat(nets.contain(at("fd12::3"))).isTrue();
        assertThat(nets.contain(at("::1"))).isTrue();
        assertThat(nets.contain(at("11.0.0.1"))).isFalse();
        assertThat(nets.contain(at("192.168.1.8"))).isFalse();
        assertThat(nets.contain(at("fe80::1"))).isFalse();
        assertThat(nets.contain(InetSocketAddress.createUnresolved("10.0.0.1", 1)))
                .isFalse();
    }

    @Test
    void nothing_contains_nobody_and_everything_anybody() {
        assertThat(Nets.parse(" ").contain(at("127.0.0.1"))).isFalse();
        assertThat(Nets.parse("0.0.0.0/0").contain(at("8.8.8.8"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "localhost", "::1/129", "10.0.0.0/x", "/8"})
    void what_is_no_net_is_refused_and_named(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Nets.parse("127.0.0.1," + text))
                .withMessageContaining(text);
    }
}
