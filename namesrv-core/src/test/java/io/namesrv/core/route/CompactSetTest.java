package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
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
class CompactSetTest {
    /** A key whose hash is one of a few, so that most keys meet others on their way to a slot. */
    private record Key(int number, int hashes) {
        @Override
        public int hashCode() {
            return number % hashes;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 17, 100_000})
    void it_holds_what_a_hash_set_holds_however_hashes_collide(int hashes) {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            CompactSet<Key> set = new CompactSet<>();
            Set<Key> expected = new HashSet<>();
            for (int step = 0; step < 400; step++) {
                Key key = new Key(random.nextInt(60), hashes);
                boolean grow = random.nextInt(400) > step;
                boolean sameResult = grow ? set.add(key) == expected.add(key) : set.remove(key) == expected.remove(key);
                boolean sameContent = set.equals(expected) && set.size() == expected.size();
                if (!sameResult || !sameContent || set.contains(key) != expected.contains(key)) {
                    throw new AssertionError(
                            "seed " + seed + ", step " + step + ": " + set + " but expected " + expected);
                }
            }
        }
    }

    @Test
    @Timeout(20)
    void names_of_one_hash_code_are_as_quick_as_others() {
        CompactSet<String> set = CompactSet.ofNames();
        Set<Integer> hashCodes = new HashSet<>();
        for (int number = 0; number < 100_000; number++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < 17; bit++) {
                name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
            }
            hashCodes.add(name.toString().hashCode());
            set.add(name.toString());
        }
        assertThat(hashCodes).hasSize(1);
        assertThat(set).hasSize(100_000);

        for (String name : new ArrayList<>(set)) {
            set.remove(name);
        }
        assertThat(set).isEmpty();
    }

    @Test
    void it_grows_and_shrinks_without_losing_anything() {
        CompactSet<Integer> set = new CompactSet<>();
        for (int number = 0; number < 10_000; number++) {
            set.add(number);
        }

        for (int number = 0; number < 10_000; number++) {
            if (number % 100 != 0) {
                set.remove(number);
            }
        }

        assertThat(set).hasSize(100).allMatch(number -> number % 100 == 0).contains(0, 9_900);
    }

    @Test
    void elements_may_go_while_a_copy_is_walked() {
        CompactSet<String> set = new CompactSet<>();
        for (int number = 0; number < 1_000; number++) {
            set.add("topic-" + number);
        }

        for (String element : new ArrayList<>(set)) {
            set.remove(element);
        }

        assertThat(set).isEmpty();
    }

    @Test
    void what_is_not_there_cannot_be_removed() {
        CompactSet<String> set = new CompactSet<>();
        set.add("orders");

        assertThat(set.remove("else")).isFalse();
        assertThat(set).containsExactly("orders");
    }

    @Test
    void a_walk_ends_after_the_last_element() {
        CompactSet<String> set = new CompactSet<>();
        set.add("orders");
        Iterator<String> walk = set.iterator();

        List<String> seen = List.of(walk.next());

        assertThat(seen).containsExactly("orders");
        assertThat(walk.hasNext()).isFalse();
        assertThatThrownBy(walk::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void a_walk_notices_that_its_next_element_is_gone() {
        CompactSet<String> set = new CompactSet<>();
        set.add("orders");
        Iterator<String> walk = set.iterator();
        set.remove("orders");

        assertThatThrownBy(walk::next).isInstanceOf(IllegalStateException.class);
    }
}
