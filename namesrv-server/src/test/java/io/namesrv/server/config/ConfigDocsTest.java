package io.namesrv.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConfigDocsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "..").normalize();

    @BeforeAll
    static void write_the_files_if_asked_to() throws IOException {
        if (Boolean.getBoolean("writeConfigDocs")) {
            ConfigDocs.write(ROOT);
        }
    }

    @Test
    void the_files_show_every_setting_as_it_is_declared() throws IOException {
        for (Map.Entry<String, String> file : ConfigDocs.files().entrySet()) {
            assertThat(ConfigDocs.read(ROOT, file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
    }

    @Test
    void the_properties_file_without_its_comment_marks_is_the_defaults() throws Exception {
        String file = ConfigDocs.files().getOrDefault("conf/namesrv.properties", "");
        Map<String, String> expected = new HashMap<>();
        ConfigSections.keys().forEach(key -> expected.put(key.name(), key.defaultText()));

        Map<String, String> values = PropertiesText.parse(file.replaceAll("(?m)^#(?=[a-z])", ""));

        assertThat(values).isEqualTo(expected);
        assertThat(PropertiesText.parse(file)).isEmpty();
    }
}
