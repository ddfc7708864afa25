package io.namesrv.core.data;

/**
 * How much the tables hold.
 *
 * @param clusters clusters
 * @param groups broker groups
 * @param brokers broker processes
 * @param topics topics
 */
public record TableSizes(int clusters, int groups, int brokers, int topics) {}
