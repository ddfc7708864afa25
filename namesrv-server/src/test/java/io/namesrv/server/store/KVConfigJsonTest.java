package io.namesrv.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.server.store.SafeFile.BadContentException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KVConfigJsonTest {
    private static final long SEED = 20_240_607L;

    /** What JSON text can go wrong on, and names that mean something to readers of whole objects. */
    private static final List<String> PIECES = List.of(
            "a", "b", " ", "\"", "'", "\\", "\\\\", "/", "\n", "\r", "\t", "\b", "\0", "\u001F", "\u007F", "\u0085",
            "\u2028", "{", "}", "[", "]", ":", ",", "null", "$ref", "@type", "$", "..", "é", "名", "😀", "\uFEFF",
            "\\u0041", "1e999");

    @Test
    void any_table_reads_back() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 3000; round++) {
            Map<String, Map<String, String>> table = new TreeMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                Map<String, String> values = new TreeMap<>();
                for (int j = random.nextInt(4); j > 0; j--) {
                    values.put(text(random), text(random));
                }
                table.put(text(random), values);
            }

            byte[] json = KVConfigJson.encode(table);

            assertThat(KVConfigJson.parse(json))
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(table);
            assertThat(new String(json, StandardCharsets.UTF_8)).doesNotContain("\n", "\r");
        }
    }

    @Test
    void nulls_are_dropped_and_numbers_are_texts() throws Exception {
        String json =
                "{\"other\":[1,{\"a\":null}],\"configTable\":{\"A\":{\"n\":null,\"i\":12,\"d\":1.50,\"t\":true,\"s\":\"\"},"
                        + "\"B\":null,\"C\":{}}}";

        assertThat(parse(json))
                .isEqualTo(Map.of("A", Map.of("i", "12", "d", "1.50", "t", "true", "s", ""), "C", Map.of()));
    }

    @Test
    void a_byte_order_mark_and_white_space_are_no_fault() throws Exception {
        assertThat(parse("\uFEFF{ \"configTable\" :\n\t{ } }\r\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "{}",
                "[]",
                "1",
                "{\"configTable\":null}",
                "{\"configTable\":[]}",
                "{\"configTable\":\"x\"}",
                "{\"configTable\":{\"A\":\"x\"}}",
                "{\"configTable\":{\"A\":[]}}",
                "{\"configTable\":{\"A\":{\"k\":{}}}}",
                "{\"configTable\":{\"A\":{\"k\":[]}}}",
                "{\"configTable\":{\"A\":{\"k\":",
                "{\"configTable\":{\"A\":{\"k\"",
                "{\"configTable\":{\"A\":{,}}}",
                "{\"configTable\":{}} {}",
                "{\"configTable\":{}}x",
                "\0\0\0\0",
            })
    void anything_else_is_bad(String json) {
        assertThatExceptionOfType(BadContentException.class).isThrownBy(() -> parse(json));
    }

    @Test
    void what_is_not_utf_8_is_bad() {
        assertThatExceptionOfType(BadContentException.class)
                .isThrownBy(() -> KVConfigJson.parse(
                        "{\"configTable\":{\"A\":{\"k\":\"\u00E9\"}}}".getBytes(StandardCharsets.ISO_8859_1)))
                .withMessage("it is not UTF-8");
    }

    private static Map<String, Map<String, String>> parse(String json) throws BadContentException {
        return KVConfigJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }
}
