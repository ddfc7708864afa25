package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicRowsTest {
    private static TopicRow row(String topic) {
        return new TopicRow(topic, TopicRows.hash(topic));
    }

    private static TopicRows rows(int number) {
        TopicRows rows = new TopicRows();
        for (int i = 0; i < number; i++) {
            rows.add(row("topic-" + i));
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 17, 100_000})
    void it_holds_what_a_map_holds_however_hashes_collide(int hashes) {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            TopicRows rows = new TopicRows();
            Map<String, TopicRow> expected = new HashMap<>();
            for (int step = 0; step < 400; step++) {
                int number = random.nextInt(60);
                String topic = "topic-" + number;
                TopicRow there = rows.get(topic, number % hashes);
                assertThat(there).as("seed %s, step %s", seed, step).isSameAs(expected.get(topic));
                boolean grow = random.nextInt(400) > step;
                if (grow && there == null) {
                    TopicRow added = new TopicRow(topic, number % hashes);
                    rows.add(added);
                    expected.put(topic, added);
                } else if (!grow && there != null) {
                    assertThat(rows.remove(there)).isTrue();
                    assertThat(rows.remove(there)).isFalse();
                    expected.remove(topic);
                }
                assertThat(rows)
                        .as("seed %s, step %s", seed, step)
                        .containsExactlyInAnyOrderElementsOf(expected.values());
                assertThat(rows.size()).isEqualTo(expected.size());
            }
        }
    }

    @Test
    @Timeout(20)
    void names_of_one_hash_code_are_as_quick_as_others() {
        TopicRows rows = new TopicRows();
        Set<Integer> hashCodes = new HashSet<>();
        for (int number = 0; number < 100_000; number++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 17; bit++) {
                name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
            }
            hashCodes.add(name.toString().hashCode());
            rows.add(row(name.toString()));
        }
        assertThat(hashCodes).hasSize(1);
        assertThat(rows.containsTopic("Aa".repeat(17))).isTrue();
        assertThat(rows.containsTopic("Aa".repeat(16))).isFalse();

        for (TopicRow row : new ArrayList<>(rows)) {
            rows.remove(row);
        }
        assertThat(rows).isEmpty();
    }

    @Test
    void hashes_of_names_that_differ_in_one_place_differ() {
        Set<Integer> hashes = new HashSet<>();
        int names = 0;
        for (int length = 1; length <= 12; length++) {
            for (int at = 0; at < length; at++) {
                for (char c : new char[] {'b', 'A', '\u0080', '\u8000', '\uFFFF'}) {
                    char[] name = "a".repeat(length).toCharArray();
                    name[at] = c;
                    hashes.add(TopicRows.hash(new String(name)));
                    names++;
                }
            }
        }

        assertThat(hashes).hasSize(names);
    }

    @Test
    void it_grows_and_shrinks_without_losing_anything() {
        TopicRows rows = rows(10_000);

        for (int number = 0; number < 10_000; number++) {
            TopicRow row = rows.get("topic-" + number);
            assertThat(row).isNotNull();
            if (number % 100 != 0 && row != null) {
                rows.remove(row);
            }
        }

        assertThat(rows).hasSize(100);
        assertThat(rows.containsTopic("topic-9900")).isTrue();
        assertThat(rows.containsTopic("topic-9901")).isFalse();
    }

    @Test
    void a_walk_ends_after_the_last_row() {
        TopicRows rows = rows(1);
        Iterator<TopicRow> walk = rows.iterator();

        List<String> seen = List.of(walk.next().topic());

        assertThat(seen).containsExactly("topic-0");
        assertThat(walk.hasNext()).isFalse();
        assertThatThrownBy(walk::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void a_walk_notices_that_its_next_row_is_gone() {
        TopicRows rows = rows(1);
        Iterator<TopicRow> walk = rows.iterator();
        rows.remove(rows.iterator().next());

        assertThatThrownBy(walk::next).isInstanceOf(IllegalStateException.class);
    }
}
