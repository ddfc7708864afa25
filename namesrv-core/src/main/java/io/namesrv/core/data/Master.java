package io.namesrv.core.data;

/**
 * The master that a slave replicates from.
 *
 * @param brokerAddr its address
 * @param haServerAddr address of its replication service, empty if it announced none
 */
public record Master(String brokerAddr, String haServerAddr) {
    /** The broker id of a master. */
    public static final long ID = 0;
}
