package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JsonHeaderCodecTest {
    private final HeaderCodec codec = HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT);

    private RemotingCommand decode(String header) throws MalformedHeaderException {
        return decode(header.getBytes(StandardCharsets.UTF_8));
    }

    private RemotingCommand decode(byte[] header) throws MalformedHeaderException {
        return codec.decode(header, Unpooled.EMPTY_BUFFER);
    }

    private String encode(RemotingCommand command) {
        ByteBuf out = Unpooled.buffer();
        codec.encode(command, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void every_member_is_read() throws MalformedHeaderException {
        RemotingCommand command = decode(
                "{\"code\":105,\"extFields\":{\"topic\":\"T1\",\"x\":\"\"},\"flag\":2,"
                        + "\"language\":\"GO\",\"opaque\":-7,\"remark\":\"r\",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":479}");

        assertThat(command.code()).isEqualTo(105);
        assertThat(command.extFields()).isEqualTo(Map.of("topic", "T1", "x", ""));
        assertThat(command.isOneway()).isTrue();
        assertThat(command.isResponse()).isFalse();
        assertThat(command.language()).isEqualTo(LanguageCode.GO);
        assertThat(command.opaque()).isEqualTo(-7);
        assertThat(command.remark()).contains("r");
        assertThat(command.version()).isEqualTo(479);
        assertThat(command.serializeType()).isEqualTo(SerializeType.JSON);
        assertThat(command.defect()).isEmpty();
    }

    @Test
    void missing_members_have_defaults() throws MalformedHeaderException {
        RemotingCommand command = decode("{}");

        assertThat(command.code()).isZero();
        assertThat(command.opaque()).isZero();
        assertThat(command.flag()).isZero();
        assertThat(command.version()).isZero();
        assertThat(command.language()).isEqualTo(LanguageCode.JAVA);
        assertThat(command.remark()).isEmpty();
        assertThat(command.extFields()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"code\":105,\"brandNew\":{\"a\":[1,{\"b\":null}]},\"suspended\":false,\"opaque\":1}",
                " {\t\"code\" :\r105 ,\n\"opaque\": 1 } ",
                "{\"c\\u006fde\":105,\"opaque\":1,\"extFields\":null,\"remark\":null,\"language\":null,\"version\":null}",
                "{\"code\":1,\"opaque\":9,\"code\":105,\"opaque\":1}",
                "{\"code\":105,\"opaque\":1,\"serializeTypeCurrentRPC\":\"ROCKETMQ\"}",
                "{\"@type\":\"java.net.InetSocketAddress\",\"code\":105,\"opaque\":1}",
            })
    void these_headers_ask_for_a_route(String header) throws MalformedHeaderException {
        RemotingCommand command = decode(header);

        assertThat(command.code()).isEqualTo(105);
        assertThat(command.opaque()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "hello there",
                "null",
                "[]",
                "\"x\"",
                "12345",
                "{\"code\":\"abc\",\"opaque\":1}",
                "{\"code\":{},\"opaque\":1}",
                "{\"code\":true}",
                "{\"opaque\":99999999999999999999}",
                "{\"opaque\":2147483648}",
                "{\"flag\":0.5}",
                "{\"flag\":1e2}",
                "{\"version\":1e999999999}",
                "{\"version\":-1e400}",
                "{\"code\":105,\"extFields\":[1,2]}",
                "{\"code\":105,\"extFields\":\"topic\"}",
                "{\"code\":105,\"extFields\":{\"topic\":\"nope",
                "{\"code\":105,\"opaque\":1} trailing {",
                "{\"code\":105,}",
                "{,\"code\":105}",
                "{\"code\":105 \"opaque\":1}",
                "{'code':105}",
                "{code:105}",
                "{\"code\":105/* comment */}",
                "{\"code\":105}// comment",
                "{\"code\":NaN}",
                "{\"x\":NaN}",
                "{\"x\":Infinity}",
                "{\"x\":new Date(1)}",
                "{\"x\":x'00'}",
                "{\"x\":undefined}",
                "{\"x\":Set[1]}",
                "{\"x\":1.}",
                "{\"x\":.5}",
                "{\"x\":+1}",
                "{\"x\":0x10}",
                "{\"x\":1L}",
                "{\"x\":TRUE}",
                "{\"x\":\"\\x41\"}",
                "{\"x\":\"\\u00\"}",
                "{\"x\":\"\\",
                "\u0000\u0000\u0000",
                "\uFEFF{\"code\":105}",
            })
    void these_headers_end_the_connection(String header) {
        assertThatExceptionOfType(MalformedHeaderException.class)
                .isThrownBy(() -> decode(header))
                .satisfies(e -> assertThat(e.getStackTrace()).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32, 100, 100_000, 500_000})
    void nesting_is_bounded(int inner) {
        String header = "{\"x\":" + "[".repeat(inner) + "]".repeat(inner) + ",\"code\":7}";

        if (inner < 32) {
            assertThat(codeOf(header)).contains(7);
        } else {
            assertThat(codeOf(header)).isEmpty();
        }
    }

    private Optional<Integer> codeOf(String header) {
        try {
            return Optional.of(decode(header).code());
        } catch (MalformedHeaderException e) {
            return Optional.empty();
        }
    }

    @Test
    void a_number_has_at_most_64_digits() {
        assertThat(codeOf("{\"x\":" + "9".repeat(64) + "}")).contains(0);
        assertThat(codeOf("{\"x\":" + "9".repeat(65) + "}")).isEmpty();
        assertThat(codeOf("{\"x\":0." + "0".repeat(64) + "1}")).isEmpty();
        assertThat(codeOf("{\"x\":1e-999}")).contains(0);
    }

    @Test
    void a_header_that_is_not_utf_8_ends_the_connection() {
        for (String hex : new String[] {"ff", "c080", "eda080", "e28f", "f4908080"}) {
            byte[] header = "{\"extFields\":{\"topic\":\"?\"}}".getBytes(StandardCharsets.ISO_8859_1);
            byte[] bad =
                    HexFormat.of().parseHex(HexFormat.of().formatHex(header).replace("3f", hex));

            assertThatExceptionOfType(MalformedHeaderException.class).isThrownBy(() -> decode(bad));
        }
    }

    @Test
    void field_values_may_be_numbers_and_booleans_as_they_are_written() throws MalformedHeaderException {
        RemotingCommand command = decode(
                "{\"extFields\":{\"a\":0,\"b\":1.50,\"c\":1E3,\"d\":true,\"e\":false,\"f\":-12345678901234567890}}");

        assertThat(command.extFields())
                .isEqualTo(Map.of(
                        "a", "0", "b", "1.50", "c", "1E3", "d", "true", "e", "false", "f", "-12345678901234567890"));
    }

    @Test
    void a_field_that_is_null_is_missing_and_the_last_of_two_counts() throws MalformedHeaderException {
        assertThat(decode("{\"extFields\":{\"a\":{\"b\":[1]},\"c\":[{}],\"topic\":\"T1\"}}")
                        .extFields())
                .isEqualTo(Map.of("topic", "T1"));
        assertThat(decode("{\"extFields\":{\"a\":null,\"b\":\"1\",\"b\":\"2\",\"c\":\"x\",\"c\":null}}")
                        .extFields())
                .isEqualTo(Map.of("b", "2"));
        assertThat(decode("{\"extFields\":{\"a\":\"1\"},\"extFields\":{\"b\":\"2\"}}")
                        .extFields())
                .isEqualTo(Map.of("b", "2"));
    }

    @Test
    void every_language_is_read_by_name_and_by_number() throws MalformedHeaderException {
        for (LanguageCode language : LanguageCode.values()) {
            assertThat(decode("{\"language\":\"" + language + "\"}").language()).isEqualTo(language);
            assertThat(decode("{\"language\":" + language.code() + "}").language())
                    .isEqualTo(language);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"KLINGON\"", "99", "-1", "1.5", "{}", "[\"GO\"]", "true", "\"\""})
    void a_language_that_nobody_knows_is_other(String language) throws MalformedHeaderException {
        assertThat(decode("{\"language\":" + language + ",\"code\":1}").language())
                .isEqualTo(LanguageCode.OTHER);
    }

    @Test
    void a_negative_version_becomes_0() throws MalformedHeaderException {
        assertThat(decode("{\"version\":-1}").version()).isZero();
        assertThat(decode("{\"version\":2147483647}").version()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void escapes_and_utf_8_are_read_and_a_lone_surrogate_is_kept() throws MalformedHeaderException {
        RemotingCommand command = decode("{\"extFields\":{\"ключ\":\"\\u00e9é\\n\\/\\\"\\uD83D\\ude00😀\\ud800\"}}");

        assertThat(command.extFields()).isEqualTo(Map.of("ключ", "éé\n/\"😀😀\uD800"));
    }

    @Test
    void an_answer_is_written_in_alphabetical_order_without_nulls() {
        RemotingCommand request = RemotingCommand.request(105, Map.of()).withOpaque(-3);

        assertThat(encode(RemotingCommand.success().answering(request, 479)))
                .isEqualTo("{\"code\":0,\"flag\":1,\"language\":\"JAVA\",\"opaque\":-3,"
                        + "\"serializeTypeCurrentRPC\":\"JSON\",\"version\":479}");
        assertThat(encode(RemotingCommand.error(17, "no").withExtField("a", "b").answering(request, 479)))
                .isEqualTo("{\"code\":17,\"extFields\":{\"a\":\"b\"},\"flag\":1,\"language\":\"JAVA\",\"opaque\":-3,"
                        + "\"remark\":\"no\",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":479}");
    }

    @Test
    void any_text_that_is_written_can_be_read_by_others() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 0x180; c++) {
            all.append(c);
        }
        String text = all.append("\uD83D\uDE00 名字 \u2028").toString();

        JSONObject header = JSON.parseObject(encode(RemotingCommand.success().withExtField(text, text)));

        assertThat(header.getJSONObject("extFields")).containsExactly(Map.entry(text, text));
    }

    @Test
    void a_lone_surrogate_is_written_as_a_question_mark() {
        JSONObject header = JSON.parseObject(encode(RemotingCommand.success().withExtField("k", "a\uD800b\uDC00")));

        assertThat(header.getJSONObject("extFields")).containsExactly(Map.entry("k", "a?b?"));
    }
}
