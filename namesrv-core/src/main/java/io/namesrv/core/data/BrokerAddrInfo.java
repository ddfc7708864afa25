package io.namesrv.core.data;

import java.util.Comparator;

/**
 * The key of brokerLiveTable and filterServerTable, as in NameServer 5.x: one address within one cluster. Its
 * order lets hash maps find it quickly also among keys of the same hash code, which peers may choose.
 *
 * @param clusterName the cluster
 * @param brokerAddr host:port that clients connect to
 */
public record BrokerAddrInfo(String clusterName, String brokerAddr) implements Comparable<BrokerAddrInfo> {
    private static final Comparator<BrokerAddrInfo> ORDER =
            Comparator.comparing(BrokerAddrInfo::brokerAddr).thenComparing(BrokerAddrInfo::clusterName);

    @Override
    public int compareTo(BrokerAddrInfo other) {
        return ORDER.compare(this, other);
    }
}
