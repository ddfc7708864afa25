package io.namesrv.remoting.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ExtFieldsTest {
    private static ExtFields fields(String name, String value) {
        return ExtFields.of(Map.of(name, value));
    }

    private static void assertRefused(ThrowingCallable reading, String remark) {
        assertThatExceptionOfType(CommandException.class).isThrownBy(reading).satisfies(refused -> {
            assertThat(refused.code()).isEqualTo(ResponseCode.SYSTEM_ERROR);
            assertThat(refused.remark()).isEqualTo(remark);
            assertThat(refused.getStackTrace()).isEmpty();
        });
    }

    @Test
    void a_missing_field_is_named_in_the_remark() {
        assertRefused(() -> fields("a", "b").required("brokerName"), "the custom field <brokerName> is null");
        assertRefused(() -> fields("a", "b").requiredLong("brokerId"), "the custom field <brokerId> is null");
    }

    @Test
    void an_empty_text_is_a_value() throws CommandException {
        assertThat(fields("topic", "").required("topic")).isEmpty();
        assertThat(fields("topic", "").optional("topic")).contains("");
    }

    @Test
    void numbers_are_read_over_their_whole_range() throws CommandException {
        assertThat(fields("n", "-9223372036854775808").requiredLong("n")).isEqualTo(Long.MIN_VALUE);
        assertThat(fields("n", "9223372036854775807").longOr("n", 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(fields("n", "-2147483648").intOr("n", 1)).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void a_missing_number_is_the_other_one() throws CommandException {
        assertThat(fields("a", "1").longOr("n", 120_000L)).isEqualTo(120_000L);
        assertThat(fields("a", "1").intOr("n", 7)).isEqualTo(7);
    }

    @Test
    void what_is_no_number_is_refused_and_shown() {
        assertRefused(
                () -> fields("brokerId", "abc").requiredLong("brokerId"),
                "the custom field <brokerId> is not a number of 64 bits: abc");
        assertRefused(
                () -> fields("crc", "2147483648").intOr("crc", 0),
                "the custom field <crc> is not a number of 32 bits: 2147483648");
        assertRefused(() -> fields("n", "").longOr("n", 0), "the custom field <n> is not a number of 64 bits: ");
    }

    @Test
    void a_hostile_number_is_shown_escaped_and_cut() {
        String hostile = "1\n2" + "9".repeat(100_000);

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> fields("n", hostile).requiredLong("n"))
                .satisfies(refused -> assertThat(refused.remark())
                        .startsWith("the custom field <n> is not a number of 64 bits: 1\\u000A299")
                        .endsWith("...")
                        .hasSizeLessThan(120));
    }

    @Test
    void only_the_text_true_is_true_in_any_case() {
        assertThat(fields("b", "true").bool("b")).isTrue();
        assertThat(fields("b", "TRUE").bool("b")).isTrue();
        assertThat(fields("b", "yes").bool("b")).isFalse();
        assertThat(fields("b", "1").bool("b")).isFalse();
        assertThat(fields("b", "").bool("b")).isFalse();
        assertThat(fields("a", "true").bool("b")).isFalse();
    }
}
