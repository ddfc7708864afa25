package io.namesrv.core.data;

/**
 * The version of a broker's topic table, made by the broker. Two versions are compared for equality of all three
 * numbers; only {@code stateVersion} is ever compared for order, when two addresses claim one broker id.
 *
 * @param stateVersion the epoch of the broker's controller; 0 without a controller and for all 4.x brokers
 * @param timestamp wall milliseconds at the broker
 * @param counter number of changes since the broker's start
 */
public record DataVersion(long stateVersion, long timestamp, long counter) {
    /** What a registration without a body stands for. */
    public static final DataVersion NONE = new DataVersion(0, 0, 0);
}
