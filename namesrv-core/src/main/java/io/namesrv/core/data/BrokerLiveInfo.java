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
 * @param misses scans in a row that found it silent for longer than its timeout
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
        BrokerStatus state,
        int misses) {

    public BrokerAddrInfo key() {
        return new BrokerAddrInfo(clusterName, brokerAddr);
    }

    /**
     * The same row after a sign of life at {@code now}. Only a registration makes a provisional one alive, and on one that
     * was restored nothing else has any effect.
     */
    public BrokerLiveInfo seenAt(long now) {
        if (isRestored()) {
            return this;
        }
        return with(now, isProvisional() ? BrokerStatus.PROVISIONAL : BrokerStatus.ALIVE, 0);
    }

    /** The same row once it is but remembered, as if it had been seen for the last time at {@code since}. */
    public BrokerLiveInfo provisionalSince(long since) {
        return with(since, BrokerStatus.PROVISIONAL, 0);
    }

    /** The same row after a scan that judged it so. */
    public BrokerLiveInfo judged(BrokerStatus status, int missesNow) {
        return with(lastSeen, status, missesNow);
    }

    /** Whether it was remembered over a restart of this process, and has not registered since. */
    public boolean isRestored() {
        return connection.equals(ConnectionId.NONE);
    }

    /** Whether the same is to be seen of its group whichever of the two is in it. */
    public boolean isSameInGroup(BrokerLiveInfo other) {
        return state == other.state
                && enableActingMaster == other.enableActingMaster
                && zoneName.equals(other.zoneName);
    }

    /** Whether it is but remembered. */
    public boolean isProvisional() {
        return state == BrokerStatus.PROVISIONAL;
    }

    /** The same row after a registration that repeats the last one, over the same connection. */
    public BrokerLiveInfo registeredAgain(long now, long number) {
        return with(now, number, BrokerStatus.ALIVE, 0);
    }

    private BrokerLiveInfo with(long seen, BrokerStatus status, int missesNow) {
        return with(seen, registration, status, missesNow);
    }

    private BrokerLiveInfo with(long seen, long number, BrokerStatus status, int missesNow) {
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
                number,
                status,
                missesNow);
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
                state,
                misses);
    }

    /** Milliseconds of silence at {@code now}. */
    public long silentMillis(long now) {
        return now - lastSeen;
    }
}
