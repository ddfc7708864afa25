package io.namesrv.server.processor;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;

/**
 * What a body is known again by: its length and a hash of 128 bits (XXH3), which is another one in each process. It is no
 * proof against whoever might find out the seed; but all that two equal bodies get him is what the first one says.
 */
record BodyHash(int length, HashValue128 hash) {
    private static final Hasher128 HASHER = Hashing.xxh3_128(new SecureRandom().nextLong());

    static BodyHash of(byte[] body) {
        return new BodyHash(body.length, HASHER.hashBytesTo128Bits(body));
    }
}
