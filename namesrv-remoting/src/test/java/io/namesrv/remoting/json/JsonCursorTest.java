package io.namesrv.remoting.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.alibaba.fastjson2.JSON;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JsonCursorTest {
    private static final int DEPTH = 32;

    private static JsonCursor cursor(String text) {
        return new JsonCursor(text.getBytes(StandardCharsets.UTF_8), DEPTH);
    }

    /** Reads any value into maps, lists, strings and texts of numbers. */
    private static @Nullable Object tree(JsonCursor cursor) {
        if (cursor.atObject()) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            cursor.beginObject();
            while (cursor.nextMember()) {
                String name = cursor.name();
                members.put(name, tree(cursor));
            }
            return members;
        }
        if (cursor.atArray()) {
            List<@Nullable Object> elements = new ArrayList<>();
            cursor.beginArray();
            while (cursor.nextElement()) {
                elements.add(tree(cursor));
            }
            return elements;
        }
        return cursor.tryNull() ? null : cursor.stringOrText();
    }

    private static @Nullable Object read(String text) {
        JsonCursor cursor = cursor(text);
        Object value = tree(cursor);
        cursor.end();
        return value;
    }

    @Test
    void members_come_in_order_with_their_values() {
        JsonCursor cursor = cursor(" { \"a\" : 1 , \"b\":\"x\",\"c\":true,\"d\":null,\"e\":[1,[2]],\"f\":-7 } ");

        cursor.beginObject();
        assertThat(cursor.nextMember()).isTrue();
        assertThat(cursor.name()).isEqualTo("a");
        assertThat(cursor.intValue()).isEqualTo(1);
        assertThat(cursor.nextMember()).isTrue();
        assertThat(cursor.string()).isEqualTo("x");
        assertThat(cursor.nextMember()).isTrue();
        assertThat(cursor.booleanValue()).isTrue();
        assertThat(cursor.nextMember()).isTrue();
        assertThat(cursor.tryNull()).isTrue();
        assertThat(cursor.nextMember()).isTrue();
        cursor.skip();
        assertThat(cursor.nextMember()).isTrue();
        assertThat(cursor.longValue()).isEqualTo(-7);
        assertThat(cursor.nextMember()).isFalse();
        cursor.end();
    }

    @Test
    void integers_may_stand_as_names_without_quotes() {
        assertThat(read("{0:\"a\",-12:{1:2}}")).isEqualTo(Map.of("0", "a", "-12", Map.of("1", "2")));
    }

    @Test
    void escapes_and_all_planes_of_unicode_are_read() {
        assertThat(read("\"\\u0041\\n\\\"\\\\\\/\\b\\f\\r\\té名😀\\ud83d\\ude00\""))
                .isEqualTo("A\n\"\\/\b\f\r\té名😀😀");
    }

    @Test
    void numbers_and_booleans_in_quotes_are_taken_where_such_values_belong() {
        assertThat(cursor("\"42\"").longValue()).isEqualTo(42);
        assertThat(cursor("\"TRUE\"").booleanValue()).isTrue();
        assertThat(cursor("\"no\"").booleanValue()).isFalse();
    }

    @Test
    void numbers_and_booleans_have_a_text_where_strings_belong() {
        assertThat(cursor("1.5e3").stringOrText()).isEqualTo("1.5e3");
        assertThat(cursor("false").stringOrText()).isEqualTo("false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,",
                "{\"a\":1,}",
                "{,\"a\":1}",
                "{\"a\"::1}",
                "{\"a\":1 \"b\":2}",
                "{a:1}",
                "{'a':1}",
                "{null:1}",
                "{1.5:1}",
                "{-:1}",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\":/*c*/1}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":+1}",
                "{\"a\":1L}",
                "{\"a\":.5}",
                "{\"a\":1.}",
                "{\"a\":1e}",
                "{\"a\":1e9999}",
                "{\"a\":Set[1]}",
                "{\"a\":new Date(1)}",
                "{\"a\":tru}",
                "{\"a\":truex}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u12",
                "\"no end",
                "\"no end\\",
                "{}{}",
                "{} x",
                "nul"
            })
    void what_is_not_json_is_refused(String text) {
        assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> read(text));
    }

    @Test
    void integers_of_any_length_are_read_to_the_last_digit() {
        for (long value : new long[] {
            0,
            -1,
            7,
            999_999_999_999_999_999L,
            -999_999_999_999_999_999L,
            1_000_000_000_000_000_000L,
            Long.MAX_VALUE,
            Long.MIN_VALUE
        }) {
            byte[] text = (" " + value + " ").getBytes(StandardCharsets.UTF_8);
            JsonCursor cursor = new JsonCursor(text, DEPTH);

            assertThat(cursor.longValue()).isEqualTo(value);
            cursor.end();
        }
        assertThat(new JsonCursor("007".getBytes(StandardCharsets.UTF_8), DEPTH).longValue())
                .isEqualTo(7);
        for (String bad : List.of("1.5", "1e3", "9223372036854775808", "-", "")) {
            assertThatExceptionOfType(JsonFormatException.class)
                    .isThrownBy(() -> new JsonCursor(bad.getBytes(StandardCharsets.UTF_8), DEPTH).longValue());
        }
    }

    @Test
    void texts_that_come_again_are_one_object_and_never_another_text() {
        SharedTexts shared = new SharedTexts();
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String text = "x".repeat(random.nextInt(70)) + random.nextInt(900) + "y".repeat(random.nextInt(3));
            byte[] json = ('"' + text + '"').getBytes(StandardCharsets.UTF_8);

            assertThat(JsonCursor.sharing(shared, json, 0, json.length, DEPTH).sharedString())
                    .isEqualTo(text);
        }
        byte[] twice = "[\"broker-a\",\"broker-a\"]".getBytes(StandardCharsets.UTF_8);
        JsonCursor cursor = JsonCursor.sharing(shared, twice, 0, twice.length, DEPTH);
        cursor.beginArray();
        cursor.nextElement();
        String first = cursor.sharedString();
        cursor.nextElement();
        assertThat(cursor.sharedString()).isSameAs(first);
    }

    @Test
    void numbers_have_bounds() {
        assertThat(cursor("1".repeat(64)).stringOrText()).hasSize(64);
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("1".repeat(65)).stringOrText());
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("0." + "0".repeat(64)).skip());
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("9223372036854775808").longValue());
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("2147483648").intValue());
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("1.5").longValue());
    }

    @Test
    void nesting_has_a_bound_wherever_it_is() {
        String deepest = "[".repeat(DEPTH) + "]".repeat(DEPTH);
        cursor(deepest).skip();
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("[" + deepest + "]").skip());
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> cursor("{\"a\":".repeat(1_000_000)).skip());
    }

    @Test
    void text_that_is_not_utf8_is_refused() {
        int[][] sequences = {
            {0xFF}, {0xC0, 0x80}, {0xC1, 0xBF}, {0xED, 0xA0, 0x80}, {0xE0, 0x80, 0x80}, {0xF0, 0x80, 0x80, 0x80},
            {0xF4, 0x90, 0x80, 0x80}, {0xF5, 0x80, 0x80, 0x80}, {0x80}, {0xC3}, {0xE2, 0x82}, {0xC3, 0x28}
        };
        for (int[] sequence : sequences) {
            byte[] text = new byte[sequence.length + 2];
            text[0] = '"';
            for (int i = 0; i < sequence.length; i++) {
                text[i + 1] = (byte) sequence[i];
            }
            text[text.length - 1] = '"';
            assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> new JsonCursor(text, DEPTH).string());
        }
    }

    @Test
    void what_fastjson_writes_is_read_back() {
        Random random = new Random(20260102);
        for (int round = 0; round < 2_000; round++) {
            Object value = randomValue(random, 4);

            Object back = read(JSON.toJSONString(value));

            assertThat(back).isEqualTo(value);
        }
    }

    private static Object randomValue(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 1 : 3);
        if (kind == 0) {
            return randomString(random);
        }
        if (kind == 1) {
            List<Object> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                elements.add(randomValue(random, depth - 1));
            }
            return elements;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            members.put(randomString(random), randomValue(random, depth - 1));
        }
        return members;
    }

    private static String randomString(Random random) {
        int[] alphabet = {'a', '"', '\\', '\n', 0, 0x1F, 0x7F, 0xE9, 0x540D, 0xFFFF, 0x1F600, '/', '{', ',', ' '};
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            out.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return out.toString();
    }

    @Test
    void no_mutation_of_a_text_does_worse_than_be_refused() {
        byte[] good = "{\"a\":{0:\"é\\u0041\",\"b\":[1,2.5e3,true,null]},\"c\":-1}".getBytes(StandardCharsets.UTF_8);
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            byte[] bad = good.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
                JsonCursor cursor = new JsonCursor(bad, 0, random.nextInt(bad.length + 1), DEPTH);
                cursor.skip();
                cursor.end();
            } catch (JsonFormatException refused) {
                assertThat(refused).hasMessageNotContaining("\n");
            }
        }
    }
}
