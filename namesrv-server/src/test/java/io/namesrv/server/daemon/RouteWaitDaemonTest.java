package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code 105 with routeWaitMillis. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class RouteWaitDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");
    private static final Request UNKNOWN = ROUTE.with("topic", "unknown");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    /** What lets one go on that waits. */
    @FunctionalInterface
    private interface Step {
        void take() throws Exception;
    }

    /** The query of a caller that has the current version and waits as long as it may. */
    private Request waiting(Request route) throws IOException {
        String version = daemon.ask(route.with("routeVersion", "0")).fields().get("routeVersion");
        return route.with("routeVersion", version).with("routeWaitMillis", "30000");
    }

    private void awaitWaiting(int number) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> daemon.controller().routeWaiters().waiting() == number);
    }

    /** What one who waits is told after a step. */
    private Reply afterWaiting(Request route, Step step) throws Exception {
        Request waiting = waiting(route);
        try (Peer peer = daemon.connect()) {
            peer.send(waiting);
            awaitWaiting(1);

            step.take();

            Reply reply = peer.next();
            assertThat(daemon.controller().routeWaiters().waiting()).isZero();
            assertThat(reply.fields().get("routeVersion"))
                    .isNotEqualTo(waiting.fields().get("routeVersion"));
            return reply;
        }
    }

    private void assertToldAfter(String what, Step step) throws Exception {
        Reply reply = afterWaiting(ROUTE, step);
        String version = daemon.ask(ROUTE.with("routeVersion", "0")).fields().get("routeVersion");

        assertThat(reply).as(what).isEqualTo(daemon.ask(ROUTE).with("routeVersion", version));
    }

    @ParameterizedTest
    @EnumSource
    void one_who_has_the_current_version_waits_for_the_next(Form form) throws Exception {
        daemon.register(master());

        Reply reply = afterWaiting(ROUTE.in(form), () -> daemon.register(slave()));

        assertThat(reply.code()).isZero();
        assertThat(reply.body()).contains("10.0.0.2:10911");
    }

    @Test
    void whatever_alters_the_answer_ends_the_wait() throws Exception {
        daemon.register(master().topics(new Topic("t2"), new Topic("t3")));

        assertToldAfter("the topic appears", () -> daemon.register(master().counter(2)));
        assertToldAfter("a wipe", () -> daemon.ask(Request.of(205).with("brokerName", "b1")));
        assertToldAfter("an add", () -> daemon.ask(Request.of(327).with("brokerName", "b1")));
        assertToldAfter("filter servers", () -> daemon.register(master().filterServers("10.0.0.9:1")));
        assertToldAfter("a zone", () -> daemon.register(master().with("__ZONE_NAME", "z")));
        assertToldAfter(
                "one topic",
                () -> daemon.ask(Request.of(217).with("topic", "t1").body("""
                        {"queueDatas":[{"brokerName":"b1","perm":6,"readQueueNums":2,"topicSysFlag":0,\
                        "writeQueueNums":2}]}""")));
        daemon.ask(Request.of(318).body("orderMessageEnable=true"));
        assertToldAfter(
                "the order configuration",
                () -> daemon.ask(Request.of(100)
                        .with("namespace", "ORDER_TOPIC_CONFIG")
                        .with("key", "t1")
                        .with("value", "b1:4")));
        assertToldAfter("settings", () -> daemon.ask(Request.of(318).body("orderMessageEnable=false")));
        assertToldAfter("the topic is deleted", () -> daemon.ask(Request.of(216).with("topic", "t1")));
        daemon.register(master().counter(9));
        try (Peer broker = daemon.connect()) {
            TestDaemon.register(broker, slave());
            assertToldAfter("a connection ends", () -> {
                broker.reset();
                await().until(() -> daemon.controller().routes().sizes().brokers() == 1);
            });
        }
        assertToldAfter("the broker leaves", () -> daemon.ask(master().unregister()));
    }

    @Test
    void what_does_not_concern_the_topic_leaves_them_waiting() throws Exception {
        daemon.register(master());
        Request known = waiting(ROUTE);
        Request unknown = waiting(UNKNOWN);
        try (Peer peer = daemon.connect()) {
            peer.sendAll(List.of(known, unknown));
            awaitWaiting(2);

            daemon.register(master().counter(2).topics(new Topic("t1"), new Topic("t2").queues(16)));
            daemon.register(TestBroker.numbered(2));
            daemon.ask(Request.of(318).body("slowRequestMillis=7"));
            daemon.ask(TestBroker.numbered(2).unregister());

            assertThat(daemon.controller().routeWaiters().waiting()).isEqualTo(2);
            daemon.ask(master().unregister());
            assertThat(peer.next().code()).isEqualTo(17);
            assertThat(daemon.controller().routeWaiters().waiting()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void when_the_time_is_up_nothing_has_changed(Form form) throws Exception {
        daemon.register(master());
        Request known = waiting(ROUTE.in(form)).with("routeWaitMillis", "50");
        Request unknown = waiting(UNKNOWN.in(form)).with("routeWaitMillis", "50");
        long began = System.nanoTime();

        Reply ofKnown = daemon.ask(known);
        Reply ofUnknown = daemon.ask(unknown);

        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(100_000_000);
        assertThat(ofKnown)
                .isEqualTo(Reply.SUCCESS
                        .with("routeVersion", known.fields().get("routeVersion"))
                        .with("routeUnchanged", "true"));
        assertThat(ofUnknown)
                .isEqualTo(daemon.ask(UNKNOWN.in(form))
                        .with("routeVersion", unknown.fields().get("routeVersion")));
    }

    @Test
    void one_who_has_another_version_does_not_wait() throws Exception {
        daemon.register(master());
        Request current = waiting(ROUTE);
        daemon.register(slave());

        assertThat(daemon.ask(current).body()).isNotEmpty();
        assertThat(daemon.ask(current.with("routeVersion", "0")).body()).isNotEmpty();
        assertThat(daemon.ask(ROUTE.with("routeWaitMillis", "30000")).body()).isNotEmpty();
    }

    @Test
    void a_one_way_query_does_not_wait() throws Exception {
        daemon.register(master());
        Request current = waiting(ROUTE);
        try (Peer peer = daemon.connect()) {
            peer.send(current.oneway());
            peer.send(current);

            awaitWaiting(1);
            daemon.register(slave());
            assertThat(peer.next().body()).contains("10.0.0.2:10911");
        }
    }

    @Test
    void where_it_is_switched_off_meanwhile_they_get_what_originals_give() throws Exception {
        daemon.register(master());
        Request current = waiting(ROUTE);
        try (Peer peer = daemon.connect()) {
            peer.send(current);
            awaitWaiting(1);

            daemon.ask(Request.of(318).body("routeDiffEnable=false"));

            assertThat(peer.next()).isEqualTo(daemon.ask(ROUTE));
        }
    }

    @Test
    void a_wait_ends_with_its_connection() throws Exception {
        daemon.register(master());
        Request current = waiting(ROUTE);
        Request unknown = waiting(UNKNOWN);
        Peer leaving = daemon.connect();
        try (Peer staying = daemon.connect()) {
            leaving.sendAll(List.of(current, unknown, current));
            staying.send(current);
            awaitWaiting(4);

            leaving.reset();

            awaitWaiting(1);
            daemon.register(slave());
            assertThat(staying.next().body()).contains("10.0.0.2:10911");
        }
    }

    @Test
    void beyond_the_limit_nobody_waits() throws Exception {
        daemon.with("routeWaitersMax", 2).restart();
        daemon.register(master());
        Request current = waiting(ROUTE);
        try (Peer peer = daemon.connect()) {
            peer.sendAll(List.of(current, current));
            awaitWaiting(2);

            assertThat(daemon.ask(current).fields()).containsEntry("routeUnchanged", "true");
            assertThat(daemon.ask(waiting(UNKNOWN)).code()).isEqualTo(17);

            daemon.register(slave());
            assertThat(List.of(peer.next().code(), peer.next().code())).containsOnly(0);
            peer.send(waiting(ROUTE));
            awaitWaiting(1);
        }
    }

    @Test
    void a_stop_answers_those_who_wait() throws Exception {
        daemon.register(master());
        Request current = waiting(ROUTE);
        Request unknown = waiting(UNKNOWN);
        try (Peer peer = daemon.connect()) {
            for (int i = 0; i < 100; i++) {
                peer.sendAll(List.of(current, unknown));
            }
            awaitWaiting(200);

            daemon.stop();

            List<Reply> replies = peer.rest();
            assertThat(replies).hasSize(200);
            assertThat(replies.stream().filter(reply -> reply.fields().containsKey("routeUnchanged")))
                    .hasSize(100);
            assertThat(replies.stream().filter(reply -> reply.code() == 17)).hasSize(100);
        }
    }

    @Test
    void at_a_graceful_stop_they_are_answered_at_once_and_newer_callers_go_away() throws Exception {
        daemon.with("enableShutdownGracefully", true)
                .with("shutdownWaitTimeSeconds", 1)
                .restart();
        daemon.register(master());
        Request current = waiting(ROUTE);
        try (Peer peer = daemon.connect()) {
            peer.send(current);
            awaitWaiting(1);
            Thread stop = new Thread(daemon.controller()::close, "stop");
            stop.start();

            assertThat(peer.next().fields()).containsEntry("routeUnchanged", "true");
            assertThat(peer.ask(current)).isEqualTo(Reply.error(1500, "please go away"));
            assertThat(peer.ask(current.version(Request.V4_9_7)).fields()).containsEntry("routeUnchanged", "true");
            stop.join();
        }
    }
}
