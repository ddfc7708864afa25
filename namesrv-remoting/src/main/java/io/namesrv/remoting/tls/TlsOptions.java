package io.namesrv.remoting.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What TLS is set up from; the keys {@code tls.*} of Apache's programs.
 *
 * @param mode which connections are served
 * @param testMode whether a certificate made at start takes the place of files, and any peer is trusted
 * @param clientAuth whether clients show certificates
 * @param server this server's own key and certificate, and whom it trusts
 * @param outgoing whether connections that the daemon makes itself use TLS
 * @param client key, certificate and trust of such connections
 */
public record TlsOptions(
        TlsMode mode, boolean testMode, ClientAuth clientAuth, Identity server, boolean outgoing, Identity client) {
    /** Apache's defaults: permissive, in test mode, nothing asked of clients, outgoing connections plain. */
    public static final TlsOptions DEFAULT =
            new TlsOptions(TlsMode.PERMISSIVE, true, ClientAuth.NONE, Identity.NONE, false, Identity.NONE);

    /** Whether a client shows a certificate ({@code tls.server.need.client.auth}). */
    public enum ClientAuth {
        NONE,
        OPTIONAL,
        REQUIRE
    }

    /**
     * A side's own key and certificate, and its trust.
     *
     * @param keyPath private key, PEM in PKCS#8
     * @param keyPassword password of the key, empty for none
     * @param certPath certificate chain, PEM
     * @param checksPeer whether the peer's certificate is checked
     * @param trustCertPath certificates of the authorities that it is checked against, PEM; without them those of the JVM
     */
    public record Identity(
            Optional<Path> keyPath,
            String keyPassword,
            Optional<Path> certPath,
            boolean checksPeer,
            Optional<Path> trustCertPath) {
        public static final Identity NONE =
                new Identity(Optional.empty(), "", Optional.empty(), false, Optional.empty());
    }
}
