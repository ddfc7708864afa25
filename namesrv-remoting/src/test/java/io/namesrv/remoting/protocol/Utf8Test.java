package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class Utf8Test {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "é 名字 \uD83D\uDE00", "a replacement \uFFFD of its own"})
    void a_text_comes_back(String text) throws CharacterCodingException {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);

        assertThat(Utf8.decode(bytes, 1, bytes.length - 2)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "c080", "eda080", "e28f", "80", "f5808080", "f4908080", "c3"})
    void what_is_no_utf_8_is_an_error(String hex) {
        byte[] bytes = HexFormat.of().parseHex("41" + hex + "42");

        assertThatExceptionOfType(CharacterCodingException.class).isThrownBy(() -> Utf8.decode(bytes, 0, bytes.length));
    }

    @Test
    void a_sequence_cut_by_the_end_of_the_part_is_an_error() {
        byte[] bytes = "é".getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(CharacterCodingException.class).isThrownBy(() -> Utf8.decode(bytes, 0, 1));
    }
}
