package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.loaded;
import static io.namesrv.server.config.Fixtures.properties;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableLimits;
import io.namesrv.core.kv.KVConfigManager;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConfigWarningsTest {
    @TempDir
    Path home;

    @Test
    void an_unknown_key_is_named_once_with_the_key_that_was_meant() throws Exception {
        String source = ", from file " + home.resolve("given.properties");

        List<String> warnings = loaded(home, "listenPrt=1", "ListenPort=1", "nothingLikeIt=1", "line\\nbreak=1")
                .warnings();

        assertThat(warnings)
                .containsExactly(
                        "unknown setting ListenPort (did you mean listenPort?)" + source,
                        "unknown setting line\\u000Abreak" + source,
                        "unknown setting listenPrt (did you mean listenPort?)" + source,
                        "unknown setting nothingLikeIt" + source);
    }

    @Test
    void keys_of_clients_and_of_the_controller_in_a_shared_file_are_kept_without_a_word() throws Exception {
        LoadedConfig loaded = loaded(
                home,
                "clientWorkerThreads=4",
                "clientChannelMaxIdleTimeSeconds=120",
                "clientNewInSomeLaterRelease=1",
                "connectTimeoutMillis=3000",
                "controllerDLegerGroup=g",
                "enableElectUncleanMaster=false",
                "jraftConfig.jRaftGroupId=g",
                "jRaftServerId=n0");

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.settings().text())
                .contains("clientWorkerThreads=4\n", "controllerDLegerGroup=g\n", "jRaftServerId=n0\n");
    }

    @Test
    void a_slip_in_a_key_of_ours_that_begins_like_one_of_a_client_is_named() throws Exception {
        assertThat(loaded(home, "clientRequestThreadPoolNum=4").warnings())
                .containsExactly(
                        "unknown setting clientRequestThreadPoolNum (did you mean clientRequestThreadPoolNums?)"
                                + ", from file " + home.resolve("given.properties"));
    }

    @Test
    void a_variable_with_our_prefix_and_no_key_is_named() throws Exception {
        LoadedConfig loaded = new ConfigLoader(
                        properties(home), Map.of("NAMESRV_CONF_LISTENPORT", "1", "NAMESRV_ADDR", "a:1", "PATH", "/bin"))
                .load();

        assertThat(loaded.warnings()).containsExactly("unknown setting, from environment NAMESRV_CONF_LISTENPORT");
    }

    @Test
    void an_idle_time_that_cuts_off_healthy_brokers_is_named() throws Exception {
        assertThat(loaded(home, "serverChannelMaxIdleTimeSeconds=34").warnings())
                .containsExactly(
                        "serverChannelMaxIdleTimeSeconds: 34 cuts off healthy brokers, which speak every 30 seconds"
                                + " (expected: 35 or more)");
        assertThat(loaded(home, "serverChannelMaxIdleTimeSeconds=35").warnings())
                .isEmpty();
    }

    @Test
    void a_limit_that_is_switched_off_is_named_and_has_no_bound() throws Exception {
        LoadedConfig loaded = loaded(home, "frameMaxLength=0", "serverChannelMaxIdleTimeSeconds=0");

        assertThat(loaded.warnings())
                .containsExactly(
                        "serverChannelMaxIdleTimeSeconds: 0 switches this limit off",
                        "frameMaxLength: 0 switches this limit off");
        assertThat(loaded.config().limits().frameMaxLength()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void every_limit_can_be_switched_off() throws Exception {
        String[] lines = LimitKeys.ALL.stream().map(key -> key.name() + "=0").toArray(String[]::new);

        LoadedConfig loaded = loaded(home, lines);

        assertThat(loaded.warnings())
                .containsExactlyElementsOf(LimitKeys.ALL.stream()
                        .map(key -> key.name() + ": 0 switches this limit off")
                        .toList());
        assertThat(loaded.config().shared())
                .isEqualTo(new NamesrvConfig.Shared(
                        Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE));
        assertThat(loaded.config().stored().tables()).isEqualTo(TableLimits.NONE);
        assertThat(loaded.config().stored().kv()).isEqualTo(KVConfigManager.Limits.NONE);
    }

    @Test
    void a_name_unlike_all_keys_is_like_none() {
        assertThat(UnknownKeys.nearest("listenPort")).contains("listenPort");
        assertThat(UnknownKeys.nearest("enableTopicLst")).contains("enableTopicList");
        assertThat(UnknownKeys.nearest("")).isEmpty();
        assertThat(UnknownKeys.nearest("x".repeat(100_000))).isEmpty();
    }
}
