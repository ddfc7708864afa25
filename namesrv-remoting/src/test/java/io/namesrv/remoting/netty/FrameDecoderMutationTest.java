package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.remoting.NoLeaks;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Frames that were damaged at random: each is read, waited for or ends the connection, and nothing else happens. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class FrameDecoderMutationTest {
    private static final int ROUNDS = 10_000;
    private static final int[] WORDS = {0, Integer.MAX_VALUE, -1, 0x10000, 0x7F, 0x01000000};
    private static final List<byte[]> SEEDS = List.of(
            Wire.golden("g1-request-105-json"),
            Wire.golden("g2-request-105-rocketmq"),
            Wire.golden("g3-request-104-json"),
            Wire.golden("g3-request-104-rocketmq"),
            Wire.golden("g4-reply-17-json"),
            Wire.golden("g4-reply-17-rocketmq"));

    @Test
    void damaged_frames_never_break_the_decoder() {
        long seed = 20251130;
        Random random = new Random(seed);
        int read = 0;
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] frame = damage(random, SEEDS.get(random.nextInt(SEEDS.size())));
            try (DecoderBench bench = new DecoderBench()) {
                int cut = random.nextInt(frame.length + 1);
                bench.feed(frame, 0, cut).feed(frame, cut, frame.length);
                bench.frames.forEach(
                        whole -> assertThat(whole.command().toString()).isNotEmpty());

                long held = bench.frames.stream().mapToInt(InboundFrame::bytes).sum();
                assertThat(bench.condemned.size()).as("ends").isLessThanOrEqualTo(1);
                bench.hangUp();
                assertThat(bench.admission.total()).as("bytes held").isEqualTo(held);
                read += bench.frames.size();
                refused += bench.condemned.size();
            } catch (Throwable broken) {
                throw new AssertionError(
                        "seed " + seed + " round " + round + " frame " + Arrays.toString(frame), broken);
            }
        }
        assertThat(read).as("frames that were still good").isGreaterThan(ROUNDS / 20);
        assertThat(refused).as("frames that were refused").isGreaterThan(ROUNDS / 20);
    }

    private static byte[] damage(Random random, byte[] whole) {
        byte[] frame = whole.clone();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(20) == 0 ? random.nextInt(frame.length) : 4 + random.nextInt(frame.length - 4);
            switch (random.nextInt(5)) {
                case 0 -> frame[at] = (byte) random.nextInt(256);
                case 1 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> frame = without(frame, at, 1 + random.nextInt(8));
                case 3 -> frame = with(frame, at, random);
                default -> overwrite(frame, at, WORDS[random.nextInt(WORDS.length)]);
            }
            if (frame.length < 12) {
                frame = Arrays.copyOf(frame, 12);
            }
        }
        if (random.nextInt(10) > 0) {
            ByteBuffer.wrap(frame).putInt(frame.length - 4);
        }
        return frame;
    }

    private static byte[] without(byte[] frame, int at, int count) {
        int end = Math.min(frame.length, at + count);
        return Wire.join(Arrays.copyOf(frame, at), Arrays.copyOfRange(frame, end, frame.length));
    }

    private static byte[] with(byte[] frame, int at, Random random) {
        byte[] more = new byte[1 + random.nextInt(8)];
        random.nextBytes(more);
        return Wire.join(Arrays.copyOf(frame, at), more, Arrays.copyOfRange(frame, at, frame.length));
    }

    private static void overwrite(byte[] frame, int at, int word) {
        if (at + 4 <= frame.length) {
            ByteBuffer.wrap(frame).putInt(at, word);
        }
    }
}
