package io.namesrv.core.data;

/** How sure the tables are that a registered broker lives. */
public enum BrokerStatus {
    /** Its last sign of life is younger than its timeout. */
    ALIVE,
    /** Found silent for longer than its timeout, once; still shown to clients. */
    SUSPECT,
    /** Found silent, and to be removed if it is found so once more; no longer shown where clients choose brokers. */
    NOT_AVAILABLE,
    /**
     * Remembered from before a restart or a pause of this process, and not confirmed by a registration since. Clients are
     * shown it; replication, which must not be steered by a memory, is not.
     */
    PROVISIONAL;

    /** Whether replication may be steered by it: the other brokers of its group are told of it. */
    public boolean isAvailable() {
        return this == ALIVE || this == SUSPECT;
    }

    /** Whether clients are shown it. */
    public boolean isShown() {
        return this != NOT_AVAILABLE;
    }
}
