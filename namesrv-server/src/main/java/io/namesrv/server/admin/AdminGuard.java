package io.namesrv.server.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who may ask. A name that is not ours in the Host header is refused, so that a page in somebody's browser cannot ask by a
 * name of its own that leads here; and where there is a token, whoever does not bring it.
 */
final class AdminGuard {
    /** Lets everybody ask by any name: for a port that tells nothing of anybody. */
    static final AdminGuard OPEN = new AdminGuard(Set.of(), Optional.empty());

    private static final String BEARER = "Bearer ";

    private final Set<String> hosts;
    private final Optional<byte[]> token;

    /**
     * Makes one.
     *
     * @param hosts names and addresses, without a port
     * @param token absent if none is asked for
     */
    AdminGuard(Set<String> hosts, Optional<String> token) {
        this.hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.token = token.map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    void checkHost(HttpHeaders headers) throws AdminException {
        if (hosts.isEmpty()) {
            return;
        }
        List<String> named = headers.getAll(HttpHeaderNames.HOST);
        if (named.size() != 1 || !hosts.contains(withoutPort(named.get(0)).toLowerCase(Locale.ROOT))) {
            throw new AdminException(
                    HttpResponseStatus.FORBIDDEN,
                    "wrong_host",
                    "the Host header names no host of this daemon",
                    "ask by an address or a name in adminHosts");
        }
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        boolean port = colon > host.lastIndexOf(']');
        return port ? host.substring(0, colon) : host;
    }

    void checkToken(HttpHeaders headers) throws AdminException {
        if (token.isEmpty()) {
            return;
        }
        String given = headers.get(HttpHeaderNames.AUTHORIZATION, "");
        boolean same = given.startsWith(BEARER)
                && MessageDigest.isEqual(
                        token.get(), given.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8));
        if (!same) {
            throw new AdminException(
                    HttpResponseStatus.UNAUTHORIZED,
                    "unauthorized",
                    "a token is needed",
                    "send Authorization: Bearer and the adminToken of this daemon");
        }
    }
}
