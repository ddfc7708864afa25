package io.namesrv.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Records are what they were made of, whatever becomes of the collections they were made from. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DataTest {
    @Test
    void a_group_without_an_address_cannot_be_made() {
        assertThatThrownBy(() -> new BrokerData("c", "broker-a", new TreeMap<>(), false, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broker group without an address: broker-a");
    }

    @Test
    void a_group_does_not_change_with_the_map_it_was_made_from() {
        SortedMap<Long, String> addrs = new TreeMap<>(Map.of(0L, "a"));
        BrokerData group = new BrokerData("c", "broker-a", addrs, false, "");

        addrs.put(1L, "b");

        assertThat(group.brokerAddrs()).isEqualTo(Map.of(0L, "a"));
    }

    @Test
    void a_stand_in_is_shown_under_the_masters_id_and_the_others_under_their_own() {
        BrokerData group = new BrokerData("c", "broker-a", new TreeMap<>(Map.of(1L, "a", 2L, "b")), true, "z");

        assertThat(group.withMinimumAsMaster())
                .isEqualTo(new BrokerData("c", "broker-a", new TreeMap<>(Map.of(0L, "a", 2L, "b")), true, "z"));
    }

    @Test
    void a_registration_does_not_change_with_the_lists_it_was_made_from() {
        List<TopicConfig> topics = new ArrayList<>(List.of(new TopicConfig("orders", 4, 4, 6, 0)));
        Set<String> skipped = new HashSet<>(Set.of("bad"));
        List<String> filterServers = new ArrayList<>(List.of("f"));
        TopicTable table = new TopicTable(DataVersion.NONE, 2, topics, skipped, List.of());
        FilterServers stated = new FilterServers(true, filterServers);

        topics.clear();
        skipped.clear();
        filterServers.clear();

        assertThat(table)
                .isEqualTo(new TopicTable(
                        DataVersion.NONE, 2, List.of(new TopicConfig("orders", 4, 4, 6, 0)), Set.of("bad"), List.of()));
        assertThat(stated).isEqualTo(new FilterServers(true, List.of("f")));
    }
}
