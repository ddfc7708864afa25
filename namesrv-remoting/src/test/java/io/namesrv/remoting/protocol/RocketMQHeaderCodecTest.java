package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RocketMQHeaderCodecTest {
    /** Code 105, JAVA, version 479, opaque 7, flag 0. */
    private static final String FIXED = "00690001df0000000700000000";

    private static final String NO_REMARK = "00000000";

    /** The name topic and the length of what follows. */
    private static final String TOPIC = "0005746f706963";

    private final HeaderCodec codec = HeaderCodec.of(SerializeType.ROCKETMQ, HeaderLimits.DEFAULT);

    private RemotingCommand decode(String hex) throws MalformedHeaderException {
        return codec.decode(HexFormat.of().parseHex(hex), Unpooled.EMPTY_BUFFER);
    }

    private byte[] encode(RemotingCommand command) {
        ByteBuf out = Unpooled.buffer();
        codec.encode(command, out);
        return ByteBufUtil.getBytes(out);
    }

    @Test
    void a_whole_header_is_read() throws MalformedHeaderException {
        RemotingCommand command = decode(FIXED + "000000026e6f" + "0000000d" + TOPIC + "000000025431");

        assertThat(command.code()).isEqualTo(105);
        assertThat(command.language()).isEqualTo(LanguageCode.JAVA);
        assertThat(command.version()).isEqualTo(479);
        assertThat(command.opaque()).isEqualTo(7);
        assertThat(command.remark()).contains("no");
        assertThat(command.extFields()).isEqualTo(Map.of("topic", "T1"));
        assertThat(command.serializeType()).isEqualTo(SerializeType.ROCKETMQ);
    }

    @Test
    void negative_codes_are_read_and_negative_versions_become_0() throws MalformedHeaderException {
        RemotingCommand command = decode("fffb" + "00" + "ffff" + "ffffffff" + "00000002" + NO_REMARK + "00000000");

        assertThat(command.code()).isEqualTo(-5);
        assertThat(command.version()).isZero();
        assertThat(command.opaque()).isEqualTo(-1);
        assertThat(command.isOneway()).isTrue();
    }

    @Test
    void a_language_that_nobody_knows_is_other() throws MalformedHeaderException {
        assertThat(decode("006963" + FIXED.substring(6) + NO_REMARK + "00000000")
                        .language())
                .isEqualTo(LanguageCode.OTHER);
        assertThat(decode("0069ee" + FIXED.substring(6) + NO_REMARK + "00000000")
                        .language())
                .isEqualTo(LanguageCode.OTHER);
    }

    @Test
    void a_name_or_value_of_length_0_is_absent_and_the_last_of_two_counts() throws MalformedHeaderException {
        assertThat(decode(FIXED + NO_REMARK + "00000007" + "0000" + "0000000176")
                        .extFields())
                .isEmpty();
        assertThat(decode(FIXED + NO_REMARK + "0000000b" + TOPIC + "00000000").extFields())
                .isEmpty();
        assertThat(decode(FIXED + NO_REMARK + "00000018" + TOPIC + "0000000161" + TOPIC + "0000000162")
                        .extFields())
                .isEqualTo(Map.of("topic", "b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00690001df",
                FIXED,
                FIXED + "0000",
                FIXED + NO_REMARK,
                FIXED + NO_REMARK + "0000",
                FIXED + "7fffffff" + "00000000",
                FIXED + "ffffffff" + "00000000",
                FIXED + "00000005" + "00000000",
                FIXED + "00000001ff" + "00000000",
                FIXED + NO_REMARK + "7fffffff" + TOPIC + "000000025431",
                FIXED + NO_REMARK + "ffffffff" + TOPIC + "000000025431",
                FIXED + NO_REMARK + "0000000e" + TOPIC + "000000025431",
                FIXED + NO_REMARK + "0000000c" + TOPIC + "000000025431",
                FIXED + NO_REMARK + "0000000d" + TOPIC + "0000000254310000",
                FIXED + NO_REMARK + "00000001" + "00",
                FIXED + NO_REMARK + "00000007" + "ffff746f706963",
                FIXED + NO_REMARK + "00000007" + TOPIC,
                FIXED + NO_REMARK + "0000000a" + TOPIC + "000000",
                FIXED + NO_REMARK + "0000000c" + TOPIC + "7fffffff78",
                FIXED + NO_REMARK + "0000000c" + TOPIC + "ffffffff78",
                FIXED + NO_REMARK + "0000000c" + TOPIC + "0000000278",
                FIXED + NO_REMARK + "00000009" + "0002fffe" + "00000001c0",
            })
    void these_headers_end_the_connection(String hex) {
        assertThatExceptionOfType(MalformedHeaderException.class).isThrownBy(() -> decode(hex));
    }

    @Test
    void what_is_written_is_read_again() throws MalformedHeaderException {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("ключ", "值 é ✓ \uD83D\uDE00");
        fields.put("long", "x".repeat(60_000));
        RemotingCommand command = RemotingCommand.error(22, "No config item, Namespace: 名")
                .withExtFields(fields)
                .withOpaque(Integer.MIN_VALUE)
                .withVersion(479);

        RemotingCommand read = codec.decode(encode(command), Unpooled.EMPTY_BUFFER);

        assertThat(read.code()).isEqualTo(22);
        assertThat(read.remark()).isEqualTo(command.remark());
        assertThat(read.extFields()).isEqualTo(fields);
        assertThat(read.opaque()).isEqualTo(Integer.MIN_VALUE);
        assertThat(read.version()).isEqualTo(479);
    }

    @Test
    void a_lone_surrogate_is_written_as_a_question_mark() throws MalformedHeaderException {
        byte[] header = encode(RemotingCommand.success().withExtField("k", "a\uD800"));

        assertThat(codec.decode(header, Unpooled.EMPTY_BUFFER).extFields()).isEqualTo(Map.of("k", "a?"));
    }
}
