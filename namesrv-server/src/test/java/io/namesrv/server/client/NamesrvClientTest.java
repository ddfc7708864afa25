package io.namesrv.server.client;

import static io.namesrv.server.client.FakeNamesrv.body;
import static io.namesrv.server.client.FakeNamesrv.route;
import static io.namesrv.server.client.FakeNamesrv.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.namesrv.core.data.QueueData;
import io.namesrv.remoting.netty.NoAnswerException;
import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.client.RoutePicture.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom a client asks, and what it makes of the answers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class NamesrvClientTest {
    private static final String ADDR = "10.0.0.1:10911";
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicLong millis = new AtomicLong(-500);
    private NamesrvClientOptions options = NamesrvClientOptions.DEFAULT.withRequestTimeout(Duration.ofSeconds(20));

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable open : opened) {
            open.close();
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.add(0, resource);
        return resource;
    }

    private NamesrvClient client(String... servers) {
        return open(new NamesrvClient(String.join(";", servers), options, Optional::empty, millis::get));
    }

    private static String dead() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static Throwable failure(CompletableFuture<?> future) {
        return Failures.cause(catchThrowable(future::join));
    }

    private static List<String> order(NamesrvClient client) {
        return client.servers().stream().map(ServerState::server).toList();
    }

    private static void awaitMeasured(NamesrvClient client) {
        await().until(() ->
                client.servers().stream().allMatch(state -> state.answerTime().isPresent()));
    }

    // ---- whom it asks

    @Test
    void a_dead_server_is_passed_over_and_comes_last_from_then_on() throws IOException {
        FakeNamesrv second = open(saying(route(ADDR)));
        String dead = dead();
        NamesrvClient client = client(dead, second.address());

        assertThat(client.route("t1").join().server()).isEqualTo(second.address());

        assertThat(order(client)).containsExactly(second.address(), dead);
        assertThat(client.servers().get(1)).isEqualTo(new ServerState(dead, false, Optional.empty()));
    }

    @Test
    void a_server_that_never_answers_is_passed_over_after_its_time() throws IOException {
        options = options.withRequestTimeout(SHORT);
        FakeNamesrv silent = open(FakeNamesrv.silent());
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(silent.address(), second.address());

        assertThat(client.route("t1").join().server()).isEqualTo(second.address());
        assertThat(client.route("t1").join().server()).isEqualTo(second.address());

        assertThat(silent.asked).hasSize(1);
    }

    @Test
    void a_server_whose_connection_ends_is_passed_over() throws IOException {
        FakeNamesrv ending = open(FakeNamesrv.silent());
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(ending.address(), second.address());
        CompletableFuture<RouteAnswer> answer = client.route("t1");
        await().until(() -> !ending.asked.isEmpty());

        ending.close();

        assertThat(answer.join().server()).isEqualTo(second.address());
    }

    @ParameterizedTest
    @CsvSource({"2, [OVERLOAD]system busy", "1500, 'go away'", "1, name server not ready"})
    void a_server_that_cannot_answer_now_is_passed_over(int code, String remark) throws IOException {
        FakeNamesrv first = open(saying(RemotingCommand.error(code, remark)));
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(first.address(), second.address());

        assertThat(client.route("t1").join().server()).isEqualTo(second.address());

        assertThat(first.asked).hasSize(1);
        assertThat(order(client)).containsExactly(second.address(), first.address());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "{}", "{\"queueDatas\":[],\"brokerDatas\":[{}]} {}"})
    void a_server_that_answers_nonsense_is_passed_over(String nonsense) throws IOException {
        FakeNamesrv first = open(saying(body(nonsense)));
        FakeNamesrv second = open(saying(route(ADDR)));

        assertThat(client(first.address(), second.address()).route("t1").join().server())
                .isEqualTo(second.address());
        assertThat(first.asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 22})
    void an_error_that_is_an_answer_is_not_asked_elsewhere(int code) throws IOException {
        FakeNamesrv first = open(saying(RemotingCommand.error(code, "no")));
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(first.address(), second.address());

        Throwable failure = failure(client.route("t1"));

        assertThat(failure)
                .asInstanceOf(type(RefusedException.class))
                .satisfies(refused -> assertThat(List.of(refused.code(), refused.isTemporary()))
                        .isEqualTo(List.of(code, false)));
        assertThat(second.asked).isEmpty();
    }

    @Test
    void when_nobody_answers_it_is_told_why() throws IOException {
        String dead = dead();
        FakeNamesrv busy = open(saying(RemotingCommand.error(2, "busy")));
        NamesrvClient client = client(dead, busy.address());

        Throwable failure = failure(client.topicList());

        assertThat(failure).asInstanceOf(type(NoServerException.class)).satisfies(none -> {
            assertThat(none.failures().keySet()).containsExactly(dead, busy.address());
            assertThat(none.failures().get(dead)).isInstanceOf(NoAnswerException.class);
            assertThat(none.failures().get(busy.address())).isInstanceOf(RefusedException.class);
        });
        assertThat(busy.asked).hasSize(1);
    }

    @Test
    void a_slow_server_loses_the_first_place_to_a_fast_one_that_was_measured_beside() throws IOException {
        FakeNamesrv slow = open(FakeNamesrv.silent());
        FakeNamesrv fast = open(saying(route(ADDR)));
        slow.answers(request ->
                new CompletableFuture<RemotingCommand>().completeOnTimeout(route(ADDR), 1, TimeUnit.SECONDS));
        NamesrvClient client = client(slow.address(), fast.address());
        assertThat(client.route("t1").join().server()).isEqualTo(slow.address());
        awaitMeasured(client);

        assertThat(client.route("t1").join().server()).isEqualTo(fast.address());

        assertThat(order(client)).containsExactly(fast.address(), slow.address());
        assertThat(client.servers().get(1).answerTime().orElseThrow())
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(15));
        assertThat(slow.asked).hasSize(1);
    }

    @Test
    void a_server_that_failed_is_tried_again_beside_what_is_asked_and_comes_back() throws IOException {
        FakeNamesrv first = open(saying(RemotingCommand.error(2, "busy")));
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(first.address(), second.address());
        client.route("t1").join();
        first.answers(request -> CompletableFuture.completedFuture(route(ADDR)));

        millis.addAndGet(options.retryAfter().toMillis() - 1);
        client.route("t1").join();
        assertThat(client.servers()).extracting(ServerState::healthy).containsExactly(true, false);
        millis.addAndGet(1);
        client.route("t1").join();

        await().until(() -> client.servers().stream().allMatch(ServerState::healthy));
        assertThat(first.asked).hasSize(1);
    }

    @Test
    void closing_ends_what_is_asked_and_sends_it_nowhere_else() throws IOException {
        FakeNamesrv silent = open(FakeNamesrv.silent());
        FakeNamesrv second = open(saying(route(ADDR)));
        NamesrvClient client = client(silent.address(), second.address());
        CompletableFuture<RouteAnswer> pending = client.route("t1");
        await().until(() -> !silent.asked.isEmpty());

        client.close();

        for (Throwable failure : List.of(failure(pending), failure(client.route("t1")))) {
            assertThat(failure)
                    .asInstanceOf(type(NoAnswerException.class))
                    .satisfies(none -> assertThat(none.reason()).isEqualTo(Reason.CLOSED));
        }
        assertThat(second.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ; ", "127.0.0.1", "127.0.0.1:9876;nonsense"})
    void a_list_without_servers_or_with_what_is_none_is_refused(String list) {
        assertThatIllegalArgumentException().isThrownBy(() -> new NamesrvClient(list));
    }

    // ---- routes with versions

    @Test
    void a_query_waits_longer_than_others_and_brings_the_next_version() throws IOException {
        options = options.withRequestTimeout(SHORT);
        FakeNamesrv server = open(saying(route(ADDR).withExtField("routeVersion", "e-1")));
        NamesrvClient client = client(server.address());
        RouteVersion first =
                client.route("t1", RouteVersion.NONE).join().version().orElseThrow();
        server.answers(request -> new CompletableFuture<RemotingCommand>()
                .completeOnTimeout(
                        route("10.0.0.9:1").withExtField("routeVersion", "e-2"),
                        SHORT.multipliedBy(2).toMillis(),
                        TimeUnit.MILLISECONDS));

        RouteAnswer next = client.route("t1", first, Duration.ofSeconds(10)).join();

        assertThat(next.version()).contains(new RouteVersion(server.address(), "e-2"));
        assertThat(next).isInstanceOf(RouteAnswer.Found.class);
        assertThat(server.asked)
                .extracting(RemotingCommand::extFields)
                .containsExactly(
                        Map.of("topic", "t1", "acceptStandardJsonOnly", "true", "routeVersion", "0"),
                        Map.of(
                                "topic",
                                "t1",
                                "acceptStandardJsonOnly",
                                "true",
                                "routeVersion",
                                "e-1",
                                "routeWaitMillis",
                                "10000"));
    }

    @Test
    void what_is_unchanged_or_gone_has_a_version_and_no_route() throws IOException {
        FakeNamesrv server = open(saying(
                RemotingCommand.success().withExtField("routeUnchanged", "true").withExtField("routeVersion", "e-1")));
        NamesrvClient client = client(server.address());
        RouteVersion known = new RouteVersion(server.address(), "e-1");

        assertThat(client.route("t1", known).join())
                .isEqualTo(new RouteAnswer.Unchanged(server.address(), Optional.of(known)));
        server.answers(request -> CompletableFuture.completedFuture(
                RemotingCommand.error(17, "No topic route info").withExtField("routeVersion", "e-7")));
        assertThat(client.route("t1", known).join())
                .isEqualTo(new RouteAnswer.NoRoute(
                        server.address(), Optional.of(new RouteVersion(server.address(), "e-7"))));
    }

    @Test
    void a_server_without_versions_answers_with_a_route_and_none() throws IOException {
        FakeNamesrv server = open(saying(route(ADDR)));

        RouteAnswer answer = client(server.address())
                .route("t1", new RouteVersion(server.address(), "e-1"), NamesrvClient.WAIT_MAX)
                .join();

        assertThat(answer).isInstanceOf(RouteAnswer.Found.class);
        assertThat(answer.version()).isEmpty();
    }

    @Test
    void a_version_goes_to_the_server_that_gave_it_and_to_nobody_else() throws IOException {
        FakeNamesrv other = open(saying(route(ADDR)));
        FakeNamesrv giver = open(saying(route(ADDR).withExtField("routeVersion", "e-1")));
        NamesrvClient client = client(other.address(), giver.address());
        RouteVersion known = new RouteVersion(giver.address(), "e-1");

        assertThat(client.route("t1", known).join().server()).isEqualTo(giver.address());
        giver.close();
        assertThat(client.route("t1", known).join().server()).isEqualTo(other.address());

        assertThat(giver.asked.get(0).extFields()).containsEntry("routeVersion", "e-1");
        assertThat(other.asked.get(0).extFields()).containsEntry("routeVersion", "0");
    }

    @Test
    void unchanged_to_somebody_who_has_nothing_is_nonsense() throws IOException {
        FakeNamesrv first = open(saying(
                RemotingCommand.success().withExtField("routeUnchanged", "true").withExtField("routeVersion", "e-1")));
        FakeNamesrv second = open(saying(route(ADDR)));

        assertThat(client(first.address(), second.address())
                        .route("t1", RouteVersion.NONE)
                        .join()
                        .server())
                .isEqualTo(second.address());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 30_001})
    void a_wait_that_no_server_grants_is_refused(long wait) throws IOException {
        NamesrvClient client = client(dead());

        assertThatThrownBy(() -> client.route("t1", RouteVersion.NONE, Duration.ofMillis(wait)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- all servers

    @Test
    void a_write_goes_to_every_server_and_is_reported_for_each() throws IOException {
        FakeNamesrv first = open(saying(RemotingCommand.success()));
        FakeNamesrv refusing = open(saying(RemotingCommand.error(1, "value is null")));
        String dead = dead();
        NamesrvClient client = client(first.address(), refusing.address(), dead);

        KVWrite put = client.putKVConfig("n", "k", "v").join();

        assertThat(put.acknowledged()).containsOnlyKeys(first.address());
        assertThat(put.failures().get(refusing.address())).isInstanceOf(RefusedException.class);
        assertThat(put.failures().get(dead)).isInstanceOf(NoAnswerException.class);
        assertThat(put.everywhere()).isFalse();
        for (FakeNamesrv server : List.of(first, refusing)) {
            assertThat(server.asked)
                    .extracting(RemotingCommand::extFields)
                    .containsExactly(Map.of("namespace", "n", "key", "k", "value", "v"));
        }
    }

    @Test
    void what_all_say_of_a_route_is_merged_with_who_says_what() throws IOException {
        FakeNamesrv stale = open(saying(route("10.0.0.8:10911")));
        FakeNamesrv one = open(saying(route(ADDR)));
        FakeNamesrv same = open(saying(route(ADDR)));
        FakeNamesrv empty = open(saying(RemotingCommand.error(17, "No topic route info")));
        String dead = dead();
        NamesrvClient client = client(stale.address(), one.address(), dead, same.address(), empty.address());

        RoutePicture picture = client.askAllForRoute("t1").join();

        assertThat(picture.members().claimants())
                .isEqualTo(Map.of(
                        new Member("c1", "b1", 0, "10.0.0.8:10911"),
                        Set.of(stale.address()),
                        new Member("c1", "b1", 0, ADDR),
                        Set.of(one.address(), same.address())));
        assertThat(picture.queues().claimants())
                .isEqualTo(Map.of(
                        new QueueData("b1", 4, 4, 6, 0), Set.of(stale.address(), one.address(), same.address())));
        assertThat(picture.withoutRoute()).containsExactly(empty.address());
        assertThat(picture.answers().failures()).containsOnlyKeys(dead);
        assertThat(picture.answers().given().values())
                .allMatch(answer -> !answer.took().isNegative());
        assertThat(picture.agreed()).isFalse();
        RouteAnswer ofOne = client(one.address()).route("t1").join();
        assertThat(picture.union()).isEqualTo(Optional.of(((RouteAnswer.Found) ofOne).route()));
    }

    @Test
    void servers_that_say_the_same_agree_also_that_there_is_nothing() throws IOException {
        FakeNamesrv one = open(saying(RemotingCommand.error(17, "No topic route info")));
        FakeNamesrv other = open(saying(RemotingCommand.error(17, "No topic route info")));

        RoutePicture picture =
                client(one.address(), other.address()).askAllForRoute("t1").join();

        assertThat(picture.agreed()).isTrue();
        assertThat(picture.union()).isEmpty();
    }

    @Test
    void topics_of_all_servers_can_be_put_together() throws IOException {
        FakeNamesrv one = open(saying(body("{\"topicList\":[\"t1\",\"t2\"]}")));
        FakeNamesrv other = open(saying(body("{\"topicList\":[\"t2\",\"t3\"]}")));

        Answers<List<String>> answers =
                client(one.address(), other.address()).askAllForTopicList().join();

        Claims<String> topics = Claims.of(answers, list -> list);
        assertThat(answers.complete()).isTrue();
        assertThat(topics.disputedAmong(answers.given().keySet()).claimants())
                .isEqualTo(Map.of("t1", Set.of(one.address()), "t3", Set.of(other.address())));
    }
}
