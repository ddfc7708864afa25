package io.namesrv.core.data;

/** How sure the tables are that a registered broker lives. */
public enum BrokerStatus {
    /** Its last sign of life is younger than its timeout. */
    ALIVE,
    /** Silent for longer than its timeout; still shown to clients. */
    SUSPECT,
    /** Silent for longer still; no longer shown where clients choose brokers. */
    NOT_AVAILABLE,
    /**
     * Remembered from before a restart or a pause of this process, and not confirmed by a registration since. Clients are
     * shown it; replication, which must not be steered by a memory, is not.
     */
    PROVISIONAL
}
