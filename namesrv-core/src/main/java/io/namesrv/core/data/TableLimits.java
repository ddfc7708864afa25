package io.namesrv.core.data;

/**
 * The most rows that the route tables take in. What is there stays and can be renewed, whatever the limits.
 *
 * @param topics topics with queues, and as many static topics
 * @param topicsPerBroker topics of one broker name
 * @param brokers broker processes
 * @param brokersPerGroup broker processes of one name
 * @param brokersPerConnection broker processes whose last registration came over one connection
 * @param clusters clusters
 * @param bytes what all rows together take of the heap, about
 */
public record TableLimits(
        int topics,
        int topicsPerBroker,
        int brokers,
        int brokersPerGroup,
        int brokersPerConnection,
        int clusters,
        long bytes) {
    /** No limits. */
    public static final TableLimits NONE = new TableLimits(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE);
}
