package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.server.config.NamesrvConfig.Names;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class NameRulesTest {
    private final NameRules warn = new NameRules(new Names(false, 512, 255, 255, 255));
    private final NameRules strict = new NameRules(new Names(true, 512, 255, 255, 255));

    @ParameterizedTest
    @ValueSource(strings = {"T1", "%RETRY%group", "rmq_sys_X", "a-b+c.d:e@f#g|h", "9"})
    void usual_names_pass_both_checks(String name) {
        assertThat(warn.topic(name)).isEmpty();
        assertThat(strict.topic(name)).isEmpty();
        assertThat(warn.unusualNames()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "${jndi:x}", "<script>", "主题", "a b", "😀"})
    void unusual_names_are_counted_by_default_and_refused_by_the_strict_check(String name) {
        assertThat(warn.topic(name)).isEmpty();
        assertThat(warn.unusualNames()).isOne();
        assertThat(strict.topic(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "\t", "a\nb", "a\rb", "a\u001b[2J", "a\u0000", "a\u007f", "a\u0085", "\ud800", "\udc00x"
            })
    void blank_names_control_characters_and_half_surrogates_pass_neither(String name) {
        assertThat(warn.topic(name)).isPresent();
        assertThat(strict.topic(name)).isPresent();
    }

    @Test
    void lengths_are_counted_in_bytes() {
        assertThat(warn.topic("t".repeat(512))).isEmpty();
        assertThat(warn.topic("t".repeat(513))).contains("has more than 512 bytes (topicNameMax)");
        assertThat(warn.broker("é".repeat(127))).isEmpty();
        assertThat(warn.broker("é".repeat(128))).contains("has more than 255 bytes (brokerNameMax)");
    }

    @Test
    void each_kind_of_name_has_a_length_of_its_own() {
        NameRules rules = new NameRules(new Names(false, 40, 30, 20, 10));

        assertThat(rules.topic("t".repeat(41))).contains("has more than 40 bytes (topicNameMax)");
        assertThat(rules.broker("b".repeat(31))).contains("has more than 30 bytes (brokerNameMax)");
        assertThat(rules.cluster("c".repeat(21))).contains("has more than 20 bytes (clusterNameMax)");
        assertThat(rules.address("1.2.3.44:80")).contains("has more than 10 bytes (addressMax)");
        assertThat(rules.topic("t".repeat(40))).isEmpty();
        assertThat(rules.broker("b".repeat(30))).isEmpty();
        assertThat(rules.cluster("c".repeat(20))).isEmpty();
        assertThat(rules.address("1.2.3.4:80")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1:10911", "broker-a.example:1", "[::1]:65535", "::1:10911", "fe80::1%eth0:1"})
    void addresses_are_host_and_port(String address) {
        assertThat(warn.address(address)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                ":1",
                "a:",
                "a:0",
                "a:65536",
                "999.1.1.1:99999",
                "a b:1",
                "10.0.0.1:1\nx",
                "[::1",
                "[::1:1",
                "::1]:1",
                "[]:1",
                "a:+1",
                "a:1 ",
                "[a]b:1",
                "[[a]:1",
                "a:000001"
            })
    void anything_else_is_no_address(String address) {
        assertThat(warn.address(address)).isPresent();
    }

    @Test
    void queue_counts_and_permissions_have_ranges() {
        assertThat(warn.queues(0, 65536, 15, 0)).isEmpty();
        assertThat(warn.queues(-1, 0, 6, 0)).isPresent();
        assertThat(warn.queues(0, 65537, 6, 0)).isPresent();
        assertThat(warn.queues(1, 1, 16, 0)).isPresent();
        assertThat(warn.queues(1, 1, -1, 0)).isPresent();
        assertThat(warn.queues(1, 1, 6, NameRules.NO_NUMBER)).isPresent();
    }

    @Test
    void a_mapping_has_a_topic_a_scope_and_numbers_from_0() {
        assertThat(warn.mapping(mapping("T", "__global__", 4, 0, 0))).isEmpty();
        assertThat(warn.mapping(mapping("", "__global__", 4, 0, 0))).isPresent();
        assertThat(warn.mapping(mapping("T", "a\nb", 4, 0, 0))).isPresent();
        assertThat(warn.mapping(mapping("T", "__global__", -7, 0, 0))).isPresent();
        assertThat(warn.mapping(mapping("T", "__global__", 4, -1, 0))).isPresent();
        assertThat(warn.mapping(mapping("T", "__global__", 4, 0, -5))).isPresent();
    }

    private static TopicQueueMappingInfo mapping(String topic, String scope, int total, int id, int physical) {
        return new TopicQueueMappingInfo(topic, scope, total, "b", 1, false, new TreeMap<>(Map.of(id, physical)));
    }

    @Test
    void half_a_surrogate_pair_is_no_unicode() {
        assertThat(NameRules.isUnicode("a\n😀")).isTrue();
        assertThat(NameRules.isUnicode("a\ud800")).isFalse();
    }
}
