package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.namesrv.server.daemon.TestBroker.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a restarted daemon knows before its brokers have come back, and until when. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class WarmRestartDaemonTest {
    private static final Request ROUTE = Request.of(105).with("topic", "t1");

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker).with("routeSnapshotEnable", true);

    @Test
    void clients_get_the_routes_that_there_were_from_the_first_query_on() throws Exception {
        daemon.register(master(), slave(), numbered(2));
        Reply route = daemon.ask(ROUTE);
        Reply clusters = daemon.ask(Request.of(106));
        Reply topics = daemon.ask(Request.of(206));

        daemon.restart();

        assertThat(daemon.ask(ROUTE)).isEqualTo(route);
        assertThat(daemon.ask(Request.of(106))).isEqualTo(clusters);
        assertThat(daemon.ask(Request.of(206)).code()).isEqualTo(topics.code());
        assertThat(daemon.groups()).containsExactlyInAnyOrder("b1", "b2");
    }

    @Test
    void replication_is_not_steered_by_what_is_remembered() throws Exception {
        TestBroker sync = master().topics(new Topic("t1"), new Topic("rmq_sys_SYNC_BROKER_MEMBER_b1"));
        daemon.register(sync, slave());

        daemon.restart();

        Request members = Request.of(901).with("clusterName", "c1").with("brokerName", "b1");
        assertThat(daemon.ask(members).body()).contains("\"brokerAddrs\":{}");
        assertThat(daemon.ask(Request.of(105).with("topic", "rmq_sys_SYNC_BROKER_MEMBER_b1"))
                        .code())
                .isEqualTo(17);
        assertThat(daemon.ask(slave().register()).fields()).doesNotContainKey("masterAddr");
        assertThat(daemon.ask(members).body()).contains("{1:\"" + TestBroker.SLAVE_ADDR);
        daemon.register(sync);
        assertThat(daemon.ask(slave().register()).fields()).containsEntry("masterAddr", TestBroker.ADDR);
    }

    @Test
    void a_broker_that_asks_is_told_to_register_and_renews_nothing_by_asking() throws Exception {
        daemon.register(master());
        daemon.restart();

        ticker.advance(119_000);
        assertThat(daemon.ask(master().queryDataVersion())).isEqualTo(Reply.SUCCESS.with("changed", "true"));
        assertThat(daemon.ask(master().heartbeat())).isEqualTo(Reply.SUCCESS);
        ticker.advance(1_001);
        daemon.controller().scanNow();

        assertThat(daemon.groups()).isEmpty();
        assertThat(daemon.ask(ROUTE).code()).isEqualTo(17);
    }

    @Test
    void who_does_not_come_back_leaves_after_two_minutes_and_who_does_stays() throws Exception {
        daemon.with("evictionMisses", 3);
        daemon.register(numbered(1).with("heartbeatTimeoutMillis", 600_000), numbered(2));
        daemon.restart();

        ticker.advance(120_000);
        daemon.register(numbered(2));
        daemon.controller().scanNow();
        assertThat(daemon.groups()).containsExactlyInAnyOrder("b1", "b2");
        ticker.advance(1);
        daemon.controller().scanNow();

        assertThat(daemon.groups()).containsExactly("b2");
        assertThat(daemon.ask(Request.of(105).with("topic", "t2a")).code()).isZero();
    }

    @Test
    void topics_that_a_broker_no_longer_names_stay_until_then_and_those_that_it_names_for_good() throws Exception {
        daemon.register(master().topics(new Topic("t1"), new Topic("t2"), new Topic("t3")));
        daemon.restart();
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        ticker.advance(60_000);
        daemon.register(master().topics(new Topic("t1"), new Topic("t2")));
        assertThat(daemon.ask(Request.of(105).with("topic", "t3")).code()).isZero();

        ticker.advance(60_001);
        daemon.controller().scanNow();

        assertThat(daemon.ask(Request.of(105).with("topic", "t3")).code()).isEqualTo(17);
        assertThat(daemon.ask(ROUTE).code()).isZero();
        assertThat(daemon.ask(Request.of(105).with("topic", "t2")).code()).isZero();
    }

    @Test
    void a_slave_confirms_the_topics_of_its_group_while_its_master_is_only_remembered() throws Exception {
        TestBroker acting = slave().with("enableActingMaster", "true");
        daemon.register(master().with("enableActingMaster", "true"), acting);
        daemon.restart();

        ticker.advance(60_000);
        daemon.register(acting);
        ticker.advance(60_001);
        daemon.controller().scanNow();

        assertThat(daemon.ask(ROUTE).body()).contains(TestBroker.SLAVE_ADDR).doesNotContain(TestBroker.ADDR);
    }

    @Test
    void an_unregistration_takes_a_remembered_broker_away_at_once() throws Exception {
        daemon.register(master());
        daemon.restart();

        daemon.ask(master().unregister());

        assertThat(daemon.groups()).isEmpty();
    }

    @Test
    void another_address_takes_a_remembered_id_without_a_contest() throws Exception {
        daemon.register(master().stateVersion(5));
        daemon.restart();

        daemon.register(master().addr("10.0.0.9:10911"));

        assertThat(daemon.ask(ROUTE).body()).contains("10.0.0.9:10911").doesNotContain(TestBroker.ADDR);
    }

    @Test
    void a_wiped_permission_outlives_the_restart_and_an_unchanged_registration() throws Exception {
        daemon.register(master());
        daemon.ask(Request.of(205).with("brokerName", "b1"));
        daemon.restart();
        assertThat(daemon.ask(ROUTE).body()).contains("\"perm\":4");

        daemon.register(master());

        assertThat(daemon.ask(ROUTE).body()).contains("\"perm\":4");
        daemon.ask(Request.of(327).with("brokerName", "b1"));
        assertThat(daemon.ask(ROUTE).body()).contains("\"perm\":6");
    }

    @Test
    void without_a_snapshot_a_restart_begins_with_nothing() throws Exception {
        daemon.register(master());
        daemon.with("routeSnapshotEnable", false).restart();

        assertThat(daemon.groups()).isEmpty();
        assertThat(daemon.ask(ROUTE).code()).isEqualTo(17);
    }

    @Test
    void what_the_disk_does_not_take_costs_nothing_but_the_memory() throws Exception {
        Path inTheWay = daemon.file("in-the-way");
        Files.writeString(inTheWay, "a file");
        daemon.with("routeSnapshotDir", inTheWay).restart();

        daemon.register(master());
        assertThat(daemon.ask(ROUTE).code()).isZero();
        await().until(() -> daemon.controller().snapshots().errors() > 0);
        daemon.restart();

        assertThat(daemon.groups()).isEmpty();
    }

    @Test
    void a_second_daemon_over_the_same_directory_keeps_none_and_leaves_the_first_ones_alone() throws Exception {
        daemon.register(master());

        daemon.restartAsAfterKill();

        assertThat(daemon.groups()).isEmpty();
        daemon.register(numbered(7));
        assertThat(daemon.ask(Request.of(105).with("topic", "t7a")).code()).isZero();
        daemon.restart();
        assertThat(daemon.groups()).containsExactly("b1");
    }
}
