package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Real brokers and clients over TLS, and certificates that are replaced under them. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class TlsFieldTest {
    /** The files are looked at twice a second. */
    private static final Duration RELOAD_LIMIT = Duration.ofSeconds(10);

    private static final Pattern REFUSED = Pattern.compile("cannot be used, the former ones stay in force");

    @ParameterizedTest
    @MethodSource("modes")
    void certificates_are_replaced_under_traffic(
            String version, String mode, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        Path key = directory.resolve("server.key");
        Path certificate = directory.resolve("server.pem");
        KeyFiles first = KeyFiles.make(directory.resolve("keys"), "first");
        KeyFiles second = KeyFiles.make(directory.resolve("keys"), "second");
        KeyFiles stranger = KeyFiles.make(directory.resolve("keys"), "stranger");
        first.writeKey(key);
        first.writeCertificate(certificate);
        String options = String.join(
                " ",
                "-Dtls.server.mode=" + mode,
                "-Dtls.test.mode.enable=false",
                "-Dtls.server.keyPath=" + key,
                "-Dtls.server.certPath=" + certificate);
        BrokerSetup a = Clusters.master("field-a");
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(NamesrvProcess.startTls(directory, options));
            ApachePeers peers = ApachePeers.of(version, directory, namesrv.address())
                    .with("-Dtls.enable=true", "-Dtls.server.mode=permissive");
            processes.add(peers.startBroker(a));
            Clusters.await(namesrv, a);
            Clusters.createTopic(peers, a);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "traffic")) {
                assertThat(namesrv.dial().certificate()).isEqualTo(first.certificate());

                first.renew();
                first.writeCertificate(certificate);
                awaitServed(namesrv, first);
                traffic.awaitFlow();

                second.writeKey(key);
                second.writeCertificate(certificate);
                awaitServed(namesrv, second);
                traffic.awaitFlow();

                stranger.writeCertificate(certificate);
                namesrv.until(
                        "the refusal of a certificate for another key",
                        RELOAD_LIMIT,
                        () -> REFUSED.matcher(namesrv.output()).results().count() > 0
                                && namesrv.output().lastIndexOf("former ones stay")
                                        > namesrv.output().lastIndexOf("new connections use them"));
                assertThat(namesrv.dial().certificate()).isEqualTo(second.certificate());
                traffic.awaitFlow();
                try (Traffic fresh = Traffic.start(peers, "fresh")) {
                    assertThat(fresh.finish().lost()).isZero();
                }

                // Had the broker's connection been closed, the route would have been away until its next registration.
                assertThat(watch.longestWithoutRoute()).isZero();
                assertThat(watch.connections()).isOne();
                FieldReport.add(
                        "TLS, " + mode + ": certificate, then both files replaced, then a pair that does not fit",
                        version,
                        TestedNamesrv.OURS,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "no connection closed");
            }
            assertThat(namesrv.stop()).isZero();
            assertThat(namesrv.output()).contains(" unsupportedCodes={}");
        }
    }

    static Stream<Arguments> modes() {
        return Stream.of("4.9.7", "5.3.3", "5.5.0")
                .flatMap(version -> Stream.of("permissive", "enforcing").map(mode -> Arguments.of(version, mode)));
    }

    private static void awaitServed(NamesrvProcess namesrv, KeyFiles files) throws Exception {
        X509Certificate expected = files.certificate();
        namesrv.until("the new certificate", RELOAD_LIMIT, () -> {
            try {
                return namesrv.dial().certificate().equals(expected);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
