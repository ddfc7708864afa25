package io.namesrv.core.data;

import java.util.List;
import java.util.Set;

/**
 * One request 103, checked and decoded.
 *
 * @param clusterName cluster
 * @param brokerName group
 * @param brokerId id within the group, from 0
 * @param brokerAddr host:port that clients connect to
 * @param haServerAddr host:port of the replication service, empty if none
 * @param actingMaster whether a slave of the group may act as master; unsaid by 4.x brokers
 * @param zoneName zone, empty if none
 * @param timeoutMillis silence after which this registration expires
 * @param table the topic table it carries
 * @param filterServers what it says about filter servers
 */
public record Registration(
        String clusterName,
        String brokerName,
        long brokerId,
        String brokerAddr,
        String haServerAddr,
        ActingMaster actingMaster,
        String zoneName,
        long timeoutMillis,
        TopicTable table,
        FilterServers filterServers) {

    /**
     * The topic table of a registration.
     *
     * @param dataVersion its version
     * @param size number of entries in the body, those that were skipped included
     * @param topics the topics
     * @param skipped names of topics that the body has but that broke a rule; they are neither written nor removed
     * @param mappings mappings of static topics
     */
    public record TopicTable(
            DataVersion dataVersion,
            int size,
            List<TopicConfig> topics,
            Set<String> skipped,
            List<TopicQueueMappingInfo> mappings) {
        /** What a registration without a body stands for. */
        public static final TopicTable NONE = new TopicTable(DataVersion.NONE, 0, List.of(), Set.of(), List.of());

        public TopicTable {
            topics = List.copyOf(topics);
            skipped = Set.copyOf(skipped);
            mappings = List.copyOf(mappings);
        }

        /** What a log tells of it. */
        public TopicSummary summary() {
            return new TopicSummary(
                    topics.size(),
                    size - topics.size(),
                    skipped.stream().findFirst().orElse(""));
        }
    }

    /**
     * A topic table in short.
     *
     * @param topics number of topics
     * @param skipped number of entries that broke a rule
     * @param oneSkipped name of one of these, empty if none has a name
     */
    public record TopicSummary(int topics, int skipped, String oneSkipped) {}

    /**
     * The filter servers of a registration.
     *
     * @param stated false for bodies older than release 3.0.11, which cannot carry any: then those known stay
     * @param addresses the filter servers; empty takes those known away
     */
    public record FilterServers(boolean stated, List<String> addresses) {
        /** No filter servers; those known go. */
        public static final FilterServers NONE = new FilterServers(true, List.of());
        /** Nothing said; those known stay. */
        public static final FilterServers UNSTATED = new FilterServers(false, List.of());

        public FilterServers {
            addresses = List.copyOf(addresses);
        }
    }

    public boolean isMaster() {
        return brokerId == Master.ID;
    }

    public BrokerAddrInfo key() {
        return new BrokerAddrInfo(clusterName, brokerAddr);
    }
}
