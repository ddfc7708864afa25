package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.NEXT_VERSION;
import static io.namesrv.core.route.Fixtures.OPERATOR;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.group;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.topicWithPerm;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteChange.WritePermEdit;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueue.Mark;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.RandomSteps.Step;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The write permission that is withheld from brokers by name, whatever they register. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class WithheldWritePermTest {
    private static final int SEQUENCES = 40;
    private static final int STEPS = 150;

    private final Bench bench = new Bench();

    @AfterEach
    void the_invariants_hold() {
        assertThat(bench.routes.invariantViolations()).isEmpty();
    }

    static IntStream every_permission() {
        return IntStream.rangeClosed(0, 15);
    }

    @ParameterizedTest
    @MethodSource("every_permission")
    void the_write_bit_alone_is_withheld_and_given_back_as_the_broker_declared_it(int perm) {
        bench.register(master().topics(topicWithPerm("orders", perm), topicWithPerm("else", perm)));
        bench.routes.withholdWritePerm(Set.of(BROKER));
        Optional<Integer> withheld = bench.perm("orders");

        bench.routes.withholdWritePerm(Set.of());

        assertThat(withheld).contains(perm & ~2);
        assertThat(bench.perm("orders")).contains(perm);
    }

    @Test
    void it_is_withheld_through_changed_registrations_new_topics_and_absence() {
        bench.routes.withholdWritePerm(Set.of(BROKER));
        bench.register(master());
        bench.register(otherMaster());

        bench.register(master().version(NEXT_VERSION));
        bench.registerTopic("new", List.of(new QueueData(BROKER, 2, 2, 6, 0)));
        bench.routes.connectionClosed(CONNECTION);
        bench.register(master());
        bench.register(otherMaster());
        bench.registerTopic("newer", List.of(new QueueData(BROKER, 2, 2, 6, 0)));

        assertThat(bench.perm("orders")).contains(4);
        assertThat(bench.perm("TBW102")).contains(5);
        assertThat(bench.perm("newer")).contains(4);
        assertThat(bench.route("orders").queueDatas())
                .containsExactly(new QueueData(BROKER, 4, 4, 4, 0), new QueueData(OTHER_BROKER, 4, 4, 6, 0));
    }

    @Test
    void marks_made_before_and_meanwhile_do_not_outlive_it() {
        bench.register(master().topics(topicWithPerm("closed", 4), topicWithPerm("open", 6)));
        bench.routes.addWritePermOfBroker(BROKER, OPERATOR);
        bench.routes.withholdWritePerm(Set.of(BROKER));
        bench.registerTopic("more", List.of(new QueueData(BROKER, 2, 2, 6, 0)));
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);

        bench.routes.withholdWritePerm(Set.of(OTHER_BROKER));

        assertThat(bench.perm("closed")).contains(4);
        assertThat(bench.perm("open")).contains(6);
        assertThat(bench.perm("more")).contains(6);
    }

    @Test
    void a_step_tells_each_name_and_row_that_changed_and_moves_the_versions_of_the_topics_concerned() {
        bench.register(master());
        bench.register(otherMaster().topics(topicWithPerm("far", 6), topicWithPerm("away", 6)));
        bench.routes.wipeWritePermOfBroker(BROKER, OPERATOR);
        long far = bench.routes.topicVersion("far");

        RouteChange taken = bench.routes.withholdWritePerm(Set.of("unknown", BROKER));
        long ordersTaken = bench.routes.topicVersion("orders");
        RouteChange repeated = bench.routes.withholdWritePerm(Set.of(BROKER, "unknown"));
        RouteChange given = bench.routes.withholdWritePerm(Set.of("unknown"));

        assertThat(taken)
                .isEqualTo(new RouteChange(
                        4,
                        Cause.KV_CHANGED,
                        Optional.empty(),
                        List.of(new WritePermEdit(BROKER, true), new WritePermEdit("unknown", true))));
        assertThat(ordersTaken).isEqualTo(4);
        assertThat(repeated).isEqualTo(new RouteChange(4, Cause.KV_CHANGED, Optional.empty(), List.of()));
        assertThat(given.version()).isEqualTo(5);
        assertThat(given.edits())
                .containsExactlyInAnyOrder(
                        new WritePermEdit(BROKER, false), unwiped("orders", 6, 4), unwiped("TBW102", 7, 8));
        assertThat(bench.routes.topicVersion("orders")).isEqualTo(5);
        assertThat(bench.routes.topicVersion("far")).isEqualTo(far);
    }

    private static QueueEdit unwiped(String topic, int perm, int queues) {
        QueueData declared = new QueueData(BROKER, queues, queues, perm, 0);
        return new QueueEdit(
                topic,
                Optional.of(new TopicQueue(declared, Mark.WIPED)),
                Optional.of(new TopicQueue(declared, Mark.NONE)));
    }

    @Test
    void the_group_is_shown_as_it_is() {
        bench.register(master());

        bench.routes.withholdWritePerm(Set.of(BROKER));

        assertThat(bench.actingRoute("orders").brokerDatas()).containsExactly(group(addrs(0, MASTER_ADDR)));
        assertThat(bench.routes.topicCount(BROKER)).isEqualTo(2);
        assertThat(bench.routes.topicCount("unknown")).isZero();
    }

    /** All that brokers and operators can do but the one thing that ends it. */
    @Test
    void no_sequence_of_steps_shows_a_write_bit_of_a_withheld_broker() {
        for (long seed = 1; seed <= SEQUENCES; seed++) {
            RandomSteps steps = new RandomSteps(seed);
            FakeTicker ticker = new FakeTicker();
            RouteInfoManager routes = new RouteInfoManager(new PauseClock(ticker), TableLimits.NONE);
            routes.withholdWritePerm(Set.of("b1", "b2"));
            int shown = 0;
            for (int number = 1; number <= STEPS; number++) {
                Step step = steps.next();
                take(step, routes, ticker);
                for (String topic : RandomSteps.TOPICS) {
                    for (boolean acting : new boolean[] {false, true}) {
                        for (QueueData queue : queues(routes, topic, acting)) {
                            boolean withheld = !queue.brokerName().equals("b3");
                            if (withheld && (queue.perm() & 2) != 0) {
                                throw new AssertionError(
                                        "seed " + seed + " step " + number + " " + step + ": " + queue);
                            }
                            shown += withheld ? 1 : 0;
                        }
                    }
                }
            }
            assertThat(shown)
                    .as("queues of withheld brokers seen, seed " + seed)
                    .isPositive();
        }
    }

    private static List<QueueData> queues(RouteInfoManager routes, String topic, boolean acting) {
        return routes.pickupTopicRouteData(topic, acting)
                .map(route -> route.queueDatas())
                .orElse(List.of());
    }

    private static void take(Step step, RouteInfoManager routes, FakeTicker ticker) {
        if (step instanceof RandomSteps.Register s) {
            routes.registerBroker(s.registration(), s.from(), s.deleteMissing());
        } else if (step instanceof RandomSteps.Unregister s) {
            routes.unregisterBroker(s.cluster(), s.name(), s.addr(), OPERATOR);
        } else if (step instanceof RandomSteps.Close s) {
            routes.connectionClosed(s.connection());
        } else if (step instanceof RandomSteps.Scan s) {
            ticker.advance(s.millisLater());
            routes.scanNotActiveBroker(1);
        } else if (step instanceof RandomSteps.Pause s) {
            ticker.advance(s.millis());
        } else if (step instanceof RandomSteps.Heartbeat s) {
            routes.signOfLife(s.cluster(), s.addr());
        } else if (step instanceof RandomSteps.Wipe s) {
            routes.wipeWritePermOfBroker(s.name(), OPERATOR);
        } else if (step instanceof RandomSteps.Add s) {
            routes.addWritePermOfBroker(s.name(), OPERATOR);
        } else if (step instanceof RandomSteps.DeleteTopic s) {
            routes.deleteTopic(s.topic(), OPERATOR);
        } else if (step instanceof RandomSteps.RegisterTopic s) {
            routes.registerTopic(s.topic(), s.queues(), OPERATOR);
        }
    }
}
