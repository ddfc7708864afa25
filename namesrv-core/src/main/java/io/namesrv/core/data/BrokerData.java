package io.namesrv.core.data;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A broker group: the processes that share a broker name.
 *
 * @param cluster the cluster of its latest registration
 * @param brokerName its name, unique over all clusters
 * @param brokerAddrs id → host:port in rising order of ids, 0 = master; unmodifiable, never empty
 * @param enableActingMaster what the member with the smallest id announced
 * @param zoneName zone that the member with the smallest id announced, empty if none
 */
public record BrokerData(
        String cluster,
        String brokerName,
        SortedMap<Long, String> brokerAddrs,
        boolean enableActingMaster,
        String zoneName) {

    public BrokerData {
        brokerAddrs = Collections.unmodifiableSortedMap(new TreeMap<>(brokerAddrs));
        if (brokerAddrs.isEmpty()) {
            throw new IllegalArgumentException("broker group without an address: " + brokerName);
        }
    }

    public boolean hasMaster() {
        return brokerAddrs.containsKey(Master.ID);
    }

    /** The smallest id of the group. */
    public long minBrokerId() {
        return brokerAddrs.firstKey();
    }

    /** The address of the member with the smallest id. */
    public String minBrokerAddr() {
        return Objects.requireNonNull(brokerAddrs.get(brokerAddrs.firstKey()));
    }

    /** The same group with these members. */
    public BrokerData withAddrs(SortedMap<Long, String> addrs) {
        return new BrokerData(cluster, brokerName, addrs, enableActingMaster, zoneName);
    }

    /** The same group as a client sees it when the member with the smallest id stands in for the master. */
    public BrokerData withMinimumAsMaster() {
        SortedMap<Long, String> shown = new TreeMap<>(brokerAddrs);
        shown.put(Master.ID, shown.remove(shown.firstKey()));
        return withAddrs(shown);
    }
}
