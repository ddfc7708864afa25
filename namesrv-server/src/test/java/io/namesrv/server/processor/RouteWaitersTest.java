package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.Lane;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RouteQuery.Shape;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RouteWaitersTest {
    private static final int LIMIT = 3;
    private static final Shape STANDARD = new Shape(Dialect.STANDARD, Optional.empty());

    private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
    private final Connection connection = Mockito.mock(Connection.class);
    private final List<Runnable> putAside = new ArrayList<>();
    private RouteAnswers answers;
    private RouteWaiters waiters;

    @BeforeEach
    void begin(@TempDir Path home) throws Exception {
        LiveConfig config = new LiveConfig(
                new ConfigLoader(Map.of("user.home", home.toString(), "rocketmq.home.dir", home.toString()), Map.of())
                        .load());
        KVConfigManager kvConfig =
                new KVConfigManager(Map.of(), table -> {}, Runnable::run, KVConfigManager.Limits.NONE);
        answers = new RouteAnswers(routes, kvConfig, config, new RouteEpoch(Clock.systemUTC()));
        waiters = new RouteWaiters(answers, Lane.inline("inline"), LIMIT);
        takesAnswers(true);
        Mockito.when(connection.isOpen()).thenReturn(true);
        Mockito.doAnswer(call -> putAside.add(call.getArgument(0)))
                .when(connection)
                .whenItTakesAnswers(Mockito.any());
    }

    @AfterEach
    void theIndexAgrees() {
        assertThat(waiters.invariantViolations()).isEmpty();
        waiters.close();
    }

    private void takesAnswers(boolean does) {
        Mockito.when(connection.takesAnswers()).thenReturn(does);
    }

    private Optional<HeldAnswer> hold(String topic, RouteVersion known) {
        RouteQuery query = new RouteQuery(topic, STANDARD, Optional.of(known.toString()));
        return waiters.hold(query, known, connection, Duration.ofMinutes(1));
    }

    private HeldAnswer held(String topic) {
        return hold(topic, answers.version(topic)).orElseThrow();
    }

    /** A change of t1 and t2. */
    private RouteChange register(int queues) {
        TopicTable table = new TopicTable(
                new DataVersion(0, 0, queues),
                2,
                List.of(new TopicConfig("t1", queues, queues, 6, 0), new TopicConfig("t2", queues, queues, 6, 0)),
                Set.of(),
                List.of());
        Registration registration = new Registration(
                "c", "b", 0, "10.0.0.1:1", "", ActingMaster.UNSAID, "", 120_000, table, FilterServers.NONE);
        return ((Registered) routes.registerBroker(registration, new ConnectionId(1), false)).change();
    }

    @Test
    void one_that_was_overtaken_by_a_change_is_not_held() {
        register(1);
        RouteVersion known = answers.version("t1");
        register(2);

        assertThat(hold("t1", known)).isEmpty();
        assertThat(waiters.waiting()).isZero();
    }

    @Test
    void one_whose_connection_has_ended_meanwhile_is_not_held() {
        Mockito.when(connection.isOpen()).thenReturn(false);

        assertThat(hold("t1", answers.version("t1"))).isEmpty();
        assertThat(waiters.waiting()).isZero();
    }

    @Test
    void beyond_the_limit_after_the_last_and_with_long_names_nobody_is_held() {
        assertThat(hold("t".repeat(2000), answers.version("t"))).isEmpty();
        List<HeldAnswer> held = List.of(held("t1"), held("t1"), held("t1"));
        assertThat(hold("t2", answers.version("t2"))).isEmpty();

        waiters.answerAll();

        assertThat(held).allMatch(HeldAnswer::isDone);

        assertThat(waiters.waiting()).isZero();
        assertThat(hold("t2", answers.version("t2"))).isEmpty();
    }

    @Test
    void the_addition_of_another_topic_wakes_nobody() {
        HeldAnswer unknown = held("t9");
        RouteVersion before = answers.version("t9");

        waiters.changed(register(1));

        assertThat(answers.version("t9")).isNotEqualTo(before);
        assertThat(unknown).isNotDone();
    }

    @Test
    void all_who_wait_for_a_topic_are_told_the_same_bytes_and_the_others_nothing() {
        register(1);
        HeldAnswer first = held("t1");
        HeldAnswer second = held("t1");
        HeldAnswer unknown = held("t9");

        waiters.changed(register(2));

        assertThat(first.join().bodyBytes()).isNotEmpty().isSameAs(second.join().bodyBytes());
        assertThat(unknown).isNotDone();
    }

    @Test
    void one_whose_connection_takes_no_answers_is_put_aside_once_and_told_what_holds_then() {
        register(1);
        HeldAnswer held = held("t1");
        takesAnswers(false);

        waiters.changed(register(2));
        waiters.changed(register(3));
        assertThat(held).isNotDone();
        assertThat(waiters.waiting()).isEqualTo(1);
        putAside.remove(0).run();
        assertThat(held).isNotDone();
        takesAnswers(true);
        putAside.remove(0).run();

        assertThat(new String(held.join().bodyBytes(), StandardCharsets.US_ASCII))
                .contains("\"readQueueNums\":3");
        assertThat(putAside).isEmpty();
    }

    @Test
    void the_end_of_a_connection_ends_its_waits_also_one_that_is_put_aside() {
        register(1);
        HeldAnswer held = held("t1");
        takesAnswers(false);
        waiters.changed(register(2));

        waiters.closed(connection, CloseReason.PEER);
        takesAnswers(true);
        putAside.remove(0).run();

        assertThat(held).isCompletedExceptionally();
        assertThat(waiters.waiting()).isZero();
    }
}
