package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.file;
import static io.namesrv.server.config.Fixtures.loaded;
import static io.namesrv.server.config.Fixtures.loader;
import static io.namesrv.server.config.Fixtures.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConfigLoaderFilesTest {
    @TempDir
    Path home;

    @Test
    void without_a_given_file_that_of_the_home_is_read() throws Exception {
        Path file = file(home, "conf/namesrv.properties", "listenPort=7");

        LoadedConfig loaded = loader(home).load();

        assertThat(loaded.file()).contains(file);
        assertThat(loaded.config().network().listenPort()).isEqualTo(7);
        assertThat(loaded.config().paths().configStorePath()).isEqualTo(home.resolve("namesrv/namesrv.properties"));
    }

    @Test
    void a_given_file_is_where_changes_are_kept_whatever_stands_in_it() throws Exception {
        Path file = file(home, "given.properties", "configStorePath=/elsewhere", "kvConfigPath=${user.home}/kv.json");

        LoadedConfig loaded = loader(home).load(file);

        assertThat(loaded.config().paths().configStorePath()).isEqualTo(file);
        assertThat(loaded.config().paths().kvConfigPath()).isEqualTo(home.resolve("kv.json"));
        assertThat(loaded.settings().source(ConfigKeys.CONFIG_STORE_PATH)).hasToString("command line -c");
    }

    @Test
    void the_place_of_changes_can_be_set_beside_a_given_file() throws Exception {
        Path file = file(home, "given.properties", "orderMessageEnable=false");
        Path store = file(home, "store.properties", "orderMessageEnable=true");

        LoadedConfig loaded =
                loader(home, "namesrv.configStorePath", store.toString()).load(file);

        assertThat(loaded.config().paths().configStorePath()).isEqualTo(store);
        assertThat(loaded.config().routes().orderMessageEnable()).isTrue();
    }

    @Test
    void changes_of_former_runs_lie_over_the_file_of_the_home() throws Exception {
        file(home, "conf/namesrv.properties", "orderMessageEnable=false", "productEnvName=file", "listenPort=1");
        Path store = file(
                home,
                "namesrv/namesrv.properties",
                "orderMessageEnable=true",
                "listenPort=2",
                "kvConfigPath=/elsewhere",
                "unknownKey=1");

        LoadedConfig loaded = loader(home).load();

        assertThat(loaded.config().routes().orderMessageEnable()).isTrue();
        assertThat(loaded.settings().source(ConfigKeys.ORDER_MESSAGE_ENABLE)).hasToString("saved change in " + store);
        assertThat(loaded.settings().value(ConfigKeys.PRODUCT_ENV_NAME)).isEqualTo("file");
        assertThat(loaded.config().network().listenPort()).isEqualTo(1);
        assertThat(loaded.config().paths().kvConfigPath()).isEqualTo(home.resolve("namesrv/kvConfig.json"));
        assertThat(loaded.settings().text()).doesNotContain("unknownKey");
    }

    @Test
    void changes_of_former_runs_count_without_any_file_and_below_the_environment() throws Exception {
        file(home, "namesrv/namesrv.properties", "orderMessageEnable=true", "enableTopicList=false");

        LoadedConfig loaded =
                new ConfigLoader(properties(home), Map.of("NAMESRV_CONF_ENABLE_TOPIC_LIST", "true")).load();

        assertThat(loaded.config().routes().orderMessageEnable()).isTrue();
        assertThat(loaded.config().routes().enableTopicList()).isTrue();
    }

    @Test
    void a_key_that_was_protected_since_is_not_taken_from_former_changes() throws Exception {
        file(home, "conf/namesrv.properties", "configBlackList=other; orderMessageEnable");
        file(home, "namesrv/namesrv.properties", "orderMessageEnable=true");

        assertThat(loader(home).load().config().routes().orderMessageEnable()).isFalse();
    }

    @Test
    void a_bad_file_of_former_changes_is_set_aside_and_the_one_before_it_taken() throws Exception {
        Path store = file(home, "namesrv/namesrv.properties", "orderMessageEnable=\\u12");
        file(home, "namesrv/namesrv.properties.prev", "orderMessageEnable=true");

        LoadedConfig loaded = loader(home).load();

        assertThat(loaded.config().routes().orderMessageEnable()).isTrue();
        assertThat(store).doesNotExist();
        try (var files = Files.list(store.getParent())) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("namesrv.properties.bad-"));
        }
    }

    @Test
    void a_file_of_former_changes_that_cannot_be_read_ends_the_start() throws Exception {
        Files.createDirectories(home.resolve("namesrv/namesrv.properties"));

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home).load())
                .withMessageContaining("cannot read " + home.resolve("namesrv/namesrv.properties"));
    }
}
