package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.file;
import static io.namesrv.server.config.Fixtures.loader;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.config.ConfigUpdate.Applied;
import io.namesrv.server.config.ConfigUpdate.Failed;
import io.namesrv.server.config.ConfigUpdate.Forbidden;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LiveConfigTest {
    private static final Forbidden IN_BLACK_LIST = new Forbidden("Can not update config in black list.");

    @TempDir
    Path home;

    private Path file;
    private LiveConfig live;

    @BeforeEach
    void load() throws Exception {
        file = file(
                home,
                "given.properties",
                "# ours",
                "productEnvName=before",
                "foreign=1",
                "configBlackList=supportActingMaster ; foreign");
        live = new LiveConfig(loader(home).load(file));
    }

    @Test
    void a_change_is_in_force_shown_and_kept() throws Exception {
        ConfigUpdate update = update("productEnvName=after", "waitSecondsForService = 7", "orderMessageEnable=TRUE");

        assertThat(update)
                .isEqualTo(new Applied(new TreeMap<>(Map.of(
                        "productEnvName", "after", "waitSecondsForService", "7", "orderMessageEnable", "true"))));
        assertThat(live.current().routes().waitForService()).isEqualTo(Duration.ofSeconds(7));
        assertThat(live.settings().text()).contains("productEnvName=after\n", "foreign=1\n");
        assertThat(live.settings().source(ConfigKeys.PRODUCT_ENV_NAME)).hasToString("changed at run time");
        assertThat(Files.readString(file)).isEqualTo("""
                        # ours
                        productEnvName=after
                        foreign=1
                        configBlackList=supportActingMaster ; foreign
                        orderMessageEnable=true
                        waitSecondsForService=7
                        """);
        assertThat(new LiveConfig(loader(home).load(file)).current()).isEqualTo(live.current());
    }

    @Test
    void a_change_without_a_given_file_is_kept_and_counts_at_the_next_start() throws Exception {
        LiveConfig fileless = new LiveConfig(loader(home).load());

        ConfigUpdate update = fileless.update(bytes("productEnvName=\\u540D C:\\\\x", "needWaitForService=true"));

        assertThat(update).isInstanceOf(Applied.class);
        assertThat(Files.readString(home.resolve("namesrv/namesrv.properties")))
                .isEqualTo("needWaitForService=true\nproductEnvName=\\u540D C:\\\\x\n");
        LoadedConfig next = loader(home).load();
        assertThat(next.config()).isEqualTo(fileless.current());
        assertThat(next.settings().value(ConfigKeys.PRODUCT_ENV_NAME)).isEqualTo("名 C:\\x");
    }

    @Test
    void an_empty_body_is_a_success_that_does_nothing() throws Exception {
        String before = Files.readString(file);

        for (String body : List.of("", "\n# only a comment\n")) {
            assertThat(update(body)).isEqualTo(new Applied(new TreeMap<>()));
        }

        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(file.resolveSibling("given.properties.prev")).doesNotExist();
    }

    @Test
    void protected_keys_are_refused_with_the_remark_of_5_x() {
        for (String key : List.of(
                "configBlackList",
                "configStorePath",
                "kvConfigPath",
                "rocketmqHome",
                "supportActingMaster",
                "foreign")) {
            assertRefused(IN_BLACK_LIST, key + "=/x", "productEnvName=after");
        }
        assertRefused(IN_BLACK_LIST, "kvConfig\\u0050ath=/x");
        assertRefused(IN_BLACK_LIST, "  kvConfigPath : /x");
    }

    @Test
    void an_unknown_key_is_refused_by_name() {
        assertRefused(new Forbidden("noSuchKey: no such setting"), "noSuchKey=1", "productEnvName=after");
        assertRefused(new Forbidden("KvConfigPath: no such setting"), "KvConfigPath=1");
        assertRefused(new Forbidden("a\\u000Ab: no such setting"), "a\\nb=1");
    }

    @Test
    void a_key_that_is_read_only_at_start_is_refused_by_name() {
        for (ConfigKey<?> key : ConfigSections.keys()) {
            if (!key.updatable() && !LiveConfig.blackList("").contains(key.name())) {
                assertRefused(
                        new Forbidden(key.name()
                                + ": read only at start; set it where the daemon is configured and start it again"),
                        key.name() + "=1",
                        "productEnvName=after");
            }
        }
    }

    @Test
    void a_value_that_does_not_parse_is_refused_by_name() {
        assertRefused(
                new Failed("waitSecondsForService: soon (expected: 0..2147483647)"),
                "waitSecondsForService=soon",
                "productEnvName=after");
        assertRefused(
                new Failed("orderMessageEnable: 1 (expected: true or false)"),
                "orderMessageEnable=1",
                "productEnvName=after");
    }

    @Test
    void a_body_that_is_no_properties_text_or_not_utf_8_is_refused() {
        assertRefused(new Failed("string2Properties error"), "productEnvName=\\u12");
        byte[] latin1 = "productEnvName=\u00E9".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(live.update(latin1)).isEqualTo(new Failed("the body is not UTF-8"));
    }

    @Test
    void a_value_with_a_line_break_or_control_character_is_refused_by_name() {
        for (String value :
                List.of("a\\nkvConfigPath=/x", "a\\rb", "a\\tb", "a\\u0000b", "a\\u007Fb", "a\\u0085b", "a\\u2028b")) {
            assertRefused(
                    new Failed("productEnvName: a value may not hold a line break or control character"),
                    "productEnvName=" + value,
                    "orderMessageEnable=true");
        }
    }

    @Test
    void of_several_faults_the_first_in_order_is_answered() {
        String badValue = "waitSecondsForService=soon";
        String control = "productEnvName=\\n";
        String unknown = "aaa=1";
        String listed = "rocketmqHome=/x";
        String broken = "zzz=\\u12";

        assertRefused(new Failed("string2Properties error"), badValue, control, unknown, listed, broken);
        assertRefused(IN_BLACK_LIST, badValue, control, unknown, listed);
        assertRefused(new Forbidden("aaa: no such setting"), badValue, control, unknown);
        assertRefused(
                new Failed("productEnvName: a value may not hold a line break or control character"),
                badValue,
                control);
    }

    @Test
    void a_change_that_cannot_be_written_is_not_in_force() throws Exception {
        Path notADirectory = file(home, "regular");
        LiveConfig unwritable = new LiveConfig(loader(
                        home,
                        "namesrv.configStorePath",
                        home.resolve("store.properties").toString())
                .load());
        Files.createSymbolicLink(home.resolve("store.properties"), notADirectory.resolve("x"));
        NamesrvConfig before = unwritable.current();

        ConfigUpdate update = unwritable.update(bytes("orderMessageEnable=true"));

        assertThat(update)
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> assertThat(failed.remark())
                                .startsWith("settings are not saved and not changed: cannot read " + notADirectory));
        assertThat(unwritable.current()).isSameAs(before);
    }

    @Test
    void a_file_that_was_broken_meanwhile_is_left_alone() throws Exception {
        Files.writeString(file, "broken=\\u12");

        ConfigUpdate update = update("orderMessageEnable=true");

        assertThat(update).isInstanceOf(Failed.class);
        assertThat(live.current().routes().orderMessageEnable()).isFalse();
        assertThat(Files.readString(file)).isEqualTo("broken=\\u12");
    }

    @Test
    void what_an_operator_wrote_into_the_file_meanwhile_stays() throws Exception {
        Files.writeString(file, "listenPort=1\nproductEnvName=operator\n");

        update("orderMessageEnable=true");

        assertThat(Files.readString(file))
                .isEqualTo("listenPort=1\nproductEnvName=operator\norderMessageEnable=true\n");
    }

    @Test
    void a_file_in_latin_1_stays_in_it() throws Exception {
        Files.writeString(file, "# \u00E9\nforeign=\u00E9\n", StandardCharsets.ISO_8859_1);

        update("productEnvName=名");

        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                .isEqualTo("# \u00E9\nforeign=\u00E9\nproductEnvName=\\u540D\n");
    }

    private void assertRefused(ConfigUpdate expected, String... lines) {
        NamesrvConfig before = live.current();

        assertThat(update(lines)).isEqualTo(expected);

        assertThat(live.current()).isSameAs(before);
        assertThat(live.settings().value(ConfigKeys.PRODUCT_ENV_NAME)).isEqualTo("before");
        assertThat(file.resolveSibling("given.properties.prev")).doesNotExist();
    }

    private ConfigUpdate update(String... lines) {
        return live.update(bytes(lines));
    }

    private static byte[] bytes(String... lines) {
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }
}
