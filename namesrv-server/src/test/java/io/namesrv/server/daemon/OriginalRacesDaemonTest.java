package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableSizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The races among the faults of {@link OriginalFaultsDaemonTest}, hundreds of rounds each: NameServer 5.3.3 loses
 * between one in fifty and one in three of them.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class OriginalRacesDaemonTest {
    private static final int ROUNDS = 300;
    private static final TableSizes EMPTY = new TableSizes(0, 0, 0, 0);

    private final FakeTicker ticker = new FakeTicker();
    private final ExecutorService second = Executors.newSingleThreadExecutor();
    private final Random random = new Random(20_240_229);

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker);

    @AfterEach
    void end_the_second_thread() throws InterruptedException {
        second.shutdownNow();
        assertThat(second.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void fault_06_a_late_close_does_not_remove_a_fresh_registration() throws Exception {
        Peer current = daemon.connect();
        TestDaemon.register(current, master());

        for (int round = 0; round < ROUNDS; round++) {
            TestBroker witness = numbered(round + 2);
            TestDaemon.register(current, witness);
            Peer next = daemon.connect();
            end(current, round);
            TestDaemon.register(next, master());
            daemon.awaitGone(witness.name());

            assertThat(daemon.groups()).as("after round " + round).containsExactly("b1");
            current = next;
        }
        current.close();
    }

    @Test
    void fault_06_nor_do_eight_when_eight_brokers_come_back_at_once() throws Exception {
        List<Peer> peers = registered(8);

        for (int round = 0; round < ROUNDS / 6; round++) {
            List<Peer> former = peers;
            List<TestBroker> witnesses = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                witnesses.add(numbered(100 + 8 * round + i));
                TestDaemon.register(former.get(i), witnesses.get(i));
            }
            peers = connected(8);
            for (int i = 0; i < 8; i++) {
                end(former.get(i), round);
                peers.get(i).send(numbered(i).register());
            }
            for (Peer peer : peers) {
                assertThat(peer.next()).isEqualTo(Reply.SUCCESS);
            }
            for (TestBroker witness : witnesses) {
                daemon.awaitGone(witness.name());
            }
            assertThat(daemon.groups())
                    .as("after round " + round)
                    .containsExactly("b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7");
        }
        close(peers);
    }

    @Test
    void fault_07_a_broker_that_was_told_unchanged_is_not_expired_by_a_scan_meanwhile() throws Exception {
        List<TestBroker> brokers = new ArrayList<>();
        List<Request> queries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            brokers.add(numbered(i).with("heartbeatTimeoutMillis", 1000));
            queries.add(brokers.get(i).queryDataVersion());
        }
        try (Peer heartbeats = daemon.connect()) {
            for (int round = 0; round < ROUNDS; round++) {
                Peer container = daemon.connect();
                for (TestBroker broker : brokers) {
                    TestDaemon.register(container, broker);
                }
                ticker.advance(1001);
                long pause = random.nextInt(200_000);
                Future<?> scan = second.submit(() -> {
                    spin(pause);
                    daemon.controller().scanNow();
                });
                List<Reply> replies = heartbeats.askAll(queries);
                scan.get();

                Set<String> told = new TreeSet<>();
                for (int i = 0; i < 8; i++) {
                    if (replies.get(i).fields().equals(Map.of("changed", "false"))) {
                        told.add(brokers.get(i).name());
                    }
                }
                assertThat(daemon.groups()).as("after round " + round).isEqualTo(told);
                container.close();
                daemon.awaitSizes(EMPTY);
            }
        }
    }

    @Test
    void fault_08_unregistering_and_registering_back_to_back_leaves_the_broker_there() throws Exception {
        try (Peer peer = daemon.connect()) {
            TestDaemon.register(peer, master());
            for (int round = 0; round < ROUNDS; round++) {
                List<Reply> replies = peer.askAll(List.of(master().unregister(), master().register()));

                assertThat(replies).containsOnly(Reply.SUCCESS);
                assertThat(daemon.groups()).as("after round " + round).containsExactly("b1");
            }
        }
    }

    @Test
    void fault_08_registering_and_unregistering_back_to_back_leaves_nothing() throws Exception {
        try (Peer peer = daemon.connect()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Reply> replies = peer.askAll(List.of(master().register(), master().unregister()));

                assertThat(replies).containsOnly(Reply.SUCCESS);
                assertThat(daemon.routes().sizes()).as("after round " + round).isEqualTo(EMPTY);
            }
        }
    }

    @Test
    void fault_08_one_way_requests_of_a_connection_keep_their_order_too() throws Exception {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            requests.add(master().unregister().oneway());
            requests.add(master().counter(i).register().oneway());
        }
        try (Peer peer = daemon.connect()) {
            for (int round = 0; round < 6; round++) {
                peer.sendAll(requests);
                Reply last = peer.ask(master().counter(49).queryDataVersion());

                assertThat(last.fields()).isEqualTo(Map.of("changed", "false"));
            }
        }
    }

    @Test
    void fault_08_a_connection_reset_behind_its_registration_leaves_nothing() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Peer peer = daemon.connect();
            peer.sendAll(List.of(numbered(round).register(), numbered(round).queryDataVersion()));
            end(peer, round);
        }
        // Connections are accepted in turn, so this one is served behind all of them.
        try (Peer last = daemon.connect()) {
            last.ask(Request.of(106));
        }

        daemon.awaitSizes(EMPTY);
        daemon.stop();
        assertThat(daemon.routes().sizes()).isEqualTo(EMPTY);
    }

    @Test
    void fault_09_the_scanner_lives_on_while_brokers_come_and_go() throws Exception {
        daemon.with("scanNotActiveBrokerInterval", 1)
                .with("brokersPerChannelMax", 0)
                .restart();
        Future<?> other = second.submit(() -> {
            comeAndGo(1000);
            return null;
        });
        comeAndGo(0);
        other.get();
        daemon.register(master());

        ticker.advance(121_000);

        daemon.awaitSizes(EMPTY);
    }

    private void comeAndGo(int from) throws IOException {
        try (Peer peer = daemon.connect()) {
            for (int i = from; i < from + ROUNDS; i++) {
                TestDaemon.register(peer, numbered(i));
                if (i % 3 == 0) {
                    peer.ask(numbered(i).unregister());
                }
                if (i % 50 == 0) {
                    ticker.advance(1);
                }
            }
        }
    }

    @Test
    void fault_10_a_route_is_whole_while_permissions_change() throws Exception {
        Request wipe = Request.of(205).with("brokerName", "b1");
        Request add = Request.of(327).with("brokerName", "b1");
        daemon.register(master());

        assertThat(seenWhileSwitching(wipe, add, Request.of(105).with("topic", "t1")))
                .isSubsetOf(route(6), route(4));
    }

    private static Reply route(int perm) {
        return Reply.json("""
                {"brokerDatas":[{"brokerAddrs":{"0":"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}],
                 "filterServerTable":{},
                 "queueDatas":[{"brokerName":"b1","perm":%d,"readQueueNums":4,"topicSysFlag":0,"writeQueueNums":4}]}""".formatted(perm));
    }

    @Test
    void fault_10_the_clusters_are_whole_while_brokers_come_and_go() throws Exception {
        daemon.register(master());

        assertThat(seenWhileSwitching(slave().register(), slave().unregister(), Request.of(106)))
                .isSubsetOf(clusters("0:\"10.0.0.1:10911\""), clusters("0:\"10.0.0.1:10911\",1:\"10.0.0.2:10911\""));
    }

    private static Reply clusters(String addrs) {
        return Reply.json("""
                {"brokerAddrTable":{"b1":{"brokerAddrs":{%s},"brokerName":"b1","cluster":"c1",
                  "enableActingMaster":false}},
                 "clusterAddrTable":{"c1":["b1"]}}""".formatted(addrs));
    }

    private Set<Reply> seenWhileSwitching(Request there, Request back, Request question) throws Exception {
        Future<?> switching = second.submit(() -> {
            try (Peer peer = daemon.connect()) {
                for (int round = 0; round < ROUNDS; round++) {
                    peer.ask(there);
                    peer.ask(back);
                }
            }
            return null;
        });
        Set<Reply> seen = new HashSet<>();
        while (!switching.isDone()) {
            seen.add(daemon.ask(question));
        }
        switching.get();
        return seen;
    }

    @Test
    void fault_18_no_end_of_a_connection_is_missed_when_six_hundred_end_at_once() throws Exception {
        daemon.register(numbered(5000));
        TableSizes before = daemon.routes().sizes();
        List<Peer> peers = registered(600);
        assertThat(daemon.routes().sizes().brokers()).isEqualTo(601);

        for (int i = 0; i < peers.size(); i++) {
            end(peers.get(i), i);
        }

        daemon.awaitSizes(before);
        assertThat(daemon.groups()).containsExactly("b5000");
    }

    private List<Peer> registered(int count) throws IOException {
        List<Peer> peers = connected(count);
        for (int i = 0; i < count; i++) {
            peers.get(i).send(numbered(i).register());
        }
        for (Peer peer : peers) {
            assertThat(peer.next()).isEqualTo(Reply.SUCCESS);
        }
        return peers;
    }

    private List<Peer> connected(int count) throws IOException {
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            peers.add(daemon.connect());
        }
        return peers;
    }

    private static void close(List<Peer> peers) throws IOException {
        for (Peer peer : peers) {
            peer.close();
        }
    }

    /** Ends a connection, in each of the two ways in turn. */
    private static void end(Peer peer, int round) throws IOException {
        if (round % 2 == 0) {
            peer.close();
        } else {
            peer.reset();
        }
    }

    private static void spin(long nanos) {
        for (long begin = System.nanoTime(); System.nanoTime() - begin < nanos; ) {
            Thread.onSpinWait();
        }
    }
}
