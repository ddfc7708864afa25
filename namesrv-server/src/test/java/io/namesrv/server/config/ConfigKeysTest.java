package io.namesrv.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ConfigKeysTest {
    @Test
    void every_declared_key_stands_in_one_section() throws IllegalAccessException {
        Set<Object> declared = new HashSet<>();
        for (Class<?> declaring : List.of(ConfigKeys.class, LimitKeys.class)) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.getType() == ConfigKey.class) {
                    declared.add(field.get(null));
                }
            }
        }
        List<Object> sorted = new ArrayList<>();
        ConfigSections.SECTIONS.forEach(section -> sorted.addAll(section.keys()));

        assertThat(sorted).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(declared);
    }

    @Test
    void every_default_is_a_value_of_its_key_and_every_key_says_what_it_means() throws ConfigException {
        for (ConfigKey<?> key : ConfigSections.keys()) {
            assertThat(key.parse(key.defaultText()).toString()).isEqualTo(key.defaultText());
            assertThat(key.doc()).as(key.name()).endsWith(".").doesNotContain("\n");
        }
    }

    @Test
    void all_keys_of_apaches_name_server_are_there_with_its_defaults() {
        List<String> defaults = List.of(
                "kvConfigPath=${user.home}/namesrv/kvConfig.json",
                "configStorePath=${user.home}/namesrv/namesrv.properties",
                "productEnvName=center",
                "clusterTest=false",
                "orderMessageEnable=false",
                "returnOrderTopicConfigToBroker=true",
                "clientRequestThreadPoolNums=8",
                "defaultThreadPoolNums=16",
                "clientRequestThreadPoolQueueCapacity=50000",
                "defaultThreadPoolQueueCapacity=10000",
                "scanNotActiveBrokerInterval=5000",
                "unRegisterBrokerQueueCapacity=3000",
                "supportActingMaster=false",
                "enableAllTopicList=true",
                "enableTopicList=true",
                "notifyMinBrokerIdChanged=false",
                "enableControllerInNamesrv=false",
                "needWaitForService=false",
                "waitSecondsForService=45",
                "deleteTopicWithBrokerRegistration=false",
                "configBlackList=configBlackList;configStorePath;kvConfigPath",
                "listenPort=9876",
                "bindAddress=0.0.0.0",
                "serverWorkerThreads=8",
                "serverCallbackExecutorThreads=0",
                "serverSelectorThreads=3",
                "serverOnewaySemaphoreValue=256",
                "serverAsyncSemaphoreValue=64",
                "serverChannelMaxIdleTimeSeconds=120",
                "serverSocketSndBufSize=0",
                "serverSocketRcvBufSize=0",
                "writeBufferHighWaterMark=0",
                "writeBufferLowWaterMark=0",
                "serverSocketBacklog=1024",
                "serverNettyWorkerGroupEnable=true",
                "serverPooledByteBufAllocatorEnable=true",
                "enableShutdownGracefully=false",
                "shutdownWaitTimeSeconds=30",
                "useEpollNativeSelector=false");

        List<String> declared = new ArrayList<>();
        ConfigSections.keys().forEach(key -> declared.add(key.name() + "=" + key.defaultText()));

        assertThat(declared).containsAll(defaults).contains("rocketmqHome=");
    }

    @Test
    void only_keys_that_take_effect_at_once_may_change_at_run_time() {
        List<String> updatable = ConfigSections.keys().stream()
                .filter(ConfigKey::updatable)
                .map(ConfigKey::name)
                .toList();

        assertThat(updatable)
                .containsExactly(
                        "deleteTopicWithBrokerRegistration",
                        "enableAllTopicList",
                        "enableTopicList",
                        "evictionBrake",
                        "evictionMisses",
                        "needWaitForService",
                        "notifyMinBrokerIdChanged",
                        "orderConfCheck",
                        "orderMessageEnable",
                        "permWipeSticky",
                        "productEnvName",
                        "returnOrderTopicConfigToBroker",
                        "routeDiffEnable",
                        "slowRequestMillis",
                        "supportActingMaster",
                        "waitSecondsForService");
    }

    @Test
    void the_variable_of_a_key_is_its_name_in_upper_snake() {
        assertThat(ConfigKeys.LISTEN_PORT.environmentName()).isEqualTo("NAMESRV_CONF_LISTEN_PORT");
        assertThat(ConfigKeys.UN_REGISTER_BROKER_QUEUE_CAPACITY.environmentName())
                .isEqualTo("NAMESRV_CONF_UN_REGISTER_BROKER_QUEUE_CAPACITY");
    }

    @Test
    void a_number_is_decimal_and_within_its_range() throws ConfigException {
        assertThat(ConfigKeys.LISTEN_PORT.parse("0")).isZero();
        assertThat(ConfigKeys.LISTEN_PORT.parse(" 65535 ")).isEqualTo(65535);
        for (String bad :
                List.of("", "65536", "-1", "99999", "0x10", "1e3", "9_876", "+1", "1.0", "٣", "abc", "9".repeat(30))) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> ConfigKeys.LISTEN_PORT.parse(bad))
                    .withMessage("listenPort: " + bad + " (expected: 0..65535)");
        }
    }

    @Test
    void a_long_reaches_as_far_as_its_range() throws ConfigException {
        ConfigKey<Long> key = KeyDraft.longKey("far", 0).doc("Far.");

        assertThat(key.parse("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> key.parse("9223372036854775808"))
                .withMessage("far: 9223372036854775808 (expected: 0..9223372036854775807)");
    }

    @Test
    void a_bool_is_true_or_false_in_any_case() throws ConfigException {
        assertThat(ConfigKeys.ENABLE_TOPIC_LIST.parse("TRUE")).isTrue();
        assertThat(ConfigKeys.ENABLE_TOPIC_LIST.parse("False ")).isFalse();
        for (String bad : List.of("", "yes", "1", "truE!")) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> ConfigKeys.ENABLE_TOPIC_LIST.parse(bad))
                    .withMessage("enableTopicList: " + bad + " (expected: true or false)");
        }
    }

    @Test
    void a_choice_is_one_of_its_words_in_any_case() throws ConfigException {
        assertThat(ConfigKeys.NAME_CHECK.parse("STRICT")).isEqualTo("strict");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigKeys.NAME_CHECK.parse("lax"))
                .withMessage("nameCheck: lax (expected: warn or strict)");
    }

    @Test
    void a_path_may_be_empty_only_where_that_means_none() throws ConfigException {
        assertThat(ConfigKeys.PID_FILE.parse("")).isEmpty();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigKeys.KV_CONFIG_PATH.parse(" "))
                .withMessage("kvConfigPath:   (expected: a path)");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigKeys.PID_FILE.parse("a\0b"))
                .withMessage("pidFile: a\\u0000b (expected: a path)");
    }

    @Test
    void what_is_not_part_of_this_daemon_is_refused_in_words() throws ConfigException {
        assertThat(ConfigKeys.ENABLE_CONTROLLER_IN_NAMESRV.parse("false")).isFalse();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigKeys.ENABLE_CONTROLLER_IN_NAMESRV.parse("true"))
                .withMessageContaining("bin/mqcontroller");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigKeys.CLUSTER_TEST.parse("true"))
                .withMessageContaining("not supported");
    }

    @Test
    void a_secret_is_not_shown_when_it_is_refused() {
        ConfigKey<Integer> pin = KeyDraft.intKey("pin", 0).secret().doc("A secret.");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> pin.parse("hunter2"))
                .withMessage("pin: *** (expected: 0..2147483647)");
    }

    @Test
    void a_key_without_a_range_takes_none() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> KeyDraft.boolKey("flag", true).in(0, 1));
    }
}
