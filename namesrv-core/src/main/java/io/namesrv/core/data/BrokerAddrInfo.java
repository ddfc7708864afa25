package io.namesrv.core.data;

/**
 * The key of brokerLiveTable and filterServerTable, as in NameServer 5.x: one address within one cluster.
 *
 * @param clusterName the cluster
 * @param brokerAddr host:port that clients connect to
 */
public record BrokerAddrInfo(String clusterName, String brokerAddr) {}
