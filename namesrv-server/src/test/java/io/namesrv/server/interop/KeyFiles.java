package io.namesrv.server.interop;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A private key and a certificate for it, made by the JDK's keytool and written as PEM files, as an operator has them. */
final class KeyFiles {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Path directory;
    private final Path store;

    private KeyFiles(Path directory, Path store) {
        this.directory = directory;
        this.store = store;
    }

    /** A new pair; the directory gets the tool's own file. */
    static KeyFiles make(Path directory, String name) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        KeyFiles made = new KeyFiles(directory, directory.resolve(name + ".p12"));
        made.keytool("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30");
        return made;
    }

    /** Signs the same key anew: another certificate, the same key. */
    void renew() throws IOException, InterruptedException {
        keytool("-selfcert", "-validity", "60");
    }

    private void keytool(String command, String... more) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(Places.jdk().resolve("bin/keytool").toString(), command));
        words.addAll(List.of("-alias", "server", "-dname", "CN=localhost"));
        words.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", "changeit"));
        words.addAll(List.of(more));
        try (ChildProcess tool = ChildProcess.start("keytool", directory, Map.of(), words)) {
            if (tool.exitCode(LIMIT) != 0) {
                throw tool.failure("keytool failed");
            }
        }
    }

    X509Certificate certificate() throws IOException, GeneralSecurityException {
        return (X509Certificate) open().getCertificate("server");
    }

    void writeKey(Path file) throws IOException, GeneralSecurityException {
        write(file, "PRIVATE KEY", open().getKey("server", PASSWORD).getEncoded());
    }

    void writeCertificate(Path file) throws IOException, GeneralSecurityException {
        write(file, "CERTIFICATE", certificate().getEncoded());
    }

    private KeyStore open() throws IOException, GeneralSecurityException {
        KeyStore opened = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, PASSWORD);
        }
        return opened;
    }

    /** A reader sees the former content or the new one. */
    private static void write(Path file, String kind, byte[] der) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + kind + "-----\n";
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, text, StandardCharsets.US_ASCII);
        Files.move(fresh, file, ATOMIC_MOVE, REPLACE_EXISTING);
    }
}
