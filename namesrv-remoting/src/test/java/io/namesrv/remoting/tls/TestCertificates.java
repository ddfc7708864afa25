package io.namesrv.remoting.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A key and a certificate of its own in two PEM files. */
public record TestCertificates(Path key, Path cert, X509Certificate certificate) {
    private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

    /** Makes new ones and writes them, over those that may be there. */
    public static TestCertificates write(Path directory, String name) {
        try {
            SelfSigned made = SelfSigned.make(Instant.now());
            return write(directory, name, made, pem("PRIVATE KEY", made.key().getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    static TestCertificates writeEncrypted(Path directory, String name, String password) {
        try {
            SelfSigned made = SelfSigned.make(Instant.now());
            return write(directory, name, made, pem("ENCRYPTED PRIVATE KEY", encrypted(made.key(), password)));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static TestCertificates write(Path directory, String name, SelfSigned made, String key)
            throws IOException, GeneralSecurityException {
        Path keyFile = Files.writeString(directory.resolve(name + ".key"), key);
        Path certFile = Files.writeString(
                directory.resolve(name + ".pem"),
                pem("CERTIFICATE", made.certificate().getEncoded()));
        return new TestCertificates(keyFile, certFile, made.certificate());
    }

    private static byte[] encrypted(PrivateKey key, String password) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(ENCRYPTION);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(ENCRYPTION).generateSecret(new PBEKeySpec(password.toCharArray())));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        return new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded();
    }

    private static String pem(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }

    /** As the identity of a side that trusts anybody. */
    public TlsOptions.Identity identity() {
        return new TlsOptions.Identity(Optional.of(key), "", Optional.of(cert), false, Optional.empty());
    }
}
