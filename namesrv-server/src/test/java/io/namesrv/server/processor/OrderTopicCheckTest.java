package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.remoting.protocol.CommandException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OrderTopicCheckTest {
    private final OrderTopicCheck warn = new OrderTopicCheck(() -> false);
    private final OrderTopicCheck strict = new OrderTopicCheck(() -> true);

    @Test
    void values_that_are_not_well_formed_are_counted_taken_or_refused() throws CommandException {
        warn.check("T", "a:1", "me");
        warn.check("T", "a", "me");
        warn.check("T", ";", "me");
        assertThatThrownBy(() -> strict.check("T", "a:1;", "me")).isInstanceOf(CommandException.class);

        assertThat(warn.brokenPuts()).isEqualTo(2);
        assertThat(strict.brokenPuts()).isOne();
    }

    @Test
    void a_remark_shows_what_a_peer_wrote_escaped_and_cut() {
        assertThatThrownBy(() -> strict.check("T\n".repeat(1000), "b\u0000".repeat(1000), "me"))
                .hasMessageStartingWith("order topic T\\u000AT")
                .hasMessageContaining("...: \"b\\u0000b")
                .hasMessageEndingWith(
                        "...\" is not name:number (expected: name:number;name:number; orderConfCheck=strict)")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(700));
    }
}
