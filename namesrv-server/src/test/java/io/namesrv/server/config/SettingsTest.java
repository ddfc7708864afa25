package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.loaded;
import static io.namesrv.server.config.Fixtures.loader;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SettingsTest {
    @TempDir
    Path home;

    @Test
    void the_text_has_a_line_for_every_key_in_order() throws Exception {
        String text = loader(home).load().settings().text();

        List<String> names =
                text.lines().map(line -> line.substring(0, line.indexOf('='))).toList();
        assertThat(names)
                .isSorted()
                .containsExactlyElementsOf(
                        ConfigSections.keys().stream().map(ConfigKey::name).toList());
        assertThat(text)
                .endsWith("\n")
                .contains("listenPort=9876\n", "kvConfigPath=" + home + "/namesrv/kvConfig.json\n");
    }

    @Test
    void the_text_holds_what_a_file_named_beyond_the_keys_and_reads_back() throws Exception {
        Settings settings = loaded(
                        home, "a\\ b\\:c= C:\\\\x\\n", "z=名", "orderMessageEnable=TRUE", "productEnvName=\\ x")
                .settings();

        Map<String, String> readBack = PropertiesText.parse(settings.text());

        assertThat(readBack)
                .containsEntry("a b:c", "C:\\x\n")
                .containsEntry("z", "名")
                .containsEntry("orderMessageEnable", "true")
                .containsEntry("productEnvName", " x");
    }

    @Test
    void the_port_shown_is_the_one_that_is_bound() throws Exception {
        Settings settings = loaded(home, "listenPort=0").settings();

        assertThat(settings.text(40_001)).contains("\nlistenPort=40001\n").doesNotContain("listenPort=0\n");
        assertThat(settings.text()).contains("\nlistenPort=0\n");
    }

    @Test
    void passwords_of_others_in_a_shared_file_are_not_shown() throws Exception {
        Settings settings = loaded(home, "tls.server.keyPassword=hunter2", "adminToken=hunter2", "accessKey=hunter2")
                .settings();

        assertThat(settings.text())
                .doesNotContain("hunter2")
                .contains("tls.server.keyPassword=***\n", "adminToken=***\n", "accessKey=***\n");
        assertThat(settings.textWithSources()).doesNotContain("hunter2");
    }

    @Test
    void a_secret_setting_is_not_shown() throws Exception {
        ConfigKey<String> key = KeyDraft.stringKey("word", "").secret().doc("A secret.");
        Settings settings = new Settings(
                Map.of("word", Settings.Setting.parse(key, "hunter2", ConfigSource.BY_DEFAULT)), new TreeMap<>());

        assertThat(settings.text()).isEqualTo("word=***\n");
        assertThat(settings.value(key)).isEqualTo("hunter2");
    }

    @Test
    void the_source_of_each_value_stands_above_it_as_a_comment() throws Exception {
        Settings settings =
                loaded(home, "listenPort=1", "clientWorkerThreads=4").settings();

        String text = settings.textWithSources();

        assertThat(text)
                .contains(
                        "# file " + home.resolve("given.properties") + "\nlistenPort=1\n",
                        "# default\nbindAddress=0.0.0.0\n",
                        "# not a setting of this daemon\nclientWorkerThreads=4\n");
        assertThat(PropertiesText.parse(text)).isEqualTo(PropertiesText.parse(settings.text()));
    }
}
