package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.TopicRouteData;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ZoneFilterTest {
    private static BrokerData group(String name, long id, String zone) {
        return new BrokerData("C", name, new TreeMap<>(Map.of(id, name + ":1")), false, zone);
    }

    private static QueueData queue(String name) {
        return new QueueData(name, 4, 4, 6, 0);
    }

    private static final BrokerData HERE = group("here", 0, "z1");
    private static final BrokerData THERE = group("there", 0, "z2");
    private static final BrokerData MASTERLESS = group("masterless", 1, "z2");

    private static final TopicRouteData ROUTE = new TopicRouteData(
            List.of(queue("here"), queue("masterless"), queue("there")),
            List.of(HERE, MASTERLESS, THERE),
            Map.of("here:1", List.of("f:1"), "there:1", List.of("f:2")),
            new TreeMap<>());

    @Test
    void groups_of_other_zones_go_with_their_queues_and_filter_servers() {
        assertThat(ZoneFilter.narrow(ROUTE, "Z1"))
                .isEqualTo(new TopicRouteData(
                        List.of(queue("here"), queue("masterless")),
                        List.of(HERE, MASTERLESS),
                        Map.of("here:1", List.of("f:1")),
                        new TreeMap<>()));
    }

    @Test
    void nothing_may_be_left() {
        TopicRouteData route = new TopicRouteData(List.of(queue("there")), List.of(THERE), Map.of(), new TreeMap<>());

        assertThat(ZoneFilter.narrow(route, "z1"))
                .isEqualTo(new TopicRouteData(List.of(), List.of(), Map.of(), new TreeMap<>()));
    }
}
