package io.namesrv.server.config;

import io.namesrv.remoting.tls.TlsMode;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.remoting.tls.TlsOptions.ClientAuth;
import io.namesrv.remoting.tls.TlsOptions.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of TLS, where Apache's programs have them: system properties {@code tls.*}, over which the file named by
 * {@code tls.config.file} is laid, but for {@code tls.server.mode} and {@code tls.enable}, which are system properties
 * alone. They are no keys of the daemon's own file and cannot change at run time; the files they name are followed.
 */
public final class TlsSettings {
    private static final String MODE = "tls.server.mode";
    private static final String OUTGOING = "tls.enable";
    private static final String CONFIG_FILE = "tls.config.file";
    private static final String CONFIG_FILE_DEFAULT = "/etc/rocketmq/tls.properties";

    private final Map<String, String> values;

    private TlsSettings(Map<String, String> values) {
        this.values = values;
    }

    /** Reads those of this process, as {@link #load}. */
    public static TlsOptions ofProcess() throws IOException {
        return load(ConfigLoader.systemProperties());
    }

    /**
     * Reads them.
     *
     * @param systemProperties those of the process
     * @throws IOException if the file is there and cannot be read
     */
    static TlsOptions load(Map<String, String> systemProperties) throws IOException {
        Map<String, String> values = new HashMap<>(systemProperties);
        Map<String, String> ofFile = file(Path.of(systemProperties.getOrDefault(CONFIG_FILE, CONFIG_FILE_DEFAULT)));
        ofFile.forEach((key, value) -> {
            if (!key.equals(MODE) && !key.equals(OUTGOING)) {
                values.put(key, value);
            }
        });
        return new TlsSettings(values).options();
    }

    private static Map<String, String> file(Path path) throws IOException {
        try {
            return PropertiesText.parse(Files.readString(path, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException missing) {
            return Map.of();
        } catch (IOException | PropertiesText.MalformedException bad) {
            throw new IOException("tls.config.file: " + path + " cannot be read: " + bad.getMessage(), bad);
        }
    }

    private TlsOptions options() {
        return new TlsOptions(
                TlsMode.ofName(values.getOrDefault(MODE, "permissive")),
                bool("tls.test.mode.enable", true),
                clientAuth(values.getOrDefault("tls.server.need.client.auth", "none")),
                identity("tls.server.", "authClient"),
                bool(OUTGOING, false),
                identity("tls.client.", "authServer"));
    }

    private static ClientAuth clientAuth(String name) {
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "optional" -> ClientAuth.OPTIONAL;
            case "require" -> ClientAuth.REQUIRE;
            default -> ClientAuth.NONE;
        };
    }

    private Identity identity(String prefix, String checksPeer) {
        return new Identity(
                path(prefix + "keyPath"),
                values.getOrDefault(prefix + "keyPassword", ""),
                path(prefix + "certPath"),
                bool(prefix + checksPeer, false),
                path(prefix + "trustCertPath"));
    }

    private Optional<Path> path(String key) {
        return Optional.ofNullable(values.get(key))
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }

    private boolean bool(String key, boolean byDefault) {
        return Boolean.parseBoolean(values.getOrDefault(key, Boolean.toString(byDefault)));
    }
}
