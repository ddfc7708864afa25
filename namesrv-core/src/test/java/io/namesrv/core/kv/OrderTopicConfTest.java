package io.namesrv.core.kv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderTopicConfTest {
    /** As {@code updateTopic -o true} and {@code updateOrderConf} of mqadmin make them, for one broker or several. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "broker-a:8",
                "broker-a:8;broker-b:4",
                "broker-a:0",
                "b:65536;c:008",
                "my broker:4",
                "b-\u00fc|%.+@#_1:1",
                "a:1;a:2"
            })
    void what_all_clients_can_read_is_well_formed(String value) {
        assertThat(OrderTopicConf.brokenPart(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    broker-a,             broker-a
                    broker-a:,            broker-a:
                    broker-a:x,           broker-a:x
                    broker-a:-1,          broker-a:-1
                    broker-a:+1,          broker-a:+1
                    `broker-a: 1`,        `broker-a: 1`
                    `broker-a:1 `,        `broker-a:1 `
                    broker-a:1:2,         broker-a:1:2
                    broker-a:65537,       broker-a:65537
                    broker-a:99999999999999999999, broker-a:99999999999999999999
                    broker-a:\u0664,      broker-a:\u0664
                    :8,                   :8
                    ` :8`,                ` :8`
                    a:1;broker-b,         broker-b
                    `a:1; b:2`,           ` b:2`
                    `a:1,b:2`,            `a:1,b:2`
                    a:1;,                 ``
                    ;a:1,                 ``
                    a:1;;b:2,             ``
                    ;,                    ``
                    a;b,                  a
                    """)
    void the_first_part_that_some_client_cannot_read_is_named(String value, String part) {
        assertThat(OrderTopicConf.brokenPart(value)).contains(part);
    }

    @Test
    void a_value_of_a_mebibyte_is_read_in_one_go() {
        String value = "broker:1;".repeat(120_000);

        assertThat(OrderTopicConf.brokenPart(value)).contains("");
        assertThat(OrderTopicConf.brokenPart(value + "b:1")).isEmpty();
    }
}
