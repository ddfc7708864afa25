package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReadyFramesTest {
    private static final List<String> REMARKS = List.of(
            "",
            "no",
            "no such topic: T-1_%|\nSee https://there/\n",
            "no \"x\"",
            "a\\b",
            "tab\t",
            "\r",
            "del \u007F",
            "\u0080",
            "h\u00F6her",
            "\u4E2D\u6587",
            "half \uD800",
            "x".repeat(PeerText.WHOLE_REMARK_MAX),
            "\n".repeat(PeerText.WHOLE_REMARK_MAX),
            "x".repeat(PeerText.WHOLE_REMARK_MAX + 1),
            "\n".repeat(PeerText.WHOLE_REMARK_MAX + 1));

    private static final String LETTERS = "abcXYZ019 -_%|.\n\n\t\"\\/\u007F\u0085\u00F6\u2028\u4E2D";

    /** The first ones are put as they are, but for the line breaks. */
    private static final int PLAIN = 17;

    private ReadyFrames frames = new ReadyFrames(479);

    @ParameterizedTest
    @EnumSource(SerializeType.class)
    void frames_are_those_that_a_codec_makes(SerializeType form) {
        byte[] body = "{\"x\":1}".getBytes(StandardCharsets.US_ASCII);
        for (int opaque : new int[] {
            0, 1, 9, 10, 99, 100, 12345, -1, -10, 999_999_999, 1_000_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE
        }) {
            assertFrame(ReadyAnswer.success(body), RemotingCommand.success(body), form, opaque);
            assertFrame(ReadyAnswer.success(new byte[0]), RemotingCommand.success(), form, opaque);
            for (String remark : REMARKS) {
                assertFrame(ReadyAnswer.error(17, remark), RemotingCommand.error(17, remark), form, opaque);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SerializeType.class)
    void so_they_are_for_any_remark_code_and_release(SerializeType form) {
        Random random = new Random(17);
        for (int i = 0; i < 5_000; i++) {
            int letters = random.nextBoolean() ? PLAIN : LETTERS.length();
            String remark = random.ints(random.nextInt(900), 0, letters)
                    .mapToObj(at -> LETTERS.substring(at, at + 1))
                    .collect(Collectors.joining());
            int code = random.nextInt(70_000);
            frames = new ReadyFrames(random.nextInt(70_000));
            assertFrame(ReadyAnswer.error(code, remark), RemotingCommand.error(code, remark), form, random.nextInt());
        }
    }

    private void assertFrame(ReadyAnswer answer, RemotingCommand command, SerializeType form, int opaque) {
        ByteBuf out = Unpooled.buffer();
        frames.write(answer, form, opaque, out);

        ByteBuf header = Unpooled.buffer();
        RemotingCommand asked =
                RemotingCommand.request(1, Map.of()).withOpaque(opaque).withSerializeType(form);
        HeaderCodec.of(form, HeaderLimits.DEFAULT).encode(command.answering(asked, frames.version()), header);
        int headerLength = header.readableBytes();
        ByteBuf expected = Unpooled.buffer()
                .writeInt(4 + headerLength + answer.body().length)
                .writeInt(form.code() << 24 | headerLength)
                .writeBytes(header)
                .writeBytes(answer.body());
        assertThat(out).isEqualTo(expected);
        assertThat(answer.remark() == null ? headerLength + 8 : 0).isLessThanOrEqualTo(frames.headMax());
    }
}
