package io.namesrv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.server.Arguments.Action;
import io.namesrv.server.Arguments.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ArgumentsTest {
    @Test
    void without_arguments_the_daemon_runs() throws UsageException {
        assertThat(Arguments.parse()).isEqualTo(new Arguments(Action.RUN, Optional.empty(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c", "-configFile", "--configFile"})
    void the_file_may_be_given_in_three_ways_and_with_an_equals_sign(String option) throws UsageException {
        Arguments expected = new Arguments(Action.RUN, Optional.of(Path.of("a b.conf")), List.of());

        assertThat(Arguments.parse(option, "a b.conf")).isEqualTo(expected);
        assertThat(Arguments.parse(option + "=a b.conf")).isEqualTo(expected);
    }

    @Test
    void an_address_is_taken_and_ignored() throws UsageException {
        assertThat(Arguments.parse("-n", "127.0.0.1:9876", "-c", "x"))
                .isEqualTo(new Arguments(Action.RUN, Optional.of(Path.of("x")), List.of()));
    }

    @Test
    void each_action_has_its_option() throws UsageException {
        assertThat(Arguments.parse("-p").action()).isEqualTo(Action.PRINT_CONFIG);
        assertThat(Arguments.parse("--help").action()).isEqualTo(Action.HELP);
        assertThat(Arguments.parse("-V").action()).isEqualTo(Action.VERSION);
    }

    @Test
    void stray_words_are_kept_apart() throws UsageException {
        assertThat(Arguments.parse("nameserver", "-p").strayWords()).containsExactly("nameserver");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-x", "--no-such", "-c", "-n", "-configfile", "health", "status"})
    void what_is_not_known_or_lacks_its_value_is_refused(String option) {
        assertThatExceptionOfType(UsageException.class).isThrownBy(() -> Arguments.parse(option));
    }
}
