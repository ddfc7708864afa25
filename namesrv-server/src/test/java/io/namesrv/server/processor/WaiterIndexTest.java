package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.OrderEdit;
import io.namesrv.remoting.Connection;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RouteQuery.Shape;
import io.namesrv.server.processor.WaiterIndex.Touched;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

@DisplayNameGeneration(ReplaceUnderscores.class)
class WaiterIndexTest {
    private final WaiterIndex index = new WaiterIndex(50);

    private static Connection connection(long id) {
        Connection connection =
                Mockito.mock(Connection.class, Mockito.withSettings().stubOnly());
        Mockito.when(connection.id()).thenReturn(id);
        return connection;
    }

    private static RouteWaiter waiter(String topic, Connection connection) {
        RouteQuery query = new RouteQuery(topic, new Shape(Dialect.STANDARD, Optional.empty()), Optional.of("e-1"));
        return new RouteWaiter(query, new RouteVersion("e", 1), connection);
    }

    private static RouteChange change(String... names) {
        List<Edit> edits = Set.of(names).stream()
                .map(name -> name.startsWith("b")
                        ? (Edit) new FilterServerEdit(new BrokerAddrInfo("c", "a"), name, List.of(), List.of("f"))
                        : new OrderEdit(name))
                .toList();
        return new RouteChange(1, Cause.REGISTER, Optional.empty(), edits);
    }

    @Test
    void a_change_finds_those_it_concerns_by_topic_and_by_broker_and_nobody_else() {
        Connection connection = connection(1);
        RouteWaiter first = waiter("t1", connection);
        RouteWaiter second = waiter("t1", connection);
        RouteWaiter third = waiter("t2", connection);
        index.add(first, List.of("b1", "b2"));
        index.add(second, List.of("b1", "b2"));
        index.add(third, List.of("b2"));

        assertThat(index.touched(change("t3", "b3")).isEmpty()).isTrue();
        assertThat(index.of(index.touched(change("t1", "t3")))).containsExactly(first, second);
        assertThat(index.of(index.touched(change("b1")))).containsExactly(first, second);
        assertThat(index.of(index.touched(change("b2", "t2")))).containsExactlyInAnyOrder(first, second, third);
    }

    @Test
    void one_is_taken_out_once_and_when_it_is_closed_nobody_is_taken_in() {
        RouteWaiter waiter = waiter("t1", connection(1));
        index.add(waiter, List.of("b1"));

        assertThat(List.of(index.remove(waiter), index.remove(waiter))).containsExactly(true, false);
        index.add(waiter, List.of());
        assertThat(index.close()).containsExactly(waiter);
        assertThat(index.add(waiter("t1", connection(1)), List.of())).isFalse();
        assertThat(index.size()).isZero();
    }

    @Test
    void whatever_comes_and_goes_the_indexes_agree_with_each_other_and_with_a_plain_set() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            WaiterIndex mine = new WaiterIndex(20);
            Map<RouteWaiter, Set<String>> plain = new HashMap<>();
            List<Connection> connections = List.of(connection(1), connection(2), connection(3));
            for (int step = 0; step < 200; step++) {
                if (random.nextInt(3) > 0) {
                    RouteWaiter waiter = waiter("t" + random.nextInt(4), connections.get(random.nextInt(3)));
                    Set<String> brokers = Set.of("b" + random.nextInt(3), "b" + (3 + random.nextInt(2)));
                    assertThat(mine.add(waiter, brokers)).isEqualTo(plain.size() < 20);
                    if (plain.size() < 20) {
                        plain.put(waiter, brokers);
                    }
                } else if (random.nextInt(20) == 0) {
                    long id = 1L + random.nextInt(3);
                    mine.removeAllOf(id);
                    plain.keySet().removeIf(waiter -> waiter.connection().id() == id);
                } else if (!plain.isEmpty()) {
                    RouteWaiter waiter = plain.keySet().iterator().next();
                    assertThat(mine.remove(waiter)).isTrue();
                    plain.remove(waiter);
                }
                assertThat(mine.violations()).as("seed " + seed).isEmpty();
                assertThat(new HashSet<>(mine.all())).as("seed " + seed).isEqualTo(plain.keySet());
                String broker = "b" + random.nextInt(5);
                Touched touched = mine.touched(change(broker));
                Set<RouteWaiter> drawing = new HashSet<>(plain.keySet());
                drawing.removeIf(waiter -> !plain.getOrDefault(waiter, Set.of()).contains(broker));
                assertThat(mine.of(touched)).as("seed " + seed).containsAll(drawing);
            }
        }
    }
}
