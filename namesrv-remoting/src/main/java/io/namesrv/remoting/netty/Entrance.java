package io.namesrv.remoting.netty;

import io.namesrv.remoting.Nets;
import io.namesrv.remoting.tls.TlsContexts;
import java.time.Duration;
import java.util.Optional;

/**
 * What may stand before the first frame of a connection.
 *
 * @param tls contexts and mode of TLS; without them a TLS connection is closed as one whose first frame is too long
 * @param proxyProtocolFrom the nets from which a PROXY header is read; from everybody else it is no frame either
 * @param deadline for a PROXY header and for a TLS handshake, each counted from its first byte; zero for none
 */
public record Entrance(Optional<TlsContexts> tls, Nets proxyProtocolFrom, Duration deadline) {
    /** Plain frames only. */
    public static final Entrance PLAIN = new Entrance(Optional.empty(), Nets.NONE, Duration.ZERO);
}
