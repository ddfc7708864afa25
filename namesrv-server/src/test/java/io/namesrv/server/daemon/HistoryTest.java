package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.History.ABSENT;
import static io.namesrv.server.daemon.History.NEVER;
import static io.namesrv.server.daemon.History.PRESENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Histories that can have been, and each kind of those that cannot. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class HistoryTest {
    private final History history = new History();

    private void told(long from, long to, String broker, int state) {
        history.told("route", from, to, Map.of(broker, state));
    }

    private void told(long from, long to, int stateOfA, int stateOfB) {
        history.told("route", from, to, Map.of("a", stateOfA, "b", stateOfB));
    }

    private void assertWrong(String problem) {
        assertThat(history.violations()).hasSize(1).first().asString().endsWith(problem);
    }

    // ---- one broker

    @Test
    void a_state_may_be_seen_from_the_begin_of_its_change_to_the_end_of_the_next() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, 40);
        told(0, 5, "a", ABSENT);
        told(12, 13, "a", ABSENT);
        told(14, 15, "a", 1);
        told(25, 26, "a", 1);
        told(31, 32, "a", 1);
        told(33, 34, "a", 2);
        told(50, 60, "a", 2);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void what_was_acknowledged_has_to_be_seen() {
        history.changed("a", 1, 10, 20);
        told(21, 22, "a", ABSENT);

        assertWrong("shows a as 0: it cannot have been so then");
    }

    @Test
    void what_was_replaced_is_not_seen_any_more() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, 40);
        told(41, 42, "a", 1);

        assertWrong("it cannot have been so then");
    }

    @Test
    void what_was_removed_is_gone() {
        history.changed("a", 1, 10, 20);
        history.changed("a", ABSENT, 30, 40);
        told(41, 42, "a", 1);

        assertWrong("it cannot have been so then");
    }

    @Test
    void what_was_not_asked_for_yet_is_not_there() {
        history.changed("a", 1, 10, 20);
        told(8, 9, "a", 1);

        assertWrong("it cannot have been so then");
    }

    @Test
    void what_nobody_registered_is_never_there() {
        told(8, 9, "b", 1);

        assertWrong("it cannot have been so then");
    }

    @Test
    void later_answers_do_not_go_back() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, 100);
        told(40, 50, "a", 2);
        told(60, 70, "a", 1);

        assertWrong("an answer before it showed more, 2");
    }

    @Test
    void answers_at_the_same_time_may_differ() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, 100);
        told(40, 60, "a", 2);
        told(50, 70, "a", 1);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void a_broker_that_came_back_is_not_the_former_one() {
        history.changed("a", 1, 10, 100);
        history.changed("a", ABSENT, 20, 100);
        history.changed("a", 2, 30, 100);
        told(35, 36, "a", 1);
        told(40, 41, "a", ABSENT);
        told(50, 51, "a", PRESENT);
        told(60, 61, "a", 1);

        assertWrong("an answer before it showed more, 2");
    }

    @Test
    void a_change_without_an_answer_may_have_happened_or_not() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, NEVER);
        told(40, 41, "a", 1);
        told(50, 51, "a", 2);
        assertThat(history.violations()).isEmpty();

        history.changed("a", ABSENT, 60, 70);
        told(80, 81, "a", 2);
        assertWrong("it cannot have been so then");
    }

    // ---- several of one moment

    @Test
    void one_answer_shows_one_moment() {
        history.changed("a", 1, 10, 20);
        history.changed("b", 1, 30, 40);
        told(0, 50, ABSENT, ABSENT);
        told(0, 50, 1, ABSENT);
        told(0, 50, 1, 1);
        assertThat(history.violations()).isEmpty();

        told(0, 50, ABSENT, 1);
        assertWrong("shows b as 1: not when the others were as shown");
    }

    @Test
    void any_registration_will_do_where_only_presence_is_told() {
        history.changed("a", 1, 10, 20);
        history.changed("a", 2, 30, 40);
        history.changed("b", 1, 35, 36);
        told(0, 50, PRESENT, ABSENT);
        told(0, 50, PRESENT, PRESENT);
        assertThat(history.violations()).isEmpty();

        told(0, 50, ABSENT, PRESENT);
        assertWrong("shows b as -1: not when the others were as shown");
    }

    @Test
    void two_changes_of_one_broker_are_not_seen_at_once() {
        history.changed("a", 1, 10, 11);
        history.changed("a", 2, 20, 21);
        history.changed("b", 1, 12, 13);
        history.changed("b", 2, 30, 31);
        told(0, 40, 1, 1);
        told(0, 40, 2, 2);
        told(0, 40, 2, 1);
        assertThat(history.violations()).isEmpty();

        told(0, 40, 1, 2);
        assertWrong("not when the others were as shown");
    }
}
