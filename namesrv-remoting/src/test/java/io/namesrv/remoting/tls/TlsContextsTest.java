package io.namesrv.remoting.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.remoting.tls.TlsOptions.Identity;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TlsContextsTest {
    @TempDir
    Path directory;

    private static TlsOptions withFiles(Identity server) {
        return new TlsOptions(TlsMode.PERMISSIVE, false, TlsOptions.ClientAuth.NONE, server, false, Identity.NONE);
    }

    @Test
    void the_certificate_of_test_mode_is_good_for_a_year_and_signs_itself() throws GeneralSecurityException {
        Instant now = Instant.now();

        SelfSigned made = SelfSigned.make(now);

        made.certificate().checkValidity();
        made.certificate().verify(made.certificate().getPublicKey());
        assertThat(made.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=localhost");
        assertThat(Duration.between(now, made.certificate().getNotAfter().toInstant()))
                .isBetween(Duration.ofDays(364), Duration.ofDays(365));
        assertThat(PemFiles.belongTogether(made.key(), made.certificate().getPublicKey()))
                .isTrue();
    }

    @Test
    void test_mode_needs_no_files_and_leaves_none() throws IOException {
        TlsContexts contexts = new TlsContexts(TlsOptions.DEFAULT);

        assertThat(contexts.mode()).isEqualTo(TlsMode.PERMISSIVE);
        assertThat(contexts.client()).isEmpty();
        assertThat(contexts.reload()).isFalse();
        assertThat(directory).isEmptyDirectory();
        contexts.prepare();
        assertThat(contexts.server()).isSameAs(contexts.server());
    }

    @Test
    void any_name_that_is_no_mode_is_permissive() {
        assertThat(TlsMode.ofName("Enforcing ")).isEqualTo(TlsMode.ENFORCING);
        assertThat(TlsMode.ofName("disabled")).isEqualTo(TlsMode.DISABLED);
        assertThat(TlsMode.ofName("strict")).isEqualTo(TlsMode.PERMISSIVE);
        assertThat(TlsMode.ofName("")).isEqualTo(TlsMode.PERMISSIVE);
    }

    @Test
    void a_new_pair_of_files_is_taken_for_connections_to_come() throws IOException {
        TestCertificates first = TestCertificates.write(directory, "a");
        TlsContexts contexts = new TlsContexts(withFiles(first.identity()));
        SslContext before = contexts.server();

        TestCertificates.write(directory, "a");

        assertThat(contexts.reload()).isTrue();
        assertThat(contexts.server()).isNotSameAs(before);
        assertThat(contexts.reload()).isFalse();
    }

    @Test
    void a_certificate_without_its_key_is_refused_and_the_former_pair_stays_until_the_key_follows() throws IOException {
        TestCertificates first = TestCertificates.write(directory, "a");
        TlsContexts contexts = new TlsContexts(withFiles(first.identity()));
        SslContext before = contexts.server();
        TestCertificates next = TestCertificates.write(directory, "next");

        Files.move(next.cert(), first.cert(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(contexts.reload()).isFalse();
        assertThat(contexts.server()).isSameAs(before);
        Files.move(next.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
        assertThat(contexts.reload()).isTrue();
    }

    @Test
    void files_that_vanish_or_hold_nonsense_leave_the_former_pair_in_force() throws IOException {
        TestCertificates pair = TestCertificates.write(directory, "a");
        TlsContexts contexts = new TlsContexts(withFiles(pair.identity()));
        SslContext before = contexts.server();

        Files.writeString(pair.cert(), "nonsense");
        assertThat(contexts.reload()).isFalse();
        Files.delete(pair.key());
        assertThat(contexts.reload()).isFalse();

        assertThat(contexts.server()).isSameAs(before);
    }

    @Test
    void an_encrypted_key_is_read_with_its_password_only() throws IOException {
        TestCertificates pair = TestCertificates.writeEncrypted(directory, "a", "secret");

        assertThat(PemFiles.privateKey(pair.key(), "secret").getAlgorithm()).isEqualTo("EC");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> PemFiles.privateKey(pair.key(), "wrong"))
                .withMessageContaining("password");
    }

    @Test
    void what_is_missing_or_does_not_belong_together_fails_the_start_with_its_name() {
        TestCertificates one = TestCertificates.write(directory, "one");
        TestCertificates other = TestCertificates.write(directory, "other");
        Identity mixed = new Identity(Optional.of(one.key()), "", Optional.of(other.cert()), false, Optional.empty());

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new TlsContexts(withFiles(Identity.NONE)))
                .withMessageContaining("tls.server.keyPath");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new TlsContexts(withFiles(mixed)))
                .withMessageContaining("is not the key of");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new TlsContexts(withFiles(
                        new Identity(Optional.of(one.cert()), "", Optional.of(one.cert()), false, Optional.empty()))))
                .withMessageContaining("holds no private key");
    }
}
