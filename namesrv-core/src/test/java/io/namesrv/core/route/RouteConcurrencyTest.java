package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerAddrInfo;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events of one broker that meet: whatever their order, the tables end as one of the orders says. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class RouteConcurrencyTest {
    private static final int BROKERS = 8;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop_the_threads() {
        threads.shutdownNow();
    }

    @Test
    void fault_06_closing_the_former_connection_never_removes_a_fresh_registration() throws Exception {
        for (int round = 0; round < 300; round++) {
            Bench bench = new Bench();
            for (int number = 0; number < BROKERS; number++) {
                bench.register(broker(number), new ConnectionId(100 + number));
            }
            List<Callable<?>> events = new ArrayList<>();
            for (int number = 0; number < BROKERS; number++) {
                int n = number;
                events.add(() -> bench.routes.connectionClosed(new ConnectionId(100 + n)));
                events.add(() -> bench.register(broker(n), new ConnectionId(200 + n)));
            }

            together(events);

            for (int number = 0; number < BROKERS; number++) {
                assertThat(bench.members("broker-" + number)).isEqualTo(addrs(0, addr(number)));
            }
            assertThat(bench.routes.invariantViolations()).isEmpty();
        }
    }

    @Test
    void fault_07_a_broker_whose_question_was_answered_is_not_evicted_by_that_scan() throws Exception {
        int answered = 0;
        for (int round = 0; round < 300; round++) {
            Bench bench = new Bench();
            for (int number = 0; number < BROKERS; number++) {
                bench.register(broker(number).timeoutMillis(5_000));
            }
            bench.ticker.advance(5_001);
            List<Callable<?>> events = new ArrayList<>();
            for (int number = 0; number < BROKERS; number++) {
                int n = number;
                events.add(() ->
                        bench.routes.signOfLife(CLUSTER, addr(n)).dataVersion().isPresent());
            }
            events.add(() -> bench.routes.scanNotActiveBroker(1).departed());

            List<Object> results = together(events);

            DepartureReport report = (DepartureReport) results.get(BROKERS);
            for (int number = 0; number < BROKERS; number++) {
                boolean known = results.get(number).equals(true);
                BrokerAddrInfo key = new BrokerAddrInfo(CLUSTER, addr(number));
                boolean evicted =
                        report.brokers().stream().anyMatch(row -> row.key().equals(key));
                assertThat(evicted).as("evicted after it was told its version").isEqualTo(!known);
                answered += known ? 1 : 0;
            }
            assertThat(bench.routes.invariantViolations()).isEmpty();
        }
        assertThat(answered).as("questions that came before a scan").isPositive();
    }

    @Test
    void fault_08_register_and_unregister_in_the_order_of_their_connection_end_as_the_last_of_them() throws Exception {
        Bench bench = new Bench();
        List<Callable<?>> connections = new ArrayList<>();
        for (int number = 0; number < BROKERS; number++) {
            int n = number;
            ConnectionId connection = new ConnectionId(100 + n);
            connections.add(() -> {
                for (int round = 0; round < 200; round++) {
                    bench.routes.unregisterBroker(CLUSTER, "broker-" + n, addr(n), connection);
                    bench.register(broker(n), connection);
                    assertThat(bench.members("broker-" + n)).isEqualTo(addrs(0, addr(n)));
                    bench.routes.unregisterBroker(CLUSTER, "broker-" + n, addr(n), connection);
                    assertThat(bench.members("broker-" + n)).isEmpty();
                }
                return true;
            });
        }

        together(connections);

        assertThat(bench.routes.sizes().brokers()).isZero();
        assertThat(bench.topics()).isEmpty();
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    @Test
    void fault_10_no_answer_is_torn() throws Exception {
        Bench bench = new Bench();
        RegistrationBuilder here = master();
        RegistrationBuilder there = master().cluster(OTHER_CLUSTER);
        bench.register(slave());
        Callable<?> changes = () -> {
            for (int round = 0; round < 400; round++) {
                bench.register(round % 2 == 0 ? here : there);
                bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
                bench.routes.addWritePermOfBroker(BROKER, OPERATOR);
                bench.routes.unregisterBroker(round % 2 == 0 ? CLUSTER : OTHER_CLUSTER, BROKER, MASTER_ADDR, OPERATOR);
            }
            return true;
        };
        Callable<?> questions = () -> {
            for (int round = 0; round < 4_000; round++) {
                Optional<TopicRouteData> route = bench.routes.pickupTopicRouteData("orders", true);
                assertThat(route).isPresent();
                assertThat(route.get().brokerDatas())
                        .hasSize(route.get().queueDatas().size());
                assertThat(bench.routes.clusterInfo().clusterAddrTable()).hasSize(1);
            }
            return true;
        };

        together(List.of(changes, questions, questions));

        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    @Test
    void the_versions_of_concurrent_steps_are_one_row_of_numbers() throws Exception {
        Bench bench = new Bench();
        Queue<RouteChange> changes = new ConcurrentLinkedQueue<>();
        List<Callable<?>> brokers = new ArrayList<>();
        for (int number = 0; number < BROKERS; number++) {
            int n = number;
            brokers.add(() -> {
                for (int round = 0; round < 100; round++) {
                    changes.add(bench.register(broker(n), new ConnectionId(n)).change());
                    changes.add(
                            bench.routes.connectionClosed(new ConnectionId(n)).change());
                }
                return true;
            });
        }

        together(brokers);

        RouteReplica replica = new RouteReplica();
        changes.stream()
                .sorted((a, b) -> Long.compare(a.version(), b.version()))
                .forEach(replica::apply);
        replica.assertEqualTo(new NaiveRoutes());
        assertThat(bench.routes.version()).isEqualTo(changes.size());
    }

    private static RegistrationBuilder broker(int number) {
        return master().name("broker-" + number).addr(addr(number));
    }

    private static String addr(int number) {
        return "10.0.2." + number + ":10911";
    }

    /** Starts all events at once, waits for them and returns what they returned. */
    private List<Object> together(List<? extends Callable<?>> events) throws Exception {
        CyclicBarrier start = new CyclicBarrier(events.size());
        List<Future<?>> running = new ArrayList<>();
        for (Callable<?> event : events) {
            running.add(threads.submit(() -> {
                start.await();
                return event.call();
            }));
        }
        List<Object> results = new ArrayList<>();
        for (Future<?> event : running) {
            results.add(event.get(50, TimeUnit.SECONDS));
        }
        return results;
    }
}
