package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RouteQuery.Shape;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteAnswerCacheTest {
    private static final ConnectionId PEER = new ConnectionId(1);
    private static final long ROOM = 1 << 20;
    private static final Shape STANDARD = new Shape(Dialect.STANDARD, Optional.empty());

    private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
    private final RouteEpoch epoch = new RouteEpoch(Clock.systemUTC());
    private RouteAnswers answers;
    private RouteAnswerCache cache;

    @BeforeEach
    void begin(@TempDir Path home) throws Exception {
        LiveConfig config = new LiveConfig(
                new ConfigLoader(Map.of("user.home", home.toString(), "rocketmq.home.dir", home.toString()), Map.of())
                        .load());
        KVConfigManager kvConfig =
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE);
        answers = new RouteAnswers(routes, kvConfig, config, epoch);
        cache = new RouteAnswerCache(routes, epoch, ROOM);
    }

    /** The header of a query as it looks on the I/O thread. */
    static HeaderScan scan(RouteQuery query) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("topic", query.topic());
        fields.put("acceptStandardJsonOnly", Boolean.toString(query.shape().dialect() == Dialect.STANDARD));
        query.shape().zoneName().ifPresent(zone -> {
            fields.put("__ZONE_MODE", "true");
            fields.put("__ZONE_NAME", zone);
        });
        query.known().ifPresent(version -> fields.put("routeVersion", version));
        return scan(fields);
    }

    private static HeaderScan scan(Map<String, String> fields) {
        ByteBuf out = Unpooled.buffer();
        HeaderCodec.of(SerializeType.JSON, HeaderLimits.DEFAULT).encode(RemotingCommand.request(105, fields), out);
        byte[] header = new byte[out.readableBytes()];
        out.readBytes(header);
        HeaderScan scan = new HeaderScan();
        assertThat(scan.read(SerializeType.JSON, header, header.length, HeaderLimits.DEFAULT))
                .isTrue();
        return scan;
    }

    private @Nullable ReadyAnswer find(String topic) {
        return cache.find(scan(new RouteQuery(topic, STANDARD, Optional.empty())));
    }

    /** Asks the long way, which keeps the answer. */
    private byte[] ask(String topic) {
        return cache.body(answers.now(topic), STANDARD);
    }

    private void register(int broker, int queues, List<String> topics) {
        List<TopicConfig> configs = topics.stream()
                .map(topic -> new TopicConfig(topic, queues, queues, 6, 0))
                .toList();
        routes.registerBroker(
                new Registration(
                        "c1",
                        "b" + broker,
                        0,
                        "10.0.0." + broker + ":10911",
                        "",
                        ActingMaster.UNSAID,
                        "",
                        120_000,
                        new TopicTable(new DataVersion(0, 0, queues), topics.size() + 2, configs, Set.of(), List.of()),
                        FilterServers.NONE),
                PEER,
                false);
    }

    @Test
    void what_was_asked_before_is_answered_at_once_until_it_changes() {
        register(1, 4, List.of("t1", "t2"));
        assertThat(find("t1")).isNull();
        byte[] body = ask("t1");

        assertThat(find("t1")).extracting(ReadyAnswer::body).isSameAs(body);
        assertThat(ask("t1")).isSameAs(body);

        register(1, 5, List.of("t1"));
        assertThat(find("t1")).isNull();
        assertThat(new String(ask("t1"), StandardCharsets.UTF_8)).contains("\"readQueueNums\":5");
    }

    @Test
    void a_change_of_something_else_leaves_it_as_it_is() {
        register(1, 4, List.of("t1"));
        byte[] body = ask("t1");

        register(2, 4, List.of("t2"));

        assertThat(find("t1")).extracting(ReadyAnswer::body).isSameAs(body);
    }

    @Test
    void a_change_of_settings_that_alters_answers_drops_all() {
        register(1, 4, List.of("t1"));
        ask("t1");

        epoch.next();

        assertThat(find("t1")).isNull();
        ask("t1");
        assertThat(find("t1")).isNotNull();
    }

    @Test
    void a_topic_that_is_gone_is_unknown_at_once() {
        register(1, 4, List.of("t1"));
        ask("t1");
        routes.deleteTopic("t1", PEER);

        ReadyAnswer answer = find("t1");

        assertThat(answer == null || answer.code() == 17).isTrue();
    }

    @Test
    void unknown_topics_are_answered_at_once_and_not_stored() {
        register(1, 4, List.of("t1"));
        long before = cache.bytes();

        for (int i = 0; i < 1000; i++) {
            assertThat(find("unknown-" + i)).extracting(ReadyAnswer::code).isEqualTo(17);
        }

        assertThat(cache.bytes()).isEqualTo(before);
    }

    @Test
    void queries_for_a_zone_or_with_a_version_go_the_long_way() {
        register(1, 4, List.of("t1"));
        ask("t1");

        assertThat(cache.find(scan(Map.of("topic", "t1", "__ZONE_MODE", "true", "__ZONE_NAME", "z"))))
                .isNull();
        assertThat(cache.find(scan(Map.of("topic", "t1", "routeVersion", "0")))).isNull();
        assertThat(cache.find(scan(Map.of("topics", "t1")))).isNull();
        assertThat(cache.find(scan(Map.of("topic", "t1", "acceptStandardJsonOnly", "true", "more", "x"))))
                .isNotNull();
    }

    @Test
    void the_dialects_are_kept_side_by_side() {
        register(1, 4, List.of("t1"));
        Shape bare = new Shape(Dialect.BARE_KEYS, Optional.empty());
        byte[] standard = ask("t1");
        byte[] bareKeys = cache.body(answers.now("t1"), bare);

        assertThat(bareKeys).isNotEqualTo(standard);
        assertThat(cache.find(scan(new RouteQuery("t1", bare, Optional.empty()))))
                .extracting(ReadyAnswer::body)
                .isSameAs(bareKeys);
        assertThat(find("t1")).extracting(ReadyAnswer::body).isSameAs(standard);
    }

    @Test
    void of_more_than_there_is_room_for_those_stay_that_are_asked_for() {
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            topics.add("topic-" + i);
        }
        register(1, 4, topics);

        for (String topic : topics) {
            ask("topic-0");
            find("topic-0");
            ask(topic);
            assertThat(cache.bytes()).isLessThanOrEqualTo(ROOM);
        }

        assertThat(cache.bytes()).isGreaterThan(ROOM / 2);
        assertThat(find("topic-0")).isNotNull();
        assertThat(find("topic-1")).isNull();
        assertThat(find("topic-3999")).isNotNull();
    }

    @Test
    void what_is_kept_of_a_topic_that_changes_often_takes_no_more_room() {
        register(1, 4, List.of("t1"));
        ask("t1");
        long once = cache.bytes();

        for (int queues = 11; queues < 99; queues++) {
            register(1, queues, List.of("t1"));
            ask("t1");
        }

        assertThat(cache.bytes()).isBetween(once, once + 10);
    }

    /**
     * Registrations that raise the number of queues, and queries beside them, answered at once where that can be: none may be
     * older than what was acknowledged before it was asked.
     */
    @Test
    void no_answer_is_older_than_a_registration_acknowledged_before_the_query() {
        int brokers = 3;
        int rounds = 1_500;
        AtomicIntegerArray acknowledged = new AtomicIntegerArray(brokers);
        AtomicLong atOnce = new AtomicLong();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int broker = 0; broker < brokers; broker++) {
            int mine = broker;
            writers.add(CompletableFuture.runAsync(
                    () -> {
                        for (int queues = 1; queues <= rounds; queues++) {
                            register(mine, queues, List.of("t" + mine, "other-" + queues % 7));
                            acknowledged.set(mine, queues);
                        }
                    },
                    task -> new Thread(task, "writer-" + mine).start()));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(writers.toArray(new CompletableFuture<?>[0]));
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int reader = 0; reader < 2; reader++) {
            Random random = new Random(reader);
            readers.add(CompletableFuture.runAsync(
                    () -> {
                        while (!all.isDone() || atOnce.get() == 0) {
                            int broker = random.nextInt(brokers);
                            int least = acknowledged.get(broker);
                            ReadyAnswer ready = find("t" + broker);
                            if (ready != null) {
                                atOnce.incrementAndGet();
                            }
                            int queues = queues(ready, "t" + broker);
                            assertThat(queues).isGreaterThanOrEqualTo(least);
                        }
                    },
                    task -> new Thread(task, "reader").start()));
        }
        assertThat(CompletableFuture.allOf(readers.toArray(new CompletableFuture<?>[0]))
                        .orTimeout(60, TimeUnit.SECONDS))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(all).isCompleted();
    }

    private int queues(@Nullable ReadyAnswer ready, String topic) {
        if (ready != null && ready.code() == 17) {
            return 0;
        }
        RouteMoment now = answers.now(topic);
        if (ready == null && now.route().isEmpty()) {
            return 0;
        }
        String body = new String(ready == null ? cache.body(now, STANDARD) : ready.body(), StandardCharsets.UTF_8);
        int at = body.indexOf("\"readQueueNums\":") + "\"readQueueNums\":".length();
        return Integer.parseInt(body.substring(at, body.indexOf(',', at)));
    }
}
