package io.namesrv.core.data;

import java.util.SortedMap;
import java.util.SortedSet;

/**
 * All broker groups and clusters at one moment.
 *
 * @param brokerAddrTable broker name → group with its real ids
 * @param clusterAddrTable cluster → its broker names
 */
public record ClusterInfo(
        SortedMap<String, BrokerData> brokerAddrTable, SortedMap<String, SortedSet<String>> clusterAddrTable) {}
