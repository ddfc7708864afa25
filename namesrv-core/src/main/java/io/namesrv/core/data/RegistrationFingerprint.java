package io.namesrv.core.data;

/**
 * What a request 103 is known again by without its topic table having been read. Of two that are equal every field of the
 * header is the same, and so is the body, as far as a hash can tell that nobody outside this process can compute.
 *
 * @param clusterName cluster
 * @param brokerName group
 * @param brokerAddr host:port that clients connect to
 * @param content all the rest; the tables but ask whether it {@linkplain Object#equals is equal}
 */
public record RegistrationFingerprint(String clusterName, String brokerName, String brokerAddr, Object content) {
    public BrokerAddrInfo key() {
        return new BrokerAddrInfo(clusterName, brokerAddr);
    }
}
