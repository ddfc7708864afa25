package io.namesrv.remoting.tls;

import io.namesrv.remoting.tls.TlsOptions.Identity;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS contexts of both directions. They follow their files: {@link #reload()} looks whether one of them has changed
 * and, if the new ones make a context, takes that for connections to come; those that are open keep theirs. If they do
 * not, the last good one stays in force, where Apache's programs go on without TLS.
 */
public final class TlsContexts {
    private static final Logger log = LoggerFactory.getLogger(TlsContexts.class);
    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
    private static final byte[] MISSING = {};

    private record Contexts(SslContext server, Optional<SslContext> client) {}

    private final TlsOptions options;
    private volatile @Nullable Contexts contexts;
    private byte[] digest;

    /**
     * Builds the contexts. In test mode, where there is no file that may be bad, that is put off until one is needed or {@link
     * #prepare} is called: it takes most of a second, for which no start has to wait.
     *
     * @throws IOException naming the file or what is wrong, if they cannot be built
     */
    public TlsContexts(TlsOptions options) throws IOException {
        this.options = options;
        this.digest = digestOfFiles();
        if (!options.testMode()) {
            this.contexts = build();
        }
    }

    /** Builds what was put off, so that no connection has to wait for it. */
    public void prepare() {
        if (options.mode() != TlsMode.DISABLED || options.outgoing()) {
            Contexts unused = contexts();
        }
    }

    private Contexts contexts() {
        Contexts made = contexts;
        return made == null ? make() : made;
    }

    private synchronized Contexts make() {
        Contexts made = contexts;
        if (made == null) {
            try {
                made = build();
            } catch (IOException e) {
                throw new IllegalStateException("TLS: no context can be made for test mode", e);
            }
            contexts = made;
        }
        return made;
    }

    public TlsMode mode() {
        return options.mode();
    }

    /** Whether there are files to look at. */
    public boolean followsFiles() {
        return !options.testMode() && !files().isEmpty();
    }

    /** The context of accepted connections. */
    public SslContext server() {
        return contexts().server();
    }

    /** The context of connections that the daemon makes; absent if they are plain. */
    public Optional<SslContext> client() {
        return options.outgoing() ? contexts().client() : Optional.empty();
    }

    /**
     * Looks at the files. Called by one thread, from time to time.
     *
     * @return whether new contexts are in force
     */
    public boolean reload() {
        byte[] now = digestOfFiles();
        if (Arrays.equals(now, digest)) {
            return false;
        }
        digest = now;
        try {
            contexts = build();
            log.info("TLS files changed, new connections use them files={}", files());
            return true;
        } catch (IOException bad) {
            log.error("TLS files changed and cannot be used, the former ones stay in force: {}", bad.getMessage());
            return false;
        }
    }

    private List<Path> files() {
        return Stream.of(options.server(), options.client())
                .flatMap(side -> Stream.of(side.keyPath(), side.certPath(), side.trustCertPath()))
                .flatMap(Optional::stream)
                .toList();
    }

    private byte[] digestOfFiles() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (Path file : files()) {
                byte[] content = readOr(file, MISSING);
                sha256.update((byte) (content.length == 0 ? 0 : 1));
                sha256.update(content);
            }
            return sha256.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static byte[] readOr(Path file, byte[] other) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            return other;
        }
    }

    private Contexts build() throws IOException {
        return new Contexts(buildServer(), options.outgoing() ? Optional.of(buildClient()) : Optional.empty());
    }

    private SslContext buildServer() throws IOException {
        Identity side = options.server();
        if (options.testMode()) {
            SelfSigned own = selfSigned();
            return finish(SslContextBuilder.forServer(own.key(), own.certificate())
                    .trustManager(InsecureTrustManagerFactory.INSTANCE));
        }
        Pair pair = pair(side, "tls.server");
        return finish(trusting(SslContextBuilder.forServer(pair.key(), pair.chain()), side, "tls.server")
                .clientAuth(ClientAuth.valueOf(options.clientAuth().name())));
    }

    private static SelfSigned selfSigned() throws IOException {
        try {
            return SelfSigned.make(Clock.systemUTC().instant());
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: no certificate can be made for test mode: " + e.getMessage(), e);
        }
    }

    private SslContext buildClient() throws IOException {
        Identity side = options.client();
        SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm(null);
        if (options.testMode()) {
            return finish(builder.trustManager(InsecureTrustManagerFactory.INSTANCE));
        }
        if (side.keyPath().isPresent() || side.certPath().isPresent()) {
            Pair pair = pair(side, "tls.client");
            builder.keyManager(pair.key(), pair.chain());
        }
        return finish(trusting(builder, side, "tls.client"));
    }

    private static SslContext finish(SslContextBuilder builder) throws IOException {
        return builder.sslProvider(SslProvider.JDK).protocols(PROTOCOLS).build();
    }

    private static SslContextBuilder trusting(SslContextBuilder builder, Identity side, String prefix)
            throws IOException {
        if (!side.checksPeer()) {
            return builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
        }
        if (side.trustCertPath().isEmpty()) {
            return builder; // the authorities of the JVM
        }
        return builder.trustManager(PemFiles.certificates(readable(side.trustCertPath(), prefix + ".trustCertPath")));
    }

    private record Pair(PrivateKey key, List<X509Certificate> chain) {}

    /** Key and certificate of a side, which are refused here unless they belong together: no handshake would succeed. */
    private static Pair pair(Identity side, String prefix) throws IOException {
        Path keyFile = readable(side.keyPath(), prefix + ".keyPath");
        Path certFile = readable(side.certPath(), prefix + ".certPath");
        List<X509Certificate> chain = PemFiles.certificates(certFile);
        PrivateKey key = PemFiles.privateKey(keyFile, side.keyPassword());
        if (chain.isEmpty()) {
            throw new IOException(certFile + " holds no certificate");
        }
        if (!PemFiles.belongTogether(key, chain.get(0).getPublicKey())) {
            throw new IOException(keyFile + " is not the key of " + certFile);
        }
        return new Pair(key, chain);
    }

    private static Path readable(Optional<Path> path, String key) throws IOException {
        if (path.isEmpty()) {
            throw new IOException(key + " is not set (or set tls.test.mode.enable=true)");
        }
        if (!Files.isReadable(path.get())) {
            throw new IOException(key + ": " + path.get() + " cannot be read");
        }
        return path.get();
    }
}
