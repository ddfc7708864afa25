package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.Lane;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RouteQuery.Shape;
import io.namesrv.server.route.MinBrokerIdNotifier;
import io.namesrv.server.route.OrderTopicWatch;
import io.namesrv.server.route.RouteEffects;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/** Random changes of tables, key/value settings and settings, with somebody waiting for each topic. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteVersionPropertyTest {
    private static final int SEQUENCES = Integer.getInteger("property.sequences", 20);
    private static final int STEPS = 80;
    private static final List<String> TOPICS = List.of("t1", "t2", "t3");
    private static final List<String> NAMES = List.of("b1", "b2", "b3");
    private static final ConnectionId PEER = new ConnectionId(1);
    private static final List<Shape> SHAPES = List.of(
            new Shape(Dialect.STANDARD, Optional.empty()),
            new Shape(Dialect.BARE_KEYS, Optional.empty()),
            new Shape(Dialect.STANDARD, Optional.of("z1")));

    @TempDir
    Path home;

    @Test
    void no_version_names_two_answers_and_whoever_waits_is_answered_exactly_when_it_moves() throws Exception {
        for (long seed = 1; seed <= SEQUENCES; seed++) {
            Run run = new Run(seed, Files.createDirectory(home.resolve("seed" + seed)));
            for (int step = 1; step <= STEPS; step++) {
                String what = "seed " + seed + ", step " + step + ": " + run.step();
                run.check(what);
            }
            assertThat(run.moves).as("moves").isGreaterThan(STEPS / 4);
        }
    }

    private static final class Run {
        private final Random random;
        private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
        private final KVConfigManager kvConfig =
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE);
        private final LiveConfig config;
        private final RouteAnswers answers;
        private final RouteWaiters waiters;
        private final RouteAnswerCache cache;
        private final RouteEffects effects;
        private final Connection connection =
                Mockito.mock(Connection.class, Mockito.withSettings().stubOnly());

        /** topic, shape and version → what was answered. */
        private final Map<String, String> seen = new HashMap<>();

        private final Map<String, RouteVersion> known = new HashMap<>();
        private final Map<String, HeldAnswer> held = new HashMap<>();
        private int moves;

        Run(long seed, Path directory) throws Exception {
            random = new Random(seed);
            config = new LiveConfig(new ConfigLoader(
                            Map.of("user.home", directory.toString(), "rocketmq.home.dir", directory.toString()),
                            Map.of())
                    .load());
            RouteEpoch epoch = new RouteEpoch(Clock.fixed(Instant.ofEpochMilli(1), ZoneOffset.UTC));
            answers = new RouteAnswers(routes, kvConfig, config, epoch);
            cache = new RouteAnswerCache(routes, epoch, 10_000);
            waiters = new RouteWaiters(answers, Lane.inline("inline"), 100);
            effects = new RouteEffects(Mockito.mock(MinBrokerIdNotifier.class), waiters::changed);
            kvConfig.addListener(new OrderTopicWatch(routes, effects));
            config.addListener(waiters::settingsChanged);
            Mockito.when(connection.isOpen()).thenReturn(true);
            Mockito.when(connection.takesAnswers()).thenReturn(true);
            TOPICS.forEach(this::waitFor);
        }

        private void waitFor(String topic) {
            RouteVersion version = answers.version(topic);
            RouteQuery query = new RouteQuery(topic, SHAPES.get(0), Optional.of(version.toString()));
            known.put(topic, version);
            held.put(
                    topic,
                    waiters.hold(query, version, connection, Duration.ofMinutes(1))
                            .orElseThrow());
        }

        void check(String what) {
            for (String topic : TOPICS) {
                RouteMoment now = answers.now(topic);
                for (Shape shape : SHAPES) {
                    RouteQuery query = new RouteQuery(topic, shape, Optional.empty());
                    RemotingCommand answer = now.answer(query);
                    String text = answer.code() + " " + new String(answer.bodyBytes(), StandardCharsets.UTF_8);
                    String first = seen.putIfAbsent(topic + shape + now.version(), text);
                    assertThat(text).as(what).isEqualTo(first == null ? text : first);
                    checkCached(query, answer, now, what);
                }
                boolean moved = !now.version().saysTheSameAs(known.getOrDefault(topic, now.version()));
                CompletableFuture<RemotingCommand> answer = held.getOrDefault(topic, new HeldAnswer());
                assertThat(answer.isDone()).as(what + ", " + topic).isEqualTo(moved);
                if (moved) {
                    moves++;
                    assertThat(answer.join().extFields().get("routeVersion"))
                            .as(what)
                            .isEqualTo(now.diffEnabled() ? now.version().toString() : null);
                    waitFor(topic);
                }
            }
            assertThat(waiters.invariantViolations()).as(what).isEmpty();
        }

        /** What is kept of earlier moments says what is said now, or nothing; and what is said now is kept. */
        private void checkCached(RouteQuery query, RemotingCommand answer, RouteMoment now, String what) {
            ReadyAnswer kept = cache.find(RouteAnswerCacheTest.scan(query));
            if (kept != null) {
                assertThat(kept.code()).as(what).isEqualTo(answer.code());
                assertThat(kept.body()).as(what).isEqualTo(answer.bodyBytes());
            }
            if (answer.code() == 0) {
                assertThat(cache.body(now, query.shape())).as(what).isEqualTo(answer.bodyBytes());
                boolean keeps = query.shape().zoneName().isEmpty();
                assertThat(cache.find(RouteAnswerCacheTest.scan(query)) != null)
                        .as(what)
                        .isEqualTo(keeps);
            }
        }

        Object step() {
            int dice = random.nextInt(100);
            if (dice < 45) {
                return register();
            }
            if (dice < 55) {
                String name = one(NAMES);
                effects.departed(routes.unregisterBroker("c1", name, address(name), PEER), "test");
                return "unregister " + name;
            }
            if (dice < 65) {
                String name = one(NAMES);
                boolean wipe = random.nextBoolean();
                effects.permissionChanged(
                        name,
                        wipe ? routes.wipeWritePermOfBroker(name, PEER) : routes.addWritePermOfBroker(name, PEER),
                        "test");
                return "wipe " + wipe + " " + name;
            }
            if (dice < 75) {
                String topic = one(TOPICS);
                effects.topicDeleted(topic, routes.deleteTopic(topic, PEER), "test");
                return "delete " + topic;
            }
            return dice < 94 ? order() : settings();
        }

        private Object register() {
            String name = one(NAMES);
            List<TopicConfig> topics = new ArrayList<>();
            for (String topic : TOPICS) {
                if (random.nextInt(3) > 0) {
                    topics.add(new TopicConfig(topic, 4, 1 + random.nextInt(2), 6, 0));
                }
            }
            Registration registration = new Registration(
                    "c1",
                    name,
                    random.nextInt(4) == 0 ? 1 : 0,
                    random.nextInt(20) == 0 ? "10.0.0.9:1" : address(name),
                    "",
                    one(List.of(ActingMaster.values())),
                    one(List.of("", "z1", "z2")),
                    120_000,
                    new TopicTable(
                            new DataVersion(1, 7, random.nextInt(1000)),
                            topics.size() + 1,
                            topics,
                            Set.of("x"),
                            List.of()),
                    one(List.of(FilterServers.NONE, new FilterServers(true, List.of("f")))));
            RegisterBrokerResult result = routes.registerBroker(registration, PEER, random.nextBoolean());
            if (result instanceof Registered registered) {
                effects.registered(registered, "test");
            }
            return registration;
        }

        private Object order() {
            String topic = one(TOPICS);
            String namespace = random.nextInt(4) == 0 ? "other" : KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG;
            CompletionStage<?> done = random.nextInt(3) == 0
                    ? kvConfig.deleteKVConfig(namespace, topic)
                    : kvConfig.putKVConfig(namespace, topic, "b1:" + random.nextInt(3));
            done.toCompletableFuture().join();
            return namespace + " " + topic;
        }

        private Object settings() {
            String key =
                    one(List.of("orderMessageEnable", "supportActingMaster", "routeDiffEnable", "enableTopicList"));
            String line = key + "=" + random.nextBoolean();
            config.update(line.getBytes(StandardCharsets.UTF_8));
            return line;
        }

        private static String address(String name) {
            return "10.0.0.1" + name.substring(1) + ":10911";
        }

        private <T> T one(List<T> values) {
            return values.get(random.nextInt(values.size()));
        }
    }
}
