package io.namesrv.core.data;

/**
 * A row of brokerLiveTable: one registered broker process.
 *
 * <p>{@code registration} and {@code connection} are the row's identity: whoever wants to remove a broker because of an
 * earlier event names them, and the row stays if it has changed hands since.
 *
 * @param clusterName cluster of the group
 * @param brokerName name of the group
 * @param brokerId id within the group, 0 = master
 * @param brokerAddr host:port that clients connect to
 * @param haServerAddr host:port of the replication service, empty if none was announced
 * @param enableActingMaster whether this member announced that a slave of its group may act as master
 * @param zoneName zone this member announced, empty if none
 * @param dataVersion version of the topic table it registered last
 * @param lastSeen {@link io.namesrv.core.Ticker} milliseconds of its last accepted sign of life
 * @param timeoutMillis silence after which it is expired
 * @param connection the connection its last registration came over
 * @param registration number of its last accepted registration, counted over the whole table
 * @param state liveness
 */
public record BrokerLiveInfo(
        String clusterName,
        String brokerName,
        long brokerId,
        String brokerAddr,
        String haServerAddr,
        boolean enableActingMaster,
        String zoneName,
        DataVersion dataVersion,
        long lastSeen,
        long timeoutMillis,
        ConnectionId connection,
        long registration,
        BrokerStatus state) {

    public BrokerAddrInfo key() {
        return new BrokerAddrInfo(clusterName, brokerAddr);
    }

    /** The same row after a sign of life at {@code now}; only a registration makes a provisional one alive. */
    public BrokerLiveInfo seenAt(long now) {
        return with(now, isProvisional() ? BrokerStatus.PROVISIONAL : BrokerStatus.ALIVE);
    }

    /** The same row once it is but remembered, as if it had been seen for the last time at {@code since}. */
    public BrokerLiveInfo provisionalSince(long since) {
        return with(since, BrokerStatus.PROVISIONAL);
    }

    /** Whether it is but remembered. */
    public boolean isProvisional() {
        return state == BrokerStatus.PROVISIONAL;
    }

    private BrokerLiveInfo with(long seen, BrokerStatus status) {
        return new BrokerLiveInfo(
                clusterName,
                brokerName,
                brokerId,
                brokerAddr,
                haServerAddr,
                enableActingMaster,
                zoneName,
                dataVersion,
                seen,
                timeoutMillis,
                connection,
                registration,
                status);
    }

    /** The same row in another cluster, for a group that moves. */
    public BrokerLiveInfo inCluster(String cluster) {
        return new BrokerLiveInfo(
                cluster,
                brokerName,
                brokerId,
                brokerAddr,
                haServerAddr,
                enableActingMaster,
                zoneName,
                dataVersion,
                lastSeen,
                timeoutMillis,
                connection,
                registration,
                state);
    }

    /** Milliseconds of silence at {@code now}. */
    public long silentMillis(long now) {
        return now - lastSeen;
    }
}
