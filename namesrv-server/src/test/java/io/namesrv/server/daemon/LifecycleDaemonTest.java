package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.namesrv.core.Ticker;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.remoting.tls.TlsOptions;
import io.namesrv.server.NamesrvController;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the daemon starts and stops. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class LifecycleDaemonTest {
    private static final Request NO_ROUTE = Request.of(105).with("topic", "no-such");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @Test
    void a_stop_answers_what_is_on_its_way() throws Exception {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(
                    Request.of(100).with("namespace", "ns").with("key", "k" + i).with("value", "v"));
        }
        requests.add(NO_ROUTE);
        try (Peer peer = daemon.connect()) {
            peer.sendAll(requests);
            List<Reply> replies = new ArrayList<>();
            // The last one overtakes those that wait for the disk; once it is answered, all have been taken.
            do {
                replies.add(peer.next());
            } while (replies.get(replies.size() - 1).code() != 17);

            daemon.stop();
            replies.addAll(peer.rest());

            assertThat(replies)
                    .hasSize(101)
                    .filteredOn(reply -> reply.code() != 17)
                    .containsOnly(Reply.SUCCESS);
        }
    }

    @Test
    void a_stop_unregisters_nobody() throws Exception {
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            peers.add(daemon.connect());
            TestDaemon.register(peers.get(i), numbered(i));
        }
        Tables before = daemon.tables();

        daemon.stop();

        for (Peer peer : peers) {
            assertThat(peer.isEnded()).isTrue();
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void a_stopped_daemon_listens_no_more_and_leaves_no_thread() throws Exception {
        daemon.ask(NO_ROUTE);
        daemon.register(numbered(1));

        daemon.stop();

        assertThatThrownBy(daemon::connect).isInstanceOf(ConnectException.class);
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void a_second_stop_does_nothing() throws Exception {
        daemon.stop();
        daemon.stop();

        assertThat(daemon.file("namesrv.pid")).doesNotExist();
    }

    @Test
    void a_start_on_a_taken_port_fails_says_so_and_leaves_no_thread() throws Exception {
        daemon.ask(NO_ROUTE);
        Set<String> before = threads();
        int port = daemon.port();
        daemon.with("listenPort", port);
        NamesrvController second = new NamesrvController(
                daemon.load(),
                new TlsContexts(TlsOptions.DEFAULT),
                Ticker.system(),
                SerializeType.JSON,
                daemon.deaths()::add);

        assertThatThrownBy(second::start)
                .isInstanceOf(IOException.class)
                .hasMessage("cannot listen on 127.0.0.1:" + port
                        + ": address already in use (set listenPort, or stop the other process)");

        await().untilAsserted(() -> assertThat(before).containsAll(threads()));
        assertThat(daemon.ask(NO_ROUTE).code()).isEqualTo(17);
        assertThat(daemon.file("namesrv.pid")).exists();
    }

    @Test
    void a_graceful_stop_sends_newer_callers_away_and_serves_the_others_meanwhile() throws Exception {
        daemon.with("enableShutdownGracefully", true)
                .with("shutdownWaitTimeSeconds", 1)
                .restart();
        try (Peer peer = daemon.connect()) {
            Thread stop = new Thread(daemon.controller()::close, "stop");
            stop.start();

            await().until(() -> peer.ask(NO_ROUTE.version(476)).equals(Reply.error(1500, "please go away")));
            Reply older = peer.ask(NO_ROUTE.version(475));

            assertThat(older.code()).isEqualTo(17);
            assertThat(peer.rest()).isEmpty();
            stop.join();
        }
    }

    @Test
    void a_broker_that_goes_away_during_a_graceful_stop_has_not_departed() throws Exception {
        daemon.with("enableShutdownGracefully", true)
                .with("shutdownWaitTimeSeconds", 3)
                .restart();
        try (Peer client = daemon.connect()) {
            Peer broker = daemon.connect();
            TestDaemon.register(broker, TestBroker.master());
            Thread stop = new Thread(daemon.controller()::close, "stop");
            stop.start();
            await().until(() -> client.ask(NO_ROUTE.version(476)).code() == 1500);

            broker.close();

            for (int i = 0; i < 50; i++) {
                assertThat(client.ask(Request.of(105).with("topic", "t1").version(475))
                                .code())
                        .isZero();
                Thread.sleep(10);
            }
            stop.join();
        }
    }

    /** Names of the daemon's threads, each as often as it is there. */
    private static Set<String> threads() {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("namesrv-")) {
                names.add(thread.getName() + " " + thread.getId());
            }
        }
        return Collections.unmodifiableSet(names);
    }
}
