package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.CONNECTION;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OTHER_CONNECTION;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.THIRD_ADDR;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.DepartureReport;
import io.namesrv.core.data.MinBrokerIdChange;
import io.namesrv.core.data.RegisterBrokerResult.Registered;
import io.namesrv.core.route.Fixtures.Bench;
import io.namesrv.core.route.Fixtures.RegistrationBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** When the smallest id of a group has changed and who is told; the sequences were measured on NameServer 5.3.3. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MinBrokerIdsTest {
    private final Bench bench = new Bench();

    private static RegistrationBuilder slaveTwo() {
        return slave().id(2).addr(THIRD_ADDR).acting();
    }

    private static RegistrationBuilder slaveOne() {
        return slave().acting().haServerAddr("10.0.0.2:10912");
    }

    private static RegistrationBuilder actingMaster() {
        return master().acting().haServerAddr("10.0.0.1:10912");
    }

    @Test
    void the_first_member_of_a_group_is_no_change() {
        Registered result = bench.register(slaveTwo());

        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_smaller_id_is_told_to_the_only_other_member() {
        bench.register(slaveTwo());

        Registered result = bench.register(slaveOne());

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 1, SLAVE_ADDR, Optional.of("10.0.0.2:10912"), Optional.empty(), List.of(THIRD_ADDR)));
    }

    @Test
    void a_smaller_id_is_told_to_all_others() {
        bench.register(slaveTwo());
        bench.register(slaveOne());

        Registered result = bench.register(actingMaster());

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER,
                        0,
                        MASTER_ADDR,
                        Optional.of("10.0.0.1:10912"),
                        Optional.empty(),
                        List.of(SLAVE_ADDR, THIRD_ADDR)));
    }

    @Test
    void a_smallest_id_whose_connection_ends_is_told_to_all_that_remain() {
        bench.register(slaveTwo(), OTHER_CONNECTION);
        bench.register(slaveOne(), OTHER_CONNECTION);
        bench.register(actingMaster(), CONNECTION);

        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(report.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER,
                        1,
                        SLAVE_ADDR,
                        Optional.empty(),
                        Optional.of(MASTER_ADDR),
                        List.of(SLAVE_ADDR, THIRD_ADDR)));
    }

    @Test
    void a_smallest_id_that_expires_is_told_to_all_that_remain() {
        bench.register(slaveTwo());
        bench.register(slaveOne().timeoutMillis(5_000));
        bench.ticker.advance(5_001);

        DepartureReport report = bench.routes.scanNotActiveBroker(1).departed();

        assertThat(report.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 2, THIRD_ADDR, Optional.empty(), Optional.of(SLAVE_ADDR), List.of(THIRD_ADDR)));
    }

    @Test
    void the_departure_of_another_id_than_the_smallest_is_no_change() {
        bench.register(actingMaster());
        bench.register(slaveOne());

        DepartureReport report = bench.routes.unregisterBroker(CLUSTER, BROKER, SLAVE_ADDR, CONNECTION);

        assertThat(report.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void the_departure_of_the_last_member_is_told_to_nobody() {
        bench.register(actingMaster());

        DepartureReport report = bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(report.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_group_without_acting_masters_is_told_nothing() {
        bench.register(slave());

        Registered arrival = bench.register(master());
        DepartureReport departure = bench.routes.unregisterBroker(CLUSTER, BROKER, MASTER_ADDR, CONNECTION);

        assertThat(arrival.minBrokerIdChanges()).isEmpty();
        assertThat(departure.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_greater_id_is_no_change() {
        bench.register(actingMaster());

        Registered result = bench.register(slaveOne());

        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_repeated_registration_is_no_change() {
        bench.register(slaveTwo());
        bench.register(slaveOne());

        Registered result = bench.register(slaveOne());

        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void another_address_under_the_smallest_id_is_no_change() {
        bench.register(actingMaster());
        bench.register(slaveOne());

        Registered result = bench.register(actingMaster().addr("10.0.0.9:10911"));

        assertThat(result.minBrokerIdChanges()).isEmpty();
    }

    @Test
    void a_lonely_slave_that_becomes_the_master_is_told_itself() {
        bench.register(slaveOne());

        Registered result = bench.register(slaveOne().id(0));

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 0, SLAVE_ADDR, Optional.of("10.0.0.2:10912"), Optional.empty(), List.of(SLAVE_ADDR)));
    }

    /** The original misses it: it looks for a smaller id only. */
    @Test
    void a_master_that_becomes_a_slave_under_its_own_address_is_told_as_a_departure() {
        bench.register(actingMaster());
        bench.register(slaveOne());

        Registered result = bench.register(actingMaster().id(2));

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER,
                        1,
                        SLAVE_ADDR,
                        Optional.empty(),
                        Optional.of(MASTER_ADDR),
                        List.of(SLAVE_ADDR, MASTER_ADDR)));
    }

    @Test
    void a_group_that_loses_its_smallest_id_to_another_name_is_told_as_a_departure() {
        bench.register(actingMaster());
        bench.register(slaveOne());

        Registered result = bench.register(otherMaster().addr(MASTER_ADDR));

        assertThat(result.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 1, SLAVE_ADDR, Optional.empty(), Optional.of(MASTER_ADDR), List.of(SLAVE_ADDR)));
    }

    @Test
    void several_departures_of_one_group_in_one_step_are_one_change() {
        bench.register(slaveTwo(), OTHER_CONNECTION);
        bench.register(slaveOne(), CONNECTION);
        bench.register(actingMaster(), CONNECTION);

        DepartureReport report = bench.routes.connectionClosed(CONNECTION);

        assertThat(report.minBrokerIdChanges())
                .containsExactly(new MinBrokerIdChange(
                        BROKER, 2, THIRD_ADDR, Optional.empty(), Optional.of(MASTER_ADDR), List.of(THIRD_ADDR)));
    }
}
