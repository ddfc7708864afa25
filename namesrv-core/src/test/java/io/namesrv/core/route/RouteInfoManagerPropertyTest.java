package io.namesrv.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.PermReport;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.RegisterBrokerResult.StaleStateVersion;
import io.namesrv.core.data.RegisterTopicResult;
import io.namesrv.core.data.RestoreReport;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChange.Cause;
import io.namesrv.core.data.RouteChange.Edit;
import io.namesrv.core.data.RouteChange.FilterServerEdit;
import io.namesrv.core.data.RouteChange.GroupEdit;
import io.namesrv.core.data.RouteChange.MappingEdit;
import io.namesrv.core.data.RouteChange.MemberEdit;
import io.namesrv.core.data.RouteChange.OrderEdit;
import io.namesrv.core.data.RouteChange.QueueEdit;
import io.namesrv.core.data.RouteChange.WritePermEdit;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.SignOfLife;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.NaiveRoutes.Departed;
import io.namesrv.core.route.NaiveRoutes.Outcome;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * Random steps against {@link NaiveRoutes}: after each one every answer is compared, the edits are replayed on a
 * {@link RouteReplica}, and the invariants are checked.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteInfoManagerPropertyTest {
    /** More of them: {@code -Dproperty.sequences=5000}. */
    private static final int SEQUENCES = Integer.getInteger("property.sequences", 60);

    private static final int STEPS = 100;
    private static final ConnectionId OPERATOR = new ConnectionId(99);

    @Test
    void after_any_sequence_of_steps_the_tables_answer_as_a_naive_model_does() {
        for (long seed = 1; seed <= SEQUENCES; seed++) {
            new Run(seed).go();
        }
    }

    /** One sequence. Its clock wraps around on the way, as a monotonic clock may. */
    private static final class Run {
        private final long seed;
        private final RandomSteps steps;
        private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - 60_000);
        private final PauseClock clock = new PauseClock(ticker);
        private RouteInfoManager routes = new RouteInfoManager(clock, TableLimits.NONE);
        private final NaiveRoutes model = new NaiveRoutes();
        private final RouteReplica replica = new RouteReplica();
        private final Deque<Step> latest = new ArrayDeque<>();
        private final Map<String, Answer> everSeen = new HashMap<>();
        private Map<String, Answer> answers;

        Run(long seed) {
            this.seed = seed;
            this.steps = new RandomSteps(seed);
            this.clock.tick();
            this.answers = answers();
        }

        void go() {
            for (int number = 1; number <= STEPS; number++) {
                Step step = steps.next();
                latest.addLast(step);
                if (latest.size() > 12) {
                    latest.removeFirst();
                }
                try {
                    take(step);
                } catch (AssertionError | RuntimeException failed) {
                    throw new AssertionError(
                            "seed " + seed + ", step " + number + ": " + failed.getMessage()
                                    + "\nthe latest steps were\n"
                                    + String.join(
                                            "\n",
                                            latest.stream().map(Step::toString).toList()),
                            failed);
                }
            }
        }

        private void take(Step step) {
            if (step instanceof Restart) {
                restart();
                return;
            }
            Map<String, Answer> before = answers;
            Map<String, List<String>> brokersBefore = brokers();
            long versionBefore = routes.version();

            Optional<RouteChange> change = apply(step);

            long expectedVersion =
                    versionBefore + (change.filter(c -> !c.isEmpty()).isPresent() ? 1 : 0);
            same("version", routes.version(), expectedVersion);
            change.ifPresent(replica::apply);
            replica.assertEqualTo(model);
            compareAnswers();
            answers = answers();
            compareTopicVersions(before, answers, change);
            nameWhatMoved(before, brokersBefore, change);
            same("violations", routes.invariantViolations(), List.of());
        }

        /** Other tables go on with what these held. */
        private void restart() {
            RouteSnapshot kept = routes.snapshot();
            routes = new RouteInfoManager(clock, TableLimits.NONE);
            routes.withholdWritePerm(model.withheld());
            RestoreReport report = routes.restore(kept, 120_000);
            model.restart(clock.millis(), kept.members());
            same("skipped rows", report.skipped(), 0);
            replica.restart(model, routes.version());
            everSeen.clear(); // its versions begin anew, and whoever names one names the start too
            replica.assertEqualTo(model);
            compareAnswers();
            answers = answers();
            same("violations", routes.invariantViolations(), List.of());
        }

        /** Takes the step on both sides and compares what it returns; absent for steps that change no row. */
        private Optional<RouteChange> apply(Step step) {
            if (step instanceof Register s) {
                return register(s);
            }
            if (step instanceof Unregister s) {
                return departed(
                        routes.unregisterBroker(s.cluster(), s.name(), s.addr(), OPERATOR),
                        model.unregister(s.cluster(), s.name(), s.addr()),
                        Cause.UNREGISTER);
            }
            if (step instanceof Close s) {
                return departed(
                        routes.connectionClosed(s.connection()),
                        model.close(s.connection(), clock.millis()),
                        Cause.CONNECTION_CLOSED);
            }
            if (step instanceof Scan s) {
                run(s.millisLater());
                assertThat(routes.silence().expired()).isEqualTo(model.silent(clock.millis()));
                return departed(
                        routes.scanNotActiveBroker(s.evictionMisses()).departed(),
                        model.scan(clock.millis(), s.evictionMisses()),
                        Cause.EXPIRED);
            }
            if (step instanceof Pause s) {
                long before = clock.millis();
                ticker.advance(s.millis());
                same("time after a pause", clock.millis(), before);
                model.pause(before);
                return Optional.empty();
            }
            if (step instanceof Heartbeat s) {
                SignOfLife sign = routes.signOfLife(s.cluster(), s.addr());
                assertThat(new HashSet<>(sign.minBrokerIdChanges()))
                        .isEqualTo(model.changesAfterSeen(s.cluster(), s.addr(), clock.millis()));
                assertThat(sign.isKnown()).isEqualTo(model.seen(s.cluster(), s.addr(), clock.millis()));
                return Optional.of(sign.change());
            }
            if (step instanceof Query s) {
                SignOfLife sign = routes.signOfLife(s.cluster(), s.addr());
                assertThat(sign.dataVersion()).isEqualTo(model.queryDataVersion(s.cluster(), s.addr(), clock.millis()));
                return Optional.of(sign.change());
            }
            if (step instanceof Wipe s) {
                return marked(routes.wipeWritePermOfBroker(s.name(), OPERATOR), model.wipe(s.name()));
            }
            if (step instanceof Add s) {
                return marked(routes.addWritePermOfBroker(s.name(), OPERATOR), model.add(s.name()));
            }
            if (step instanceof Withhold s) {
                model.withhold(s.names());
                return Optional.of(routes.withholdWritePerm(s.names()));
            }
            if (step instanceof DeleteTopic s) {
                model.deleteTopic(s.topic(), Optional.empty());
                return Optional.of(routes.deleteTopic(s.topic(), OPERATOR));
            }
            if (step instanceof DeleteTopicInCluster s) {
                model.deleteTopic(s.topic(), Optional.of(s.cluster()));
                return Optional.of(routes.deleteTopic(s.topic(), s.cluster(), OPERATOR));
            }
            if (step instanceof OrderConfig s) {
                return Optional.of(routes.orderConfigChanged(List.of(s.topic())));
            }
            RegisterTopic s = (RegisterTopic) step;
            model.registerTopic(s.topic(), s.queues());
            return Optional.of(done(routes.registerTopic(s.topic(), s.queues(), OPERATOR)));
        }

        private static RouteChange done(RegisterTopicResult result) {
            return ((RegisterTopicResult.Done) result).change();
        }

        /** Time in which the process runs. */
        private void run(long millis) {
            for (long left = millis; left > 0; left -= 500) {
                ticker.advance(Math.min(left, 500));
                clock.tick();
            }
        }

        private Optional<RouteChange> register(Register s) {
            RegisterBrokerResult result = routes.registerBroker(s.registration(), s.from(), s.deleteMissing());
            Outcome expected = model.register(s.registration(), s.from(), clock.millis(), s.deleteMissing());
            if (!(result instanceof Registered registered)) {
                assertThat(expected.accepted()).as("accepted").isFalse();
                assertThat(result instanceof StaleStateVersion).as("stale").isEqualTo(expected.stale());
                return Optional.empty();
            }
            assertThat(new Outcome(
                            true,
                            false,
                            registered.first(),
                            registered.master(),
                            new HashSet<>(registered.minBrokerIdChanges())))
                    .isEqualTo(expected);
            assertThat(registered.minBrokerIdChanges()).doesNotHaveDuplicates();
            assertThat(registered.change().cause()).isEqualTo(Cause.REGISTER);
            assertThat(registered.change().peer()).contains(s.from());
            return Optional.of(registered.change());
        }

        private static Optional<RouteChange> departed(DepartureReport report, Departed expected, Cause cause) {
            HashSet<Object> brokers = new HashSet<>();
            report.brokers().forEach(row -> brokers.add(row.key()));
            assertThat(brokers).as("departed").isEqualTo(expected.brokers());
            assertThat(report.minBrokerIdChanges()).containsExactlyInAnyOrderElementsOf(expected.changes());
            assertThat(report.orphans()).containsExactlyInAnyOrderElementsOf(expected.orphans());
            assertThat(report.change().cause()).isEqualTo(cause);
            return Optional.of(report.change());
        }

        private static Optional<RouteChange> marked(PermReport report, int expected) {
            assertThat(report.topics()).as("topics of the broker").isEqualTo(expected);
            return Optional.of(report.change());
        }

        // ---- answers

        private void compareAnswers() {
            for (String topic : RandomSteps.TOPICS) {
                same("route of " + topic, routes.pickupTopicRouteData(topic, false), model.route(topic, false));
                same("acting route of " + topic, routes.pickupTopicRouteData(topic, true), model.route(topic, true));
            }
            same("clusters", routes.clusterInfo(), model.clusterInfo());
            for (String name : RandomSteps.NAMES) {
                same("members of " + name, routes.brokerMemberGroup("any", name).brokerAddrs(), model.available(name));
            }
            for (String cluster : RandomSteps.CLUSTERS) {
                sameNames(routes.topicsByCluster(cluster), model.topicsOfCluster(cluster));
            }
            sameNames(routes.allTopicList(), model.topicNames());
            sameNames(routes.unitTopics(), model.topicsWithSysFlag(1, 0));
            sameNames(routes.hasUnitSubTopicList(), model.topicsWithSysFlag(2, 0));
            sameNames(routes.hasUnitSubUnUnitTopicList(), model.topicsWithSysFlag(2, 1));
            same("system names", routes.systemTopicList().names(), model.systemNames());
            same("some broker is named", model.knowsSome(routes.systemTopicList()), true);
        }

        private static void sameNames(List<String> actual, Set<String> expected) {
            same(
                    "names, each once",
                    actual.stream().sorted().toList(),
                    expected.stream().sorted().toList());
        }

        /** The assertion library is asked only for the text of a failure: there are millions of comparisons. */
        private static void same(String what, Object actual, Object expected) {
            if (!actual.equals(expected)) {
                assertThat(actual).as(what).isEqualTo(expected);
            }
        }

        // ---- versions of topics

        private record Answer(Optional<TopicRouteData> plain, Optional<TopicRouteData> acting, long version) {
            boolean isThere() {
                return version >= 0;
            }

            boolean same(Answer other) {
                return plain.equals(other.plain) && acting.equals(other.acting);
            }
        }

        private Map<String, Answer> answers() {
            Map<String, Answer> answers = new TreeMap<>();
            for (String topic : RandomSteps.TOPICS) {
                answers.put(
                        topic,
                        new Answer(
                                routes.pickupTopicRouteData(topic, false),
                                routes.pickupTopicRouteData(topic, true),
                                routes.topicVersion(topic)));
            }
            return answers;
        }

        /** It moves if the answer is another one, and only if a row that the answer is made of was changed. */
        private void compareTopicVersions(
                Map<String, Answer> before, Map<String, Answer> after, Optional<RouteChange> change) {
            List<Edit> edits = change.map(RouteChange::edits).orElse(List.of());
            before.forEach((topic, then) -> {
                Answer now = after.getOrDefault(topic, then);
                if (!then.same(now)) {
                    same(
                            "version of " + topic,
                            now.isThere() ? now.version() : 0,
                            now.isThere() ? routes.version() : 0);
                    same("version of " + topic + " is another one", now.version() != then.version(), true);
                }
                same(
                        "what is not there has no route",
                        now.isThere() || now.plain().isEmpty(),
                        true);
                Answer first = everSeen.computeIfAbsent(topic + " " + now.version(), key -> now);
                same("answer of " + topic + " at version " + now.version(), first.same(now), true);
                // What replication asks for lacks provisional members, so that their rows cannot be told from it.
                boolean whole = !topic.startsWith(TopicRouteQuery.SYNC_BROKER_MEMBER_PREFIX);
                if (whole && now.plain().isPresent() && then.plain().isPresent()) {
                    boolean touched = edits.stream().anyMatch(edit -> concerns(edit, topic, groupsOf(topic)));
                    same("version of " + topic + " moved", now.version() > then.version(), touched);
                }
            });
        }

        private Map<String, List<String>> brokers() {
            Map<String, List<String>> brokers = new TreeMap<>();
            RandomSteps.TOPICS.forEach(topic -> brokers.put(topic, routes.brokersOf(topic)));
            return brokers;
        }

        /** Who knows a topic and its brokers is told of every step that moves its version. */
        private void nameWhatMoved(
                Map<String, Answer> before, Map<String, List<String>> brokersBefore, Optional<RouteChange> change) {
            Set<String> topics = new HashSet<>();
            Set<String> brokerNames = new HashSet<>();
            change.ifPresent(step -> step.forEachTouched(topics::add, brokerNames::add));
            before.forEach((topic, then) -> {
                Answer now = answers.getOrDefault(topic, then);
                if (now.version() != then.version() && (now.isThere() || then.isThere())) {
                    boolean named = topics.contains(topic)
                            || brokersBefore.getOrDefault(topic, List.of()).stream()
                                    .anyMatch(brokerNames::contains);
                    same("a step that moves the version of " + topic + " names it", named, true);
                }
            });
        }

        /** The groups that have queues of a topic, whether or not they are shown. */
        private List<BrokerData> groupsOf(String topic) {
            Set<String> names = model.brokersOf(topic);
            return model.clusterInfo().brokerAddrTable().values().stream()
                    .filter(group -> names.contains(group.brokerName()))
                    .toList();
        }

        private static boolean concerns(Edit edit, String topic, List<BrokerData> groups) {
            if (edit instanceof QueueEdit queue) {
                return queue.topic().equals(topic);
            }
            if (edit instanceof MappingEdit mapping) {
                return mapping.topic().equals(topic);
            }
            if (edit instanceof WritePermEdit perm) {
                return groups.stream().anyMatch(group -> group.brokerName().equals(perm.brokerName()));
            }
            if (edit instanceof GroupEdit group) {
                return group.after().filter(groups::contains).isPresent();
            }
            if (edit instanceof MemberEdit member) {
                return member.after()
                        .filter(after -> member.before()
                                .filter(before -> !before.isSameInGroup(after))
                                .isPresent())
                        .filter(after -> groups.stream()
                                .anyMatch(group -> group.brokerName().equals(after.brokerName())))
                        .isPresent();
            }
            if (edit instanceof OrderEdit order) {
                return order.topic().equals(topic);
            }
            return edit instanceof FilterServerEdit servers
                    && groups.stream()
                            .anyMatch(group -> group.cluster()
                                            .equals(servers.broker().clusterName())
                                    && group.brokerAddrs()
                                            .containsValue(servers.broker().brokerAddr()));
        }
    }
}
