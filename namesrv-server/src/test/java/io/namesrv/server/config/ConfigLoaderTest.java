package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.file;
import static io.namesrv.server.config.Fixtures.loaded;
import static io.namesrv.server.config.Fixtures.loader;
import static io.namesrv.server.config.Fixtures.properties;
import static io.namesrv.server.config.Fixtures.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.core.data.TableLimits;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.remoting.Nets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConfigLoaderTest {
    @TempDir
    Path home;

    @Test
    void without_any_file_all_is_at_its_default() throws Exception {
        LoadedConfig loaded = loader(home).load();

        assertThat(loaded.file()).isEmpty();
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.config().paths())
                .isEqualTo(new NamesrvConfig.Paths(
                        home,
                        home.resolve("namesrv/kvConfig.json"),
                        home.resolve("namesrv/namesrv.properties"),
                        Optional.of(home.resolve("namesrv/namesrv.pid"))));
        assertThat(loaded.config().routes())
                .isEqualTo(new NamesrvConfig.Routes(
                        false, true, false, false, false, true, true, true, false, Duration.ofSeconds(45)));
        assertThat(loaded.config().operators()).isEqualTo(new NamesrvConfig.Operators(false, false));
        assertThat(loaded.config().liveness())
                .isEqualTo(new NamesrvConfig.Liveness(Duration.ofSeconds(5), Duration.ofMinutes(2), 1, false));
        assertThat(loaded.config().requests())
                .isEqualTo(new NamesrvConfig.Requests(8, 50_000, 16, 10_000, 3000, 479, Duration.ofMillis(100)));
        assertThat(loaded.config().network())
                .isEqualTo(new NamesrvConfig.Network(
                        "0.0.0.0",
                        9876,
                        3,
                        Duration.ofMinutes(2),
                        1024,
                        0,
                        0,
                        1 << 20,
                        256 << 10,
                        true,
                        256,
                        Nets.NONE,
                        Duration.ZERO));
        assertThat(loaded.config().limits())
                .isEqualTo(new NamesrvConfig.Limits(
                        1 << 24,
                        1 << 20,
                        256,
                        256,
                        64 << 10,
                        1 << 20,
                        32,
                        64,
                        64 << 20,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(10),
                        1024,
                        8 << 20));
        assertThat(loaded.config().shared())
                .isEqualTo(new NamesrvConfig.Shared(20_000, 10_000, 256 << 20, 128 << 20, 10_000));
        assertThat(loaded.config().stored())
                .isEqualTo(new NamesrvConfig.Stored(
                        new TableLimits(500_000, 100_000, 10_000, 1000, 64, 1000, 512 << 20),
                        new KVConfigManager.Limits(1000, 100_000, 4 << 20, 64 << 20),
                        new NamesrvConfig.Names(false, 512, 255, 255, 255)));
    }

    @Test
    void a_property_wins_over_a_variable_and_that_over_the_file() throws Exception {
        Path file = file(home, "given.properties", "listenPort=1", "serverSelectorThreads=1", "protocolVersion=1");
        ConfigLoader loader = new ConfigLoader(
                with(properties(home), "namesrv.listenPort", "3"),
                Map.of("NAMESRV_CONF_LISTEN_PORT", "2", "NAMESRV_CONF_SERVER_SELECTOR_THREADS", "2"));

        LoadedConfig loaded = loader.load(file);

        assertThat(loaded.config().network().listenPort()).isEqualTo(3);
        assertThat(loaded.config().network().selectorThreads()).isEqualTo(2);
        assertThat(loaded.config().requests().protocolVersion()).isEqualTo(1);
        assertThat(loaded.settings().source(ConfigKeys.LISTEN_PORT)).hasToString("system property namesrv.listenPort");
        assertThat(loaded.settings().source(ConfigKeys.SERVER_SELECTOR_THREADS))
                .hasToString("environment NAMESRV_CONF_SERVER_SELECTOR_THREADS");
        assertThat(loaded.settings().source(ConfigKeys.PROTOCOL_VERSION)).hasToString("file " + file);
        assertThat(loaded.settings().source(ConfigKeys.BIND_ADDRESS)).hasToString("default");
    }

    @Test
    void a_value_that_does_not_parse_ends_the_load_with_key_value_expectation_and_source() throws Exception {
        Path file = file(home, "given.properties", "listenPort=99999");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home).load(file))
                .withMessage("listenPort: 99999 (expected: 0..65535), from file " + file);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(
                        () -> new ConfigLoader(properties(home), Map.of("NAMESRV_CONF_LISTEN_PORT", "tcp://10.0.0.1:1"))
                                .load())
                .withMessage(
                        "listenPort: tcp://10.0.0.1:1 (expected: 0..65535), from environment NAMESRV_CONF_LISTEN_PORT");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home, "com.rocketmq.remoting.frameMaxLength", "16m")
                        .load())
                .withMessage("frameMaxLength: 16m (expected: 0..2147483647),"
                        + " from system property com.rocketmq.remoting.frameMaxLength");
    }

    @Test
    void the_controller_and_the_cluster_test_are_refused_at_start() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loaded(home, "enableControllerInNamesrv=true"))
                .withMessageContaining("enableControllerInNamesrv: true")
                .withMessageContaining("Apache's own, bin/mqcontroller");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loaded(home, "clusterTest=true"))
                .withMessageContaining("clusterTest: true (not supported");
    }

    @Test
    void a_file_is_read_as_java_properties_in_utf_8() throws Exception {
        LoadedConfig loaded = loaded(
                home,
                "# comment",
                "  productEnvName :  名\\u0041 ",
                "bindAddress=127.0.\\",
                "   0.1",
                "listenPort = 1234  ");

        assertThat(loaded.settings().value(ConfigKeys.PRODUCT_ENV_NAME)).isEqualTo("名A ");
        assertThat(loaded.config().network().bindAddress()).isEqualTo("127.0.0.1");
        assertThat(loaded.config().network().listenPort()).isEqualTo(1234);
    }

    @Test
    void a_file_that_is_not_utf_8_is_read_as_apaches_does() throws Exception {
        Path file = home.resolve("given.properties");
        Files.writeString(file, "# caf\u00E9\nproductEnvName=\u00E9\nlistenPort=7\n", StandardCharsets.ISO_8859_1);

        LoadedConfig loaded = loader(home).load(file);

        assertThat(loaded.settings().value(ConfigKeys.PRODUCT_ENV_NAME)).isEqualTo("\u00E9");
        assertThat(loaded.config().network().listenPort()).isEqualTo(7);
    }

    @Test
    void a_file_that_starts_with_a_byte_order_mark_keeps_its_first_key() throws Exception {
        assertThat(loaded(home, "\uFEFFlistenPort=7").config().network().listenPort())
                .isEqualTo(7);
    }

    @Test
    void a_file_that_is_given_has_to_be_there_and_readable() throws Exception {
        Path missing = home.resolve("missing.properties");
        Path broken = file(home, "broken.properties", "a=\\u12");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home).load(missing))
                .withMessageContaining(missing.toString())
                .withMessageContaining("no such file");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home).load(home))
                .withMessageContaining("cannot read " + home);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loader(home).load(broken))
                .withMessageContaining(broken.toString())
                .withMessageContaining("Malformed");
        assertThat(broken).as("an operator's file is not set aside").exists();
    }

    @Test
    void the_home_is_the_property_else_the_variable_else_there_is_none() throws Exception {
        Map<String, String> users = Map.of("user.home", home.toString());
        Map<String, String> variables = Map.of("ROCKETMQ_HOME", "/from/variable");

        assertThat(new ConfigLoader(users, variables).load().config().paths().rocketmqHome())
                .isEqualTo(Path.of("/from/variable"));
        assertThat(new ConfigLoader(with(users, "rocketmq.home.dir", " "), variables)
                        .load()
                        .config()
                        .paths()
                        .rocketmqHome())
                .isEqualTo(Path.of("/from/variable"));
        assertThat(new ConfigLoader(with(users, "rocketmq.home.dir", "/from/property"), variables)
                        .load()
                        .config()
                        .paths()
                        .rocketmqHome())
                .isEqualTo(Path.of("/from/property"));
        assertThatExceptionOfType(NoHomeException.class)
                .isThrownBy(() -> new ConfigLoader(users, Map.of()).load())
                .withMessageContaining("ROCKETMQ_HOME");
    }

    @Test
    void a_tuned_4_9_file_keeps_its_request_threads() throws Exception {
        assertThat(loaded(home, "serverWorkerThreads=64").config().requests().defaultThreads())
                .isEqualTo(64);
        assertThat(loaded(home, "serverWorkerThreads=4").config().requests().defaultThreads())
                .isEqualTo(16);
        assertThat(loaded(home, "serverWorkerThreads=64", "defaultThreadPoolNums=5")
                        .config()
                        .requests()
                        .defaultThreads())
                .isEqualTo(5);
        assertThat(loader(home, "namesrv.serverWorkerThreads", "64")
                        .load()
                        .config()
                        .requests()
                        .defaultThreads())
                .isEqualTo(16);
        assertThat(loaded(home, "serverWorkerThreads=64").settings().source(ConfigKeys.DEFAULT_THREAD_POOL_NUMS))
                .hasToString("follows from serverWorkerThreads");
    }

    @Test
    void system_properties_of_apaches_set_defaults() throws Exception {
        LoadedConfig loaded = new ConfigLoader(
                        with(
                                properties(home),
                                "com.rocketmq.remoting.frameMaxLength",
                                "1000",
                                "com.rocketmq.remoting.socket.sndbuf.size",
                                "2000",
                                "com.rocketmq.remoting.socket.rcvbuf.size",
                                "3000"),
                        Map.of())
                .load(file(home, "given.properties", "serverSocketRcvBufSize=4000"));

        assertThat(loaded.config().limits().frameMaxLength()).isEqualTo(1000);
        assertThat(loaded.config().network().sendBuffer()).isEqualTo(2000);
        assertThat(loaded.config().network().receiveBuffer()).isEqualTo(4000);
    }

    @Test
    void water_marks_take_effect_together_and_in_order() throws Exception {
        NamesrvConfig.Network both = loaded(home, "writeBufferHighWaterMark=10", "writeBufferLowWaterMark=5")
                .config()
                .network();
        NamesrvConfig.Network one =
                loaded(home, "writeBufferLowWaterMark=5").config().network();

        assertThat(both.writeHighWaterMark()).isEqualTo(10);
        assertThat(both.writeLowWaterMark()).isEqualTo(5);
        assertThat(one.writeHighWaterMark()).isEqualTo(1 << 20);
        assertThat(one.writeLowWaterMark()).isEqualTo(256 << 10);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> loaded(home, "writeBufferHighWaterMark=5", "writeBufferLowWaterMark=10"))
                .withMessageContaining("writeBufferLowWaterMark: 10 (expected: at most writeBufferHighWaterMark");
    }

    @Test
    void a_graceful_stop_waits_only_if_it_is_asked_for() throws Exception {
        assertThat(loaded(home, "shutdownWaitTimeSeconds=7").config().network().shutdownWait())
                .isZero();
        assertThat(loaded(home, "shutdownWaitTimeSeconds=7", "enableShutdownGracefully=true")
                        .config()
                        .network()
                        .shutdownWait())
                .isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void an_empty_pid_file_means_none() throws Exception {
        assertThat(loaded(home, "pidFile=").config().paths().pidFile()).isEmpty();
    }
}
