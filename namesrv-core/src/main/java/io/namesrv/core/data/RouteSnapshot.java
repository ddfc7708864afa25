package io.namesrv.core.data;

import java.util.List;

/**
 * All that the tables hold at one version: what is kept over a restart. Immutable.
 *
 * @param version the version of the tables
 * @param members the registered processes
 * @param topics the topics
 * @param mappings the mappings of static topics
 */
public record RouteSnapshot(
        long version, List<Member> members, List<Topic> topics, List<TopicQueueMappingInfo> mappings) {

    /**
     * A registered process, with flag and zone of its group.
     *
     * @param brokerId id within the group, 0 = master
     * @param haServerAddr host:port of the replication service, empty if none was announced
     * @param zoneName zone, empty if none
     * @param timeoutMillis the timeout that it announced
     * @param filterServers its filter servers, empty for none
     */
    public record Member(
            String clusterName,
            String brokerName,
            long brokerId,
            String brokerAddr,
            String haServerAddr,
            boolean enableActingMaster,
            String zoneName,
            long timeoutMillis,
            DataVersion dataVersion,
            List<String> filterServers) {

        /** What is kept of a live row. */
        public static Member of(BrokerLiveInfo row, List<String> filterServers) {
            return new Member(
                    row.clusterName(),
                    row.brokerName(),
                    row.brokerId(),
                    row.brokerAddr(),
                    row.haServerAddr(),
                    row.enableActingMaster(),
                    row.zoneName(),
                    row.timeoutMillis(),
                    row.dataVersion(),
                    filterServers);
        }
    }

    /** A topic and its queues, one row for each broker group. */
    public record Topic(String topic, List<TopicQueue> queues) {}
}
