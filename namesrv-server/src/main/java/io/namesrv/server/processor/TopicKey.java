package io.namesrv.server.processor;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The name of a topic, as UTF-8 in a part of an array: what is looked up is no text before it is found. The hash is of this
 * process alone, so that nobody can choose names that meet.
 */
final class TopicKey {
    private static final int SEED = ThreadLocalRandom.current().nextInt();

    private final byte[] bytes;
    private final int from;
    private final int to;
    private final int hash;

    TopicKey(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.hash = hash(bytes, from, to);
    }

    /** A key to be kept. */
    static TopicKey of(String topic) {
        byte[] bytes = topic.getBytes(StandardCharsets.UTF_8);
        return new TopicKey(bytes, 0, bytes.length);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = SEED;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x9E3779B1;
            hash ^= hash >>> 15;
        }
        return hash;
    }

    int length() {
        return to - from;
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TopicKey key
                && hash == key.hash
                && Arrays.equals(bytes, from, to, key.bytes, key.from, key.to);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
