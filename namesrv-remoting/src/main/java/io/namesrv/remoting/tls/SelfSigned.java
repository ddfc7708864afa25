package io.namesrv.remoting.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A key and a certificate that signs itself, for test mode: made in memory, never written to a file, good for nothing but
 * to speak TLS with peers that trust anybody. The JDK can read certificates but has no public way to make one.
 *
 * @param key the private key, on the curve P-256
 * @param certificate for the name {@code localhost}
 */
record SelfSigned(PrivateKey key, X509Certificate certificate) {
    private static final String CURVE = "secp256r1";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final byte[] ECDSA_WITH_SHA256 = {0x06, 0x08, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2};
    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0C;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xA0;

    /** Makes a new one, valid from a day ago for a year. */
    static SelfSigned make(Instant now) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        KeyPair pair = generator.generateKeyPair();

        byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, ascii("localhost")))));
        byte[] unsigned = der(
                SEQUENCE,
                der(VERSION, integer(BigInteger.TWO)),
                integer(new BigInteger(63, new SecureRandom())),
                algorithm,
                name,
                der(SEQUENCE, time(now.minusSeconds(86_400)), time(now.plusSeconds(365 * 86_400L))),
                name,
                pair.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(unsigned);
        byte[] signed = der(SEQUENCE, unsigned, algorithm, der(BIT_STRING, new byte[] {0}, signature.sign()));

        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        return new SelfSigned(
                pair.getPrivate(), (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(signed)));
    }

    private static byte[] integer(BigInteger value) {
        return der(INTEGER, value.toByteArray());
    }

    private static byte[] time(Instant instant) {
        return der(GENERALIZED_TIME, ascii(TIME.format(instant)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A DER value: tag, length, and the parts one after another. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
