package io.namesrv.core.data;

/**
 * How a topic stands at one moment.
 *
 * @param topic rises with each change that could alter the topic's route; below 0 for a topic that no broker has
 * @param tables rises with each change of any table: as long as it is the same, so is {@code topic}
 */
public record TopicVersion(long topic, long tables) {}
