package io.namesrv.core.data;

/**
 * How many brokers have been silent for longer than they may.
 *
 * @param expired those
 * @param all how many brokers there are
 */
public record Silence(int expired, int all) {}
