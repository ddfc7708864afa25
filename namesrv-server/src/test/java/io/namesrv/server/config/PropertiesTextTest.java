package io.namesrv.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PropertiesTextTest {
    private static final long SEED = 20_240_607L;

    /** What properties text can go wrong on, and what is between it. */
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            " ",
            "  ",
            "\t",
            "\f",
            "=",
            ":",
            "#",
            "!",
            "\\",
            "\\\\",
            "\n",
            "\r",
            "\r\n",
            "\\n",
            "\0",
            "\u001B",
            "\u0085",
            "\u2028",
            "é",
            "名",
            "😀",
            "\uFEFF",
            "${user.home}",
            "\\u0041",
            "k");

    @Test
    void a_line_reads_back_as_its_key_and_value() {
        assertThat(PropertiesText.line("a b", " c:d=e ")).isEqualTo("a\\ b=\\ c:d=e \n");
        assertThat(PropertiesText.line("k:=", "C:\\x\n")).isEqualTo("k\\:\\==C:\\\\x\\n\n");
        assertThat(PropertiesText.line("名", "é")).isEqualTo("\\u540D=\\u00E9\n");
    }

    @Test
    void any_values_read_back_also_for_a_reader_of_latin_1() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 2000; round++) {
            Map<String, String> values = randomValues(random);

            String text = PropertiesText.lines(values);

            assertThat(PropertiesText.parse(text))
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(values);
            assertThat(readByApaches(text)).as("seed %d round %d", SEED, round).isEqualTo(values);
        }
    }

    @Test
    void an_edited_text_holds_what_it_held_and_the_changes() throws Exception {
        Random random = new Random(SEED);
        int edited = 0;
        for (int round = 0; round < 4000; round++) {
            String text = randomText(random, 20);
            Map<String, String> former;
            try {
                former = PropertiesText.parse(text);
            } catch (PropertiesText.MalformedException broken) {
                continue;
            }
            Map<String, String> changes = randomValues(random);
            Map<String, String> expected = new HashMap<>(former);
            expected.putAll(changes);

            String result = PropertiesText.edit(text, changes);

            assertThat(PropertiesText.parse(result))
                    .as("seed %d round %d text %s changes %s", SEED, round, PropertiesText.line("", text), changes)
                    .isEqualTo(expected);
            edited++;
        }
        assertThat(edited).isGreaterThan(2000);
    }

    @Test
    void an_edit_changes_a_line_where_it_stands_and_leaves_the_others() throws Exception {
        String text = "# the port\nlistenPort = 9876\n\n! kept\nother=1\\\n  2\nlistenPort=1\n";

        String edited = PropertiesText.edit(text, Map.of("listenPort", "7", "new", "x"));

        assertThat(edited).isEqualTo("# the port\nlistenPort=7\n\n! kept\nother=1\\\n  2\nnew=x\n");
    }

    @Test
    void an_edit_ends_a_last_line_that_has_no_end() throws Exception {
        assertThat(PropertiesText.edit("a=1", Map.of("b", "2"))).isEqualTo("a=1\nb=2\n");
        assertThat(PropertiesText.edit("a=1", Map.of("a", "2"))).isEqualTo("a=2\n");
        assertThat(PropertiesText.edit("a=1", Map.of())).isEqualTo("a=1");
        assertThat(PropertiesText.edit("", Map.of("b", "2"))).isEqualTo("b=2\n");
    }

    @Test
    void a_broken_escape_is_no_properties_text() {
        assertThatExceptionOfType(PropertiesText.MalformedException.class)
                .isThrownBy(() -> PropertiesText.parse("a=\\u12\n"));
    }

    private static Map<String, String> readByApaches(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        Map<String, String> values = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key, "")));
        return values;
    }

    private static Map<String, String> randomValues(Random random) {
        Map<String, String> values = new HashMap<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            values.put(randomText(random, 4), randomText(random, 8));
        }
        return values;
    }

    private static String randomText(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }
}
