package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.NoLeaks;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class FrameDecoderWireTest {
    private static final byte[] BODY = "a body of some bytes".getBytes(StandardCharsets.US_ASCII);

    private static byte[] request(int opaque) {
        SerializeType form = opaque % 2 == 0 ? SerializeType.JSON : SerializeType.ROCKETMQ;
        return Wire.encode(RemotingCommand.request(105, Map.of("topic", "T1"))
                .withBody(BODY)
                .withSerializeType(form)
                .withOpaque(opaque));
    }

    private static ConnectionLimits limits(int frameMax, Duration frameDeadline) {
        return new ConnectionLimits(
                frameMax,
                frameDeadline,
                Duration.ZERO,
                0,
                Duration.ZERO,
                0,
                HeaderLimits.DEFAULT,
                ConnectionLimits.Together.DEFAULT);
    }

    private static void assertIsRequest(RemotingCommand command, int opaque) {
        assertThat(command.opaque()).isEqualTo(opaque);
        assertThat(command.code()).isEqualTo(105);
        assertThat(command.extFields()).isEqualTo(Map.of("topic", "T1"));
        assertThat(command.bodyBytes()).isEqualTo(BODY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_frame_may_come_byte_by_byte(int opaque) {
        try (DecoderBench bench = new DecoderBench()) {
            bench.feedByteByByte(Wire.join(request(opaque), request(opaque)));

            assertThat(bench.commands()).hasSize(2).allSatisfy(command -> assertIsRequest(command, opaque));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_frame_may_be_split_anywhere(int opaque) {
        byte[] frame = request(opaque);
        try (DecoderBench bench = new DecoderBench()) {
            for (int cut = 1; cut < frame.length; cut++) {
                bench.feed(frame, 0, cut).feed(frame, cut, frame.length);
            }

            assertThat(bench.commands())
                    .hasSize(frame.length - 1)
                    .allSatisfy(command -> assertIsRequest(command, opaque));
            assertThat(bench.condemned).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void a_frame_that_is_cut_short_is_nothing_and_gives_its_bytes_back(int opaque) {
        byte[] frame = request(opaque);
        for (int cut = 0; cut < frame.length; cut++) {
            try (DecoderBench bench = new DecoderBench()) {
                bench.feed(frame, 0, cut);

                assertThat(bench.admission.total()).isEqualTo(cut);
                bench.hangUp();
                assertThat(bench.frames).isEmpty();
                assertThat(bench.condemned).isEmpty();
                assertThat(bench.admission.total()).isZero();
            }
        }
    }

    @Test
    void five_hundred_frames_of_both_forms_may_come_in_one_piece() {
        byte[] all = Wire.join(
                IntStream.range(0, 500).mapToObj(FrameDecoderWireTest::request).toArray(byte[][]::new));
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(all);

            assertThat(bench.commands()).hasSize(500);
            for (int i = 0; i < 500; i++) {
                assertIsRequest(bench.commands().get(i), i);
            }
        }
    }

    @Test
    void a_frame_without_a_body_has_an_empty_one() {
        try (DecoderBench bench = new DecoderBench()) {
            RemotingCommand command = bench.feed(Wire.json("{\"code\":106}")).onlyCommand();

            assertThat(command.body().isReadable()).isFalse();
            assertThat(command.bodyBytes()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -5, -1, 0, 1, 3, 16_777_213, 16_777_217, Integer.MAX_VALUE, 0x47455420})
    void a_wrong_length_ends_the_connection_at_sight(int length) {
        byte[] word = ByteBuffer.allocate(4).putInt(length).array();
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(word, 0, 3);
            assertThat(bench.condemned).isEmpty();

            bench.feed(word, 3, 4);

            assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            assertThat(bench.admission.total()).isZero();
        }
    }

    @Test
    void the_largest_frame_counts_its_length_field() {
        byte[] header = "{\"code\":9999}".getBytes(StandardCharsets.US_ASCII);
        byte[] frame = Wire.frame(Wire.JSON, header, new byte[(1 << 24) - 8 - header.length]);
        assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(16_777_212);
        try (DecoderBench bench = new DecoderBench()) {
            assertThat(bench.feed(frame).onlyCommand().bodyBytes()).hasSize((1 << 24) - 8 - header.length);
        }
    }

    @Test
    void the_limit_of_a_frame_can_be_set() {
        byte[] frame = Wire.json("{\"code\":106}");
        try (DecoderBench fits = new DecoderBench(
                        limits(frame.length, Duration.ZERO), new CountingAdmission(0, "registrationInFlightMax"));
                DecoderBench tooSmall = new DecoderBench(
                        limits(frame.length - 1, Duration.ZERO), new CountingAdmission(0, "registrationInFlightMax"))) {
            assertThat(fits.feed(frame).frames).hasSize(1);
            assertThat(tooSmall.feed(frame).ends()).containsExactly(CloseReason.BAD_FRAME);
        }
    }

    @Test
    void a_wrong_head_word_ends_the_connection_before_the_frame_is_there() {
        byte[] header = "{\"code\":106}".getBytes(StandardCharsets.US_ASCII);
        for (int type : new int[] {2, 3, 7, 0x7F, 0x80, 0xFF}) {
            try (DecoderBench bench = new DecoderBench()) {
                bench.feed(Wire.frame(type, header, BODY), 0, 8);
                assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            }
        }
        for (int headerLength : new int[] {header.length + BODY.length + 1, 500, 0xFFFFFF}) {
            try (DecoderBench bench = new DecoderBench()) {
                int length = 4 + header.length + BODY.length;
                bench.feed(Wire.frame(length, Wire.JSON, headerLength, header, BODY), 0, 8);
                assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            }
        }
    }

    @Test
    void a_header_over_its_limit_ends_the_connection_before_it_is_there() {
        byte[] words =
                ByteBuffer.allocate(8).putInt(4 << 20).putInt((1 << 20) + 1).array();
        try (DecoderBench bench = new DecoderBench()) {
            assertThat(bench.feed(words).ends()).containsExactly(CloseReason.BAD_FRAME);
        }
    }

    @Test
    void a_header_of_no_bytes_ends_the_connection() {
        for (int type : new int[] {Wire.JSON, Wire.ROCKETMQ}) {
            try (DecoderBench bench = new DecoderBench()) {
                assertThat(bench.feed(Wire.frame(type, new byte[0], BODY)).ends())
                        .containsExactly(CloseReason.BAD_FRAME);
            }
        }
    }

    @Test
    void a_header_length_that_cuts_the_json_ends_the_connection() {
        byte[] header = "{\"code\":106,\"opaque\":1}".getBytes(StandardCharsets.US_ASCII);
        for (int headerLength = 0; headerLength < header.length; headerLength++) {
            try (DecoderBench bench = new DecoderBench()) {
                bench.feed(Wire.frame(4 + header.length, Wire.JSON, headerLength, header, new byte[0]));
                assertThat(bench.frames).isEmpty();
                assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            }
        }
    }

    @Test
    void a_good_frame_before_garbage_is_read_and_nothing_after_it() {
        byte[] garbage = new byte[64];
        Arrays.fill(garbage, (byte) 0xFF);
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(Wire.join(request(2), garbage, request(4)));
            bench.feed(request(6)).feedByteByByte(request(8));

            assertThat(bench.commands()).hasSize(1);
            assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            assertThat(bench.admission.total()).isEqualTo(request(2).length);
        }
    }

    @Test
    void nothing_is_allocated_for_what_is_only_promised() {
        byte[] words =
                ByteBuffer.allocate(8).putInt(16_000_000).putInt(1_000_000).array();
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(words).feed(new byte[100]);

            assertThat(bench.condemned).isEmpty();
            assertThat(bench.admission.total()).isEqualTo(108);
        }
    }

    @Test
    void the_bytes_of_a_whole_frame_go_on_with_it() {
        byte[] frame = request(1);
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(Wire.join(frame, frame)).feed(frame, 0, 10);

            assertThat(bench.frames).extracting(InboundFrame::bytes).containsExactly(frame.length, frame.length);
            assertThat(bench.admission.total()).isEqualTo(2L * frame.length + 10);
            bench.hangUp();
            assertThat(bench.admission.total()).isEqualTo(2L * frame.length);
        }
    }

    @Test
    void bytes_beyond_the_total_end_the_connection() {
        try (DecoderBench bench =
                new DecoderBench(ConnectionLimits.DEFAULT, new CountingAdmission(100, "registrationInFlightMax"))) {
            bench.feed(request(0), 0, 90).feed(request(0), 90, 110);

            assertThat(bench.ends()).containsExactly(CloseReason.LIMIT);
            assertThat(bench.admission.total()).isZero();
        }
    }

    @Test
    void a_frame_that_drips_for_too_long_ends_the_connection() {
        try (DecoderBench bench = new DecoderBench(
                limits(0, Duration.ofSeconds(30)), new CountingAdmission(0, "registrationInFlightMax"))) {
            bench.channel.freezeTime();
            bench.feed(request(0)).feed(request(0), 0, 10);
            pass(bench, 29);
            bench.feed(request(0), 10, 11);
            assertThat(bench.condemned).isEmpty();

            pass(bench, 1);

            assertThat(bench.ends()).containsExactly(CloseReason.LIMIT);
        }
    }

    @Test
    void each_frame_has_the_whole_time() {
        byte[] frame = request(0);
        try (DecoderBench bench = new DecoderBench(
                limits(0, Duration.ofSeconds(30)), new CountingAdmission(0, "registrationInFlightMax"))) {
            bench.channel.freezeTime();
            bench.feed(frame, 0, 10);
            for (int i = 0; i < 10; i++) {
                pass(bench, 20);
                bench.feed(frame, 10, frame.length).feed(frame, 0, 10);
            }
            assertThat(bench.condemned).isEmpty();

            pass(bench, 30);

            assertThat(bench.ends()).containsExactly(CloseReason.LIMIT);
        }
    }

    @Test
    void the_time_in_which_this_process_does_not_run_is_not_the_peers() {
        byte[] frame = request(0);
        try (DecoderBench bench = new DecoderBench(
                limits(0, Duration.ofSeconds(30)), new CountingAdmission(0, "registrationInFlightMax"))) {
            bench.channel.freezeTime();
            bench.feed(frame, 0, 10);

            jump(bench, Duration.ofSeconds(150));
            assertThat(bench.condemned).isEmpty();
            bench.feed(frame, 10, frame.length).feed(frame, 0, 10);
            pass(bench, 29);
            assertThat(bench.condemned).isEmpty();
            pass(bench, 31);

            assertThat(bench.ends()).containsExactly(CloseReason.LIMIT);
        }
    }

    @Test
    void the_time_that_we_do_not_read_is_not_the_peers() {
        try (DecoderBench bench = new DecoderBench(
                limits(0, Duration.ofSeconds(30)), new CountingAdmission(0, "registrationInFlightMax"))) {
            bench.channel.freezeTime();
            bench.feed(request(0), 0, 10);
            bench.gate.close(ReadGate.TOO_MANY_PENDING);
            pass(bench, 300);
            assertThat(bench.condemned).isEmpty();
            bench.gate.open(ReadGate.TOO_MANY_PENDING);

            pass(bench, 30);

            assertThat(bench.ends()).containsExactly(CloseReason.LIMIT);
        }
    }

    /** Time in which the process runs. */
    private static void pass(DecoderBench bench, int seconds) {
        for (int i = 0; i < 4 * seconds; i++) {
            jump(bench, Duration.ofMillis(250));
        }
    }

    private static void jump(DecoderBench bench, Duration time) {
        bench.channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        bench.channel.runPendingTasks();
    }

    @Test
    void a_closed_gate_keeps_what_was_read_until_it_opens() {
        try (DecoderBench bench = new DecoderBench()) {
            bench.gate.close(ReadGate.ANSWERS_UNREAD);
            bench.gate.close(ReadGate.TOO_MANY_PENDING);
            bench.feed(Wire.join(request(0), request(1)));
            bench.gate.open(ReadGate.ANSWERS_UNREAD);
            bench.channel.runPendingTasks();
            assertThat(bench.frames).isEmpty();
            assertThat(bench.channel.config().isAutoRead()).isFalse();

            bench.gate.open(ReadGate.TOO_MANY_PENDING);
            bench.channel.runPendingTasks();

            assertThat(bench.commands()).extracting(RemotingCommand::opaque).isEqualTo(List.of(0, 1));
            assertThat(bench.channel.config().isAutoRead()).isTrue();
        }
    }

    // ---- frames of which the pieces are kept

    private static byte[] largeRequest(int opaque) {
        return Wire.encode(RemotingCommand.request(103, Map.of("brokerName", "b" + opaque))
                .withBody(largeBody(opaque))
                .withSerializeType(opaque % 2 == 0 ? SerializeType.JSON : SerializeType.ROCKETMQ)
                .withOpaque(opaque));
    }

    private static byte[] largeBody(int opaque) {
        byte[] body = new byte[LargeFrame.BODY_MIN + 1_000];
        new Random(opaque).nextBytes(body);
        return body;
    }

    private static void assertIsLargeRequest(RemotingCommand command, int opaque) {
        assertThat(command.opaque()).isEqualTo(opaque);
        assertThat(command.code()).isEqualTo(103);
        assertThat(command.extFields()).isEqualTo(Map.of("brokerName", "b" + opaque));
        assertThat(command.bodyBytes()).isEqualTo(largeBody(opaque));
    }

    @Test
    void large_frames_may_come_byte_by_byte() {
        try (DecoderBench bench = new DecoderBench()) {
            bench.feedByteByByte(Wire.join(largeRequest(0), request(1)));

            assertThat(bench.commands()).hasSize(2);
            assertIsLargeRequest(bench.commands().get(0), 0);
            assertIsRequest(bench.commands().get(1), 1);
        }
    }

    @Test
    void large_frames_may_come_in_pieces_of_any_size_among_others() {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            byte[][] frames = new byte[12][];
            boolean[] large = new boolean[frames.length];
            for (int i = 0; i < frames.length; i++) {
                large[i] = random.nextBoolean();
                frames[i] = large[i] ? largeRequest(i) : request(i);
            }
            byte[] all = Wire.join(frames);
            try (DecoderBench bench = new DecoderBench()) {
                for (int at = 0; at < all.length; ) {
                    int to = Math.min(all.length, at + 1 + random.nextInt(random.nextBoolean() ? 100 : 100_000));
                    bench.feed(all, at, to);
                    at = to;
                }

                assertThat(bench.commands()).as("seed %s", seed).hasSize(frames.length);
                for (int i = 0; i < frames.length; i++) {
                    if (large[i]) {
                        assertIsLargeRequest(bench.commands().get(i), i);
                    } else {
                        assertIsRequest(bench.commands().get(i), i);
                    }
                }
                assertThat(bench.frames.stream().mapToInt(InboundFrame::bytes)).containsExactly(lengths(frames));
            }
        }
    }

    private static Integer[] lengths(byte[][] frames) {
        return Arrays.stream(frames).map(frame -> frame.length).toArray(Integer[]::new);
    }

    @Test
    void a_large_frame_waits_for_the_gate_with_what_is_behind_it() {
        byte[] large = largeRequest(0);
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(large, 0, 10_000);
            bench.gate.close(ReadGate.ANSWERS_UNREAD);
            bench.feed(large, 10_000, large.length - 5);
            bench.feed(Wire.join(Arrays.copyOfRange(large, large.length - 5, large.length), request(1)));
            bench.feed(request(2));
            assertThat(bench.frames).isEmpty();

            bench.gate.open(ReadGate.ANSWERS_UNREAD);
            bench.channel.runPendingTasks();

            assertThat(bench.commands()).extracting(RemotingCommand::opaque).isEqualTo(List.of(0, 1, 2));
            assertIsLargeRequest(bench.commands().get(0), 0);
        }
    }

    @Test
    void of_a_large_frame_that_is_cut_short_nothing_is_left() {
        byte[] large = largeRequest(0);
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(large, 0, 10_000).feed(large, 10_000, large.length - 1);
            assertThat(bench.admission.total()).isEqualTo(large.length - 1L);

            bench.hangUp();

            assertThat(bench.frames).isEmpty();
            assertThat(bench.admission.total()).isZero();
        }
    }

    @Test
    void a_large_frame_with_a_header_that_cannot_be_read_ends_the_connection() {
        byte[] large = largeRequest(0);
        large[8] = 'x';
        try (DecoderBench bench = new DecoderBench()) {
            bench.feed(large, 0, 10_000).feed(Wire.join(Arrays.copyOfRange(large, 10_000, large.length), request(1)));

            assertThat(bench.ends()).containsExactly(CloseReason.BAD_FRAME);
            assertThat(bench.frames).isEmpty();
            assertThat(bench.admission.total()).isZero();
        }
    }
}
