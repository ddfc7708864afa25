package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static io.namesrv.server.daemon.TestBroker.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Code 905: who is told what when the smallest id of a group changes. That somebody is not told is proved by the next
 * notice, which would have come second: what goes to one address goes over one connection.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MinBrokerIdDaemonTest {
    private static final int ONEWAY = 2;

    private final FakeTicker ticker = new FakeTicker();

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon().with(ticker).with("notifyMinBrokerIdChanged", true);

    private Ear ear0;
    private Ear ear1;
    private Ear ear2;
    private TestBroker broker0;
    private TestBroker broker1;
    private TestBroker broker2;

    @BeforeEach
    void listen() throws Exception {
        ear0 = new Ear();
        ear1 = new Ear();
        ear2 = new Ear();
        broker0 = acting(0, ear0);
        broker1 = acting(1, ear1);
        broker2 = acting(2, ear2);
    }

    private static TestBroker acting(int id, Ear ear) {
        return master().id(id)
                .addr(ear.addr())
                .with("enableActingMaster", true)
                .with("haServerAddr", "10.0.0.9:" + (1 + id));
    }

    @AfterEach
    void listen_no_more() throws Exception {
        ear0.close();
        ear1.close();
        ear2.close();
    }

    @Test
    void smaller_ids_that_come_are_told_to_the_others_and_one_that_leaves_to_all_that_remain() throws Exception {
        daemon.register(broker2, broker1);
        assertThat(ear2.next()).isEqualTo(came(1, broker1));

        Peer connection = daemon.connect();
        TestDaemon.register(connection, broker0);
        assertThat(ear2.next()).isEqualTo(came(0, broker0));
        assertThat(ear1.next()).isEqualTo(came(0, broker0));

        connection.close();
        assertThat(ear2.next()).isEqualTo(left(1, broker1, broker0));
        assertThat(ear1.next()).isEqualTo(left(1, broker1, broker0));
    }

    @Test
    void an_unregistration_and_an_expiry_are_told_too() throws Exception {
        daemon.register(broker1, broker2, broker0);
        assertThat(ear1.next()).isEqualTo(came(0, broker0));
        assertThat(ear2.next()).isEqualTo(came(0, broker0));

        daemon.ask(broker0.unregister());
        assertThat(ear1.next()).isEqualTo(left(1, broker1, broker0));
        assertThat(ear2.next()).isEqualTo(left(1, broker1, broker0));

        ticker.advance(119_000);
        daemon.ask(broker2.heartbeat());
        ticker.advance(2_000);
        daemon.controller().scanNow();
        assertThat(ear2.next()).isEqualTo(left(2, broker2, broker1));
    }

    @Test
    void a_larger_id_that_comes_or_leaves_is_told_to_nobody() throws Exception {
        daemon.register(broker1, broker2);
        daemon.ask(broker2.unregister());
        daemon.register(broker1, broker2, broker1);

        daemon.register(broker0);

        assertThat(ear1.next()).isEqualTo(came(0, broker0));
        assertThat(ear2.next()).isEqualTo(came(0, broker0));
    }

    @Test
    void a_slave_that_becomes_master_alone_is_told_itself() throws Exception {
        daemon.register(broker1, broker1.id(0).with("haServerAddr", "10.0.0.9:9"));

        assertThat(ear1.next()).isEqualTo(came(0, broker1.with("haServerAddr", "10.0.0.9:9")));
    }

    @Test
    void a_master_that_becomes_slave_under_its_address_counts_as_left() throws Exception {
        daemon.register(broker0, broker2, broker0.id(3));

        assertThat(ear2.next()).isEqualTo(left(2, broker2, broker0));
        assertThat(ear0.next()).isEqualTo(left(2, broker2, broker0));
    }

    @Test
    void a_broker_without_replication_address_has_none_in_the_notice() throws Exception {
        daemon.register(broker1);
        daemon.ask(broker0.register().without("haServerAddr"));

        assertThat(ear1.next().fields())
                .isEqualTo(Map.of("brokerName", "b1", "minBrokerId", "0", "minBrokerAddr", broker0.addr()));
    }

    @Test
    void a_group_without_acting_master_is_told_nothing() throws Exception {
        TestBroker plain1 = broker1.with("enableActingMaster", false);
        daemon.register(plain1, broker0.with("enableActingMaster", false));
        daemon.ask(broker0.unregister());

        daemon.register(broker1, broker0);

        assertThat(ear1.next()).isEqualTo(came(0, broker0));
    }

    @Test
    void nobody_is_told_until_it_is_asked_for() throws Exception {
        daemon.with("notifyMinBrokerIdChanged", false).restart();
        daemon.register(broker2, broker1);

        daemon.ask(Request.of(318).body("notifyMinBrokerIdChanged=true"));
        daemon.register(broker0);

        assertThat(ear2.next()).isEqualTo(came(0, broker0));
        assertThat(ear1.next()).isEqualTo(came(0, broker0));
    }

    @Test
    void fault_17_brokers_that_cannot_be_reached_hold_nobody_up_and_the_others_are_told() throws Exception {
        String refusing = ear0.addr();
        ear0.close();
        TestBroker broker3 = acting(3, ear2);
        daemon.register(broker3, broker2.addr("203.0.113.1:9"), broker1.addr(refusing));
        assertThat(ear2.next().fields()).containsEntry("minBrokerId", "2");
        assertThat(ear2.next().fields()).containsEntry("minBrokerId", "1");

        daemon.ask(broker1.addr(refusing).unregister());
        daemon.register(numbered(9));

        assertThat(ear2.next()).isEqualTo(left(2, broker2.addr("203.0.113.1:9"), broker1.addr(refusing)));
        assertThat(daemon.groups()).containsExactly("b1", "b9");
    }

    private static Frame came(long minBrokerId, TestBroker smallest) {
        return notice(
                minBrokerId, smallest, Map.of("haBrokerAddr", smallest.fields().get("haServerAddr")));
    }

    private static Frame left(long minBrokerId, TestBroker smallest, TestBroker gone) {
        return notice(minBrokerId, smallest, Map.of("offlineBrokerAddr", gone.addr()));
    }

    private static Frame notice(long minBrokerId, TestBroker smallest, Map<String, String> more) {
        Map<String, String> fields = new TreeMap<>(more);
        fields.put("brokerName", "b1");
        fields.put("minBrokerId", Long.toString(minBrokerId));
        fields.put("minBrokerAddr", smallest.addr());
        return new Frame(Form.JSON, 905, "JAVA", Request.V5_3_3, 0, ONEWAY, "", fields, "");
    }
}
