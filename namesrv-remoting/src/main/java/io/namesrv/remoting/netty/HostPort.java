package io.namesrv.remoting.netty;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Reads addresses as brokers write them: {@code host:port}, where the host may be an IPv6 address, bracketed or not. */
final class HostPort {
    private HostPort() {}

    /** The address, its host not resolved yet unless it is a number; empty for what is none. */
    static Optional<InetSocketAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        boolean unfit = host.isBlank() || (host.indexOf(':') >= 0 && !NetUtil.isValidIpV6Address(host));
        int port = port(text.substring(colon + 1));
        return unfit || port < 1 ? Optional.empty() : Optional.of(InetSocketAddress.createUnresolved(host, port));
    }

    private static int port(String digits) {
        try {
            int port = Integer.parseInt(digits);
            return port <= 65535 ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
