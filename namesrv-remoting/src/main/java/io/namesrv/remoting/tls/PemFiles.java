package io.namesrv.remoting.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Reads keys and certificates from PEM files, and tells whether two belong together. */
final class PemFiles {
    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN (ENCRYPTED )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END (?:ENCRYPTED )?PRIVATE KEY-----");
    private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "DSA");

    private PemFiles() {}

    /** The certificates of a file, in its order. */
    static List<X509Certificate> certificates(Path file) throws IOException {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return factory.generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file))).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (GeneralSecurityException bad) {
            throw new IOException(file + " holds no certificate: " + bad.getMessage(), bad);
        }
    }

    /**
     * The private key of a file, in PKCS#8.
     *
     * @param password of an encrypted key; empty for one that is not
     */
    static PrivateKey privateKey(Path file, String password) throws IOException {
        Matcher pem = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IOException(file + " holds no private key in PKCS#8 (-----BEGIN PRIVATE KEY-----)");
        }
        try {
            byte[] content = Base64.getMimeDecoder().decode(pem.group(2));
            return key(pem.group(1) == null ? new PKCS8EncodedKeySpec(content) : decrypted(content, password));
        } catch (GeneralSecurityException | IllegalArgumentException bad) {
            throw new IOException(file + " holds no usable private key (wrong password?): " + bad.getMessage(), bad);
        }
    }

    private static PKCS8EncodedKeySpec decrypted(byte[] content, String password)
            throws IOException, GeneralSecurityException {
        EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(content);
        AlgorithmParameters parameters = encrypted.getAlgParameters();
        // For PBES2 the name of the algorithm says too little; its parameters print what it is made of.
        String algorithm = encrypted.getAlgName().equals("PBES2") ? parameters.toString() : encrypted.getAlgName();
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                parameters);
        return encrypted.getKeySpec(cipher);
    }

    private static PrivateKey key(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
        for (String type : KEY_TYPES) {
            try {
                return KeyFactory.getInstance(type).generatePrivate(spec);
            } catch (InvalidKeySpecException otherType) {
                // the next one, then
            }
        }
        throw new InvalidKeySpecException("not one of " + KEY_TYPES);
    }

    /** Whether a signature of the private key is one of the public key. */
    static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) {
        byte[] text = "namesrv".getBytes(StandardCharsets.US_ASCII);
        String algorithm = switch (privateKey.getAlgorithm()) {
            case "EdDSA" -> "EdDSA";
            case "EC" -> "SHA256withECDSA";
            default -> "SHA256with" + privateKey.getAlgorithm();
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException differentKinds) {
            return false;
        }
    }
}
