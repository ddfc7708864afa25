package io.namesrv.core.route;

import static io.namesrv.core.route.Fixtures.BROKER;
import static io.namesrv.core.route.Fixtures.CLUSTER;
import static io.namesrv.core.route.Fixtures.MASTER_ADDR;
import static io.namesrv.core.route.Fixtures.OTHER_BROKER;
import static io.namesrv.core.route.Fixtures.OTHER_CLUSTER;
import static io.namesrv.core.route.Fixtures.SLAVE_ADDR;
import static io.namesrv.core.route.Fixtures.addrs;
import static io.namesrv.core.route.Fixtures.master;
import static io.namesrv.core.route.Fixtures.otherMaster;
import static io.namesrv.core.route.Fixtures.slave;
import static io.namesrv.core.route.Fixtures.topic;
import static io.namesrv.core.route.Fixtures.topicWithSysFlag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.core.data.BrokerMemberGroup;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.core.data.SystemTopics;
import io.namesrv.core.route.Fixtures.Bench;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The lists of topics, clusters and members. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TopicListsTest {
    private final Bench bench = new Bench();

    @Test
    void all_topics_are_listed_once() {
        bench.register(master());
        bench.register(otherMaster());

        assertThat(bench.routes.allTopicList()).containsExactlyInAnyOrder("orders", "TBW102");
    }

    @Test
    void a_clusters_topics_are_those_of_its_brokers_each_once() {
        bench.register(master());
        bench.register(otherMaster().topics(topic("orders"), topic("more")));
        bench.register(master().name("broker-c")
                .addr("10.0.0.9:10911")
                .cluster(OTHER_CLUSTER)
                .topics(topic("else"), topic("orders")));

        assertThat(bench.routes.topicsByCluster(CLUSTER)).containsExactlyInAnyOrder("orders", "TBW102", "more");
        assertThat(bench.routes.topicsByCluster(OTHER_CLUSTER)).containsExactlyInAnyOrder("orders", "else");
    }

    @Test
    void an_unknown_cluster_has_no_topics() {
        bench.register(master());

        assertThat(bench.routes.topicsByCluster("nowhere")).isEmpty();
    }

    @Test
    void system_topics_are_the_names_of_clusters_and_brokers_and_some_address() {
        bench.register(master());
        bench.register(slave());

        assertThat(bench.routes.systemTopicList())
                .isEqualTo(new SystemTopics(List.of(BROKER, CLUSTER), Optional.of(MASTER_ADDR)));
    }

    @Test
    void without_a_broker_there_are_no_system_topics_and_no_address() {
        assertThat(bench.routes.systemTopicList()).isEqualTo(new SystemTopics(List.of(), Optional.empty()));
    }

    @Test
    void a_cluster_named_like_a_broker_is_listed_once() {
        bench.register(master().cluster(BROKER));

        assertThat(bench.routes.systemTopicList().names()).containsExactly(BROKER);
    }

    @Test
    void unit_lists_go_by_the_bits_of_the_system_flag() {
        bench.register(master().topics(
                        topicWithSysFlag("plain", 0),
                        topicWithSysFlag("unit", 1),
                        topicWithSysFlag("unit-sub", 2),
                        topicWithSysFlag("both", 3)));

        assertThat(bench.routes.unitTopics()).containsExactlyInAnyOrder("unit", "both");
        assertThat(bench.routes.hasUnitSubTopicList()).containsExactlyInAnyOrder("unit-sub", "both");
        assertThat(bench.routes.hasUnitSubUnUnitTopicList()).containsExactly("unit-sub");
    }

    @Test
    void where_brokers_disagree_the_smallest_name_decides() {
        bench.register(otherMaster().topics(topicWithSysFlag("orders", 1), topic("else")));
        bench.register(master().topics(topicWithSysFlag("orders", 2), topic("else")));

        assertThat(bench.routes.unitTopics()).isEmpty();
        assertThat(bench.routes.hasUnitSubTopicList()).containsExactly("orders");
    }

    @Test
    void the_members_of_a_group_are_shown_under_the_cluster_that_was_asked_for() {
        bench.register(master());
        bench.register(slave());

        assertThat(bench.routes.brokerMemberGroup("any cluster", BROKER))
                .isEqualTo(new BrokerMemberGroup("any cluster", BROKER, addrs(0, MASTER_ADDR, 1, SLAVE_ADDR)));
    }

    @Test
    void an_unknown_group_has_no_members() {
        assertThat(bench.routes.brokerMemberGroup(CLUSTER, OTHER_BROKER))
                .isEqualTo(new BrokerMemberGroup(CLUSTER, OTHER_BROKER, new TreeMap<>()));
    }

    @Test
    void a_picture_of_the_clusters_cannot_be_changed_and_does_not_change() {
        bench.register(master());
        ClusterInfo answer = bench.routes.clusterInfo();

        bench.register(otherMaster());

        assertThat(answer.brokerAddrTable().keySet()).containsExactly(BROKER);
        assertThat(answer.clusterAddrTable().get(CLUSTER)).containsExactly(BROKER);
        assertThatThrownBy(() -> answer.brokerAddrTable().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> answer.clusterAddrTable().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
