package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.TableSizes;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What brokers ask beside registering: codes 104, 322, 901 and 904. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class BrokerRequestsDaemonTest {
    private static final Request GROUP =
            Request.of(901).with("clusterName", "c1").with("brokerName", "b1");

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker);

    @ParameterizedTest
    @EnumSource
    void a_broker_that_unregisters_is_gone_when_it_is_answered(Form form) throws Exception {
        daemon.register(master(), slave());

        Reply slaveGone = daemon.ask(slave().unregister().in(form));
        TableSizes afterSlave = daemon.routes().sizes();
        Reply masterGone = daemon.ask(master().unregister().in(form));

        assertThat(List.of(slaveGone, masterGone)).containsOnly(Reply.SUCCESS);
        assertThat(afterSlave).isEqualTo(new TableSizes(1, 1, 1, 2));
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void unregistering_goes_by_address_and_not_by_id(Form form) throws Exception {
        daemon.register(master(), slave());

        assertThat(daemon.ask(slave().id(7).unregister().in(form))).isEqualTo(Reply.SUCCESS);

        assertThat(daemon.ask(GROUP)).isEqualTo(Reply.json("""
                {"brokerMemberGroup":{"brokerAddrs":{0:"10.0.0.1:10911"},"brokerName":"b1","cluster":"c1"}}"""));
    }

    @ParameterizedTest
    @EnumSource
    void unregistering_what_is_not_there_is_a_success_and_nothing_else(Form form) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        for (TestBroker stranger :
                List.of(master().cluster("c2"), master().name("b2"), master().addr("10.9.9.9:1"), slave())) {
            assertThat(daemon.ask(stranger.unregister().in(form))).isEqualTo(Reply.SUCCESS);
        }

        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void an_equal_data_version_is_answered_unchanged_with_the_registered_one(Form form) throws Exception {
        daemon.register(master().counter(3));

        Reply equal = daemon.ask(master().counter(3).queryDataVersion().in(form));

        assertThat(equal)
                .isEqualTo(Reply.json("{\"counter\":3,\"stateVersion\":0,\"timestamp\":1700000000000}")
                        .with("changed", "false"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"counter\":4,\"stateVersion\":0,\"timestamp\":1700000000000}",
                "{\"counter\":3,\"stateVersion\":1,\"timestamp\":1700000000000}",
                "{\"counter\":3,\"stateVersion\":0,\"timestamp\":1700000000001}",
                "{}",
                "null",
                "",
            })
    void another_data_version_is_answered_changed_and_changes_nothing(String asked) throws Exception {
        daemon.register(master().counter(3));
        Tables before = daemon.tables();

        for (Form form : Form.values()) {
            Reply other = daemon.ask(master().queryDataVersion().body(asked).in(form));
            assertThat(other)
                    .isEqualTo(Reply.json("{\"counter\":3,\"stateVersion\":0,\"timestamp\":1700000000000}")
                            .with("changed", "true"));
        }
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void a_version_of_4_9_without_a_state_version_has_0() throws Exception {
        daemon.register(master().counter(3));

        Reply reply = daemon.ask(master().queryDataVersion().body("{\"counter\":3,\"timestamp\":1700000000000}"));

        assertThat(reply.fields()).containsEntry("changed", "false");
    }

    @ParameterizedTest
    @EnumSource
    void the_data_version_of_a_stranger_is_changed_and_has_no_body(Form form) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        Reply otherAddr = daemon.ask(slave().queryDataVersion().in(form));
        Reply otherCluster =
                daemon.ask(master().cluster("c2").queryDataVersion().in(form));

        assertThat(List.of(otherAddr, otherCluster)).containsOnly(Reply.SUCCESS.with("changed", "true"));
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void a_data_version_query_is_a_sign_of_life_whatever_its_answer(Form form) throws Exception {
        daemon.register(master().counter(1));
        ticker.advance(119_000);

        daemon.ask(master().counter(2).queryDataVersion().in(form));

        ticker.advance(2_000);
        daemon.controller().scanNow();
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void a_heartbeat_is_a_sign_of_life(Form form) throws Exception {
        daemon.register(master());
        ticker.advance(119_000);

        Reply reply = daemon.ask(master().heartbeat().in(form));

        ticker.advance(2_000);
        daemon.controller().scanNow();
        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(1, 1, 1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void what_a_heartbeat_says_for_a_controller_is_ignored(Form form) throws Exception {
        daemon.register(master());
        Tables before = daemon.tables();

        Reply reply = daemon.ask(master().heartbeat()
                .in(form)
                .with("brokerId", "none")
                .with("epoch", "x")
                .with("maxOffset", "-")
                .with("heartbeatTimeoutMills", "soon"));

        assertThat(reply).isEqualTo(Reply.SUCCESS);
        assertThat(daemon.tables()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void a_heartbeat_of_a_stranger_is_a_success_and_leaves_it_one(Form form) throws Exception {
        Tables before = daemon.tables();

        assertThat(daemon.ask(master().heartbeat().in(form))).isEqualTo(Reply.SUCCESS);

        assertThat(daemon.tables()).isEqualTo(before);
    }

    @Test
    void other_traffic_of_a_broker_is_no_sign_of_life() throws Exception {
        daemon.register(master());
        ticker.advance(119_000);

        daemon.ask(GROUP);
        daemon.ask(Request.of(105).with("topic", "t1"));

        ticker.advance(2_000);
        daemon.controller().scanNow();
        assertThat(daemon.routes().sizes()).isEqualTo(new TableSizes(0, 0, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void a_group_has_its_members_under_their_real_ids(Form form) throws Exception {
        daemon.register(slave().with("enableActingMaster", true), slave().id(3).addr("10.0.0.3:10911"));

        assertThat(daemon.ask(GROUP.in(form))).isEqualTo(Reply.json("""
                {"brokerMemberGroup":{"brokerAddrs":{1:"10.0.0.2:10911",3:"10.0.0.3:10911"},"brokerName":"b1",
                  "cluster":"c1"}}"""));
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_group_is_empty(Form form) throws Exception {
        assertThat(daemon.ask(GROUP.in(form))).isEqualTo(Reply.json("""
                {"brokerMemberGroup":{"brokerAddrs":{},"brokerName":"b1","cluster":"c1"}}"""));
    }

    @Test
    void the_cluster_of_a_group_is_echoed_and_not_checked() throws Exception {
        daemon.register(master());

        assertThat(daemon.ask(GROUP.with("clusterName", "other"))).isEqualTo(Reply.json("""
                {"brokerMemberGroup":{"brokerAddrs":{0:"10.0.0.1:10911"},"brokerName":"b1","cluster":"other"}}"""));
    }
}
