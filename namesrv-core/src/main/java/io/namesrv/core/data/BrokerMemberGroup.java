package io.namesrv.core.data;

import java.util.SortedMap;

/**
 * The members of a broker group, as code 901 tells them.
 *
 * @param cluster the cluster that was asked for; it is echoed, not checked
 * @param brokerName the group that was asked for
 * @param brokerAddrs id → address with the real ids, empty for an unknown group
 */
public record BrokerMemberGroup(String cluster, String brokerName, SortedMap<Long, String> brokerAddrs) {}
