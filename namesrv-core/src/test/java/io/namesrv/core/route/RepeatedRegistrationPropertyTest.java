package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegistrationFingerprint;
import io.namesrv.core.data.RepeatedRegistration;
import io.namesrv.core.data.RouteChanges;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.route.RandomSteps.Add;
import io.namesrv.core.route.RandomSteps.Close;
import io.namesrv.core.route.RandomSteps.DeleteTopic;
import io.namesrv.core.route.RandomSteps.DeleteTopicInCluster;
import io.namesrv.core.route.RandomSteps.Heartbeat;
import io.namesrv.core.route.RandomSteps.OrderConfig;
import io.namesrv.core.route.RandomSteps.Pause;
import io.namesrv.core.route.RandomSteps.Query;
import io.namesrv.core.route.RandomSteps.Register;
import io.namesrv.core.route.RandomSteps.RegisterTopic;
import io.namesrv.core.route.RandomSteps.Restart;
import io.namesrv.core.route.RandomSteps.Scan;
import io.namesrv.core.route.RandomSteps.Step;
import io.namesrv.core.route.RandomSteps.Unregister;
import io.namesrv.core.route.RandomSteps.Wipe;
import io.namesrv.core.route.RandomSteps.Withhold;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Tables that know repeats again and tables that carry out every registration give the same answers to the same steps. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RepeatedRegistrationPropertyTest {
    /** More of them: {@code -Dproperty.sequences=5000}. */
    private static final int SEQUENCES = Integer.getInteger("property.sequences", 150);

    private static final int STEPS = 150;
    private static final ConnectionId OPERATOR = new ConnectionId(99);

    @Test
    void a_repeat_that_is_known_does_what_it_would_have_done_unread() {
        int repeats = 0;
        for (long seed = 1; seed <= SEQUENCES; seed++) {
            Run run = new Run(seed);
            run.go();
            repeats += run.repeats;
        }
        assertThat(repeats).isGreaterThan(SEQUENCES * STEPS / 20);
    }

    private static final class Run {
        private final long seed;
        private final Random random;
        private final RandomSteps steps;
        private final FakeTicker ticker = new FakeTicker();
        private final PauseClock clock = new PauseClock(ticker);
        private final List<Register> latest = new ArrayList<>();
        private RouteInfoManager knowing = tables();
        private RouteInfoManager reading = tables();
        private int repeats;

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(-seed);
            this.steps = new RandomSteps(seed);
            clock.tick();
        }

        private RouteInfoManager tables() {
            RouteInfoManager routes = new RouteInfoManager(clock, TableLimits.NONE);
            routes.keepChanges(Integer.MAX_VALUE);
            return routes;
        }

        void go() {
            for (int number = 1; number <= STEPS; number++) {
                Step step = next();
                String at = "seed " + seed + ", step " + number + ", " + step;
                if (step instanceof Register register) {
                    register(register, at);
                } else {
                    same(at, take(knowing, step, true), take(reading, step, false));
                }
                compare(at);
            }
        }

        /** Brokers say the same again and again. */
        private Step next() {
            if (latest.isEmpty() || random.nextInt(100) < 50) {
                Step step = steps.next();
                if (step instanceof Register register) {
                    latest.add(register);
                    if (latest.size() > 4) {
                        latest.remove(0);
                    }
                }
                return step;
            }
            return latest.get(random.nextInt(latest.size()));
        }

        private void register(Register step, String at) {
            RegistrationFingerprint fingerprint = new RegistrationFingerprint(
                    step.registration().clusterName(),
                    step.registration().brokerName(),
                    step.registration().brokerAddr(),
                    step.registration());
            Optional<RepeatedRegistration> repeated =
                    knowing.repeatRegistration(fingerprint, step.from(), step.deleteMissing());
            repeated.ifPresent(known ->
                    same(at, known.topics(), step.registration().table().summary()));
            repeats += repeated.isPresent() ? 1 : 0;
            RegisterBrokerResult result = repeated.<RegisterBrokerResult>map(RepeatedRegistration::result)
                    .orElseGet(() -> knowing.registerBroker(
                            step.registration(), step.from(), step.deleteMissing(), Optional.of(fingerprint)));
            same(at, result, reading.registerBroker(step.registration(), step.from(), step.deleteMissing()));
        }

        private void compare(String at) {
            same(at, answers(knowing), answers(reading));
            same(at, knowing.invariantViolations(), List.of());
            same(at, content(knowing.snapshot()), content(reading.snapshot()));
            same(at, knowing.bytes(), reading.bytes());
            RouteChanges changes = knowing.drainChanges();
            same(at, changes, reading.drainChanges());
        }

        private static List<Object> answers(RouteInfoManager routes) {
            List<Object> answers = new ArrayList<>(List.of(routes.version(), routes.sizes(), routes.clusterInfo()));
            for (String topic : RandomSteps.TOPICS) {
                answers.add(routes.versionedRoute(topic, false));
                answers.add(routes.versionedRoute(topic, true));
            }
            for (String name : RandomSteps.NAMES) {
                answers.add(routes.brokerMemberGroup("any", name));
            }
            return answers;
        }

        /** In no order. */
        private static Set<Object> content(RouteSnapshot snapshot) {
            Set<Object> content = new HashSet<>(snapshot.members());
            content.addAll(snapshot.topics());
            content.addAll(snapshot.mappings());
            return content;
        }

        private static void same(String at, Object actual, Object expected) {
            if (!actual.equals(expected)) {
                assertThat(actual).as(at).isEqualTo(expected);
            }
        }

        private Object take(RouteInfoManager routes, Step step, boolean timePasses) {
            if (step instanceof Unregister s) {
                return routes.unregisterBroker(s.cluster(), s.name(), s.addr(), OPERATOR);
            }
            if (step instanceof Close s) {
                return routes.connectionClosed(s.connection());
            }
            if (step instanceof Scan s) {
                run(timePasses ? s.millisLater() : 0);
                return routes.scanNotActiveBroker(s.evictionMisses());
            }
            if (step instanceof Pause s) {
                ticker.advance(timePasses ? s.millis() : 0);
                return clock.millis();
            }
            if (step instanceof Heartbeat s) {
                return routes.signOfLife(s.cluster(), s.addr());
            }
            if (step instanceof Query s) {
                return routes.signOfLife(s.cluster(), s.addr());
            }
            if (step instanceof Wipe s) {
                return routes.wipeWritePermOfBroker(s.name(), OPERATOR);
            }
            if (step instanceof Add s) {
                return routes.addWritePermOfBroker(s.name(), OPERATOR);
            }
            if (step instanceof Withhold s) {
                return routes.withholdWritePerm(s.names());
            }
            if (step instanceof DeleteTopic s) {
                return routes.deleteTopic(s.topic(), OPERATOR);
            }
            if (step instanceof DeleteTopicInCluster s) {
                return routes.deleteTopic(s.topic(), s.cluster(), OPERATOR);
            }
            if (step instanceof OrderConfig s) {
                return routes.orderConfigChanged(List.of(s.topic()));
            }
            if (step instanceof RegisterTopic s) {
                return routes.registerTopic(s.topic(), s.queues(), OPERATOR);
            }
            return restart((Restart) step, routes);
        }

        private Object restart(Restart step, RouteInfoManager routes) {
            RouteSnapshot kept = routes.snapshot();
            RouteInfoManager next = tables();
            if (routes == knowing) {
                knowing = next;
            } else {
                reading = next;
            }
            return List.of(step, next.restore(kept, 120_000));
        }

        private void run(long millis) {
            for (long left = millis; left > 0; left -= 500) {
                ticker.advance(Math.min(left, 500));
                clock.tick();
            }
        }
    }
}
