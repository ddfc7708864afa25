package io.namesrv.remoting.netty;

import io.namesrv.remoting.tls.TlsContexts;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What may stand before the first frame of a connection.
 *
 * @param tls contexts and mode of TLS; without them a TLS connection is closed as one whose first frame is too long
 * @param proxyProtocolFrom the nets from which a PROXY header is read; from everybody else it is no frame either
 * @param deadline for a PROXY header and for a TLS handshake, each counted from its first byte; zero for none
 */
public record Entrance(Optional<TlsContexts> tls, List<IpSubnetFilterRule> proxyProtocolFrom, Duration deadline) {
    /** Plain frames only. */
    public static final Entrance PLAIN = new Entrance(Optional.empty(), List.of(), Duration.ZERO);

    public Entrance {
        proxyProtocolFrom = List.copyOf(proxyProtocolFrom);
    }

    boolean readsProxyHeaderFrom(InetSocketAddress sender) {
        return proxyProtocolFrom.stream().anyMatch(net -> net.matches(sender));
    }
}
