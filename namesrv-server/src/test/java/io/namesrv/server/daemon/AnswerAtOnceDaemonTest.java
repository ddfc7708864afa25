package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Code 105, answered on the I/O thread: nobody can tell it from any other answer. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class AnswerAtOnceDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @ParameterizedTest
    @EnumSource(Form.class)
    void the_first_answer_and_all_after_it_are_the_same(Form form) throws Exception {
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        Request unknown = ROUTE.with("topic", "nobody's");
        for (Request request : List.of(
                ROUTE, ROUTE.version(300), ROUTE.version(300).with("acceptStandardJsonOnly", "true"), unknown)) {
            Reply first = daemon.ask(request.in(form));
            for (int i = 0; i < 3; i++) {
                assertThat(daemon.ask(request.in(form))).isEqualTo(first);
                assertThat(daemon.ask(request.in(form).with("more", "x"))).isEqualTo(first);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void each_request_of_a_burst_has_its_own_answer(Form form) throws Exception {
        daemon.register(master().topics(new Topic("t1").queues(3), new Topic("t2").queues(5)));
        List<Request> kinds = List.of(
                ROUTE.in(form),
                ROUTE.in(form).with("topic", "t2"),
                ROUTE.in(form).with("topic", "unknown"),
                ROUTE.in(form).with("routeVersion", "0"),
                Request.of(106).in(form),
                Request.of(4711).in(form));
        List<Reply> expected = new ArrayList<>();
        for (Request kind : kinds) {
            expected.add(daemon.ask(kind));
        }
        Random random = new Random(11);
        List<Request> burst = new ArrayList<>();
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int kind = random.nextInt(kinds.size());
            burst.add(kinds.get(kind));
            replies.add(expected.get(kind));
        }

        try (Peer peer = daemon.connect()) {
            assertThat(peer.askAll(burst)).isEqualTo(replies);
        }
    }

    @Test
    void whoever_wants_no_answer_gets_none() throws Exception {
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        Reply route = daemon.ask(ROUTE);

        try (Peer peer = daemon.connect()) {
            peer.send(ROUTE.oneway());
            peer.send(ROUTE.flag(1));
            assertThat(peer.ask(ROUTE)).isEqualTo(route);
        }
    }

    @Test
    void a_header_that_comes_byte_by_byte_is_answered_like_any_other() throws Exception {
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        Reply route = daemon.ask(ROUTE);

        try (Peer peer = daemon.connect()) {
            byte[] frame = ROUTE.frame();
            peer.expect(ROUTE);
            for (byte each : frame) {
                peer.writeRaw(new byte[] {each});
            }
            assertThat(peer.next()).isEqualTo(route);
        }
    }

    @Test
    void a_peer_that_asks_and_does_not_read_holds_nobody_up() throws Exception {
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        daemon.ask(ROUTE);
        List<Request> burst = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            burst.add(ROUTE);
        }

        try (Peer deaf = daemon.connect()) {
            Thread sender = new Thread(() -> {
                try {
                    deaf.sendAll(burst);
                } catch (IOException closed) {
                    // what the daemon does not read stays here
                }
            });
            sender.start();
            for (int i = 0; i < 50; i++) {
                assertThat(daemon.ask(ROUTE).code()).isZero();
            }
            deaf.reset();
            sender.join();
        }
    }
}
