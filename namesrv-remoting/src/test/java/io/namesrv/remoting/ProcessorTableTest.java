package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.namesrv.remoting.protocol.RemotingCommand;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProcessorTableTest {
    private static final RequestProcessor OK = (context, request) -> RemotingCommand.success();

    private final Lane one = Lane.inline("one");
    private final Lane two = Lane.inline("two");

    @Test
    void a_second_processor_for_a_code_fails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ProcessorTable.builder().on(105, OK, one).inOrder(105, OK, two))
                .withMessage("a second processor for code GET_ROUTEINFO_BY_TOPIC");
    }

    @Test
    void an_addition_to_a_code_that_nobody_serves_fails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ProcessorTable.builder().tryFirst(105, (connection, request) -> null))
                .withMessage("no processor for code GET_ROUTEINFO_BY_TOPIC");
        assertThatIllegalStateException()
                .isThrownBy(() -> ProcessorTable.builder().atMostWaiting(9999, 1, ""))
                .withMessage("no processor for code 9999");
    }

    @Test
    void ordered_requests_have_one_lane() {
        ProcessorTable.Builder table =
                ProcessorTable.builder().on(1, OK, one).inOrder(103, OK, two).inOrder(104, OK, two);
        assertThat(table.build().orderedLane()).isSameAs(two);

        assertThatIllegalStateException()
                .isThrownBy(() -> table.inOrder(322, OK, one).build());
    }

    @Test
    void what_was_put_in_is_found() {
        ProcessorTable table = ProcessorTable.builder()
                .on(1, OK, one)
                .inOrder(103, OK, two)
                .tryFirst(1, (connection, request) -> null)
                .build();

        assertThat(table.find(1)).hasValueSatisfying(entry -> {
            assertThat(entry.now()).isSameAs(OK);
            assertThat(entry.lane()).isSameAs(one);
            assertThat(entry.ordered()).isFalse();
            assertThat(entry.quick()).isNotNull();
        });
        assertThat(table.find(103))
                .hasValueSatisfying(entry -> assertThat(entry.ordered()).isTrue());
        assertThat(table.find(2)).isEmpty();
    }
}
