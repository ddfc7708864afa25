package io.namesrv.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.remoting.tls.TlsMode;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.remoting.tls.TlsOptions.ClientAuth;
import io.namesrv.remoting.tls.TlsOptions.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TlsSettingsTest {
    @TempDir
    Path directory;

    private String missing() {
        return directory.resolve("missing").toString();
    }

    @Test
    void without_any_setting_it_is_permissive_in_test_mode() throws IOException {
        assertThat(TlsSettings.load(Map.of("tls.config.file", missing()))).isEqualTo(TlsOptions.DEFAULT);
    }

    @Test
    void the_file_is_laid_over_the_system_properties_but_for_the_mode_and_the_outgoing_side() throws IOException {
        Path file = Files.writeString(directory.resolve("tls.properties"), """
                tls.server.mode=disabled
                tls.enable=false
                tls.test.mode.enable=false
                tls.server.need.client.auth=require
                tls.server.keyPath=/k
                tls.server.keyPassword=secret
                tls.server.certPath=/c
                tls.server.authClient=true
                tls.server.trustCertPath=/ca
                tls.client.authServer=true
                """);

        TlsOptions options = TlsSettings.load(Map.of(
                "tls.config.file", file.toString(),
                "tls.server.mode", "enforcing",
                "tls.enable", "true",
                "tls.test.mode.enable", "true",
                "tls.server.keyPath", "/other"));

        assertThat(options)
                .isEqualTo(new TlsOptions(
                        TlsMode.ENFORCING,
                        false,
                        ClientAuth.REQUIRE,
                        new Identity(
                                Optional.of(Path.of("/k")),
                                "secret",
                                Optional.of(Path.of("/c")),
                                true,
                                Optional.of(Path.of("/ca"))),
                        true,
                        new Identity(Optional.empty(), "", Optional.empty(), true, Optional.empty())));
    }

    @Test
    void a_file_that_cannot_be_read_is_named() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> TlsSettings.load(Map.of("tls.config.file", directory.toString())))
                .withMessageContaining("tls.config.file")
                .withMessageContaining(directory.toString());
    }
}
