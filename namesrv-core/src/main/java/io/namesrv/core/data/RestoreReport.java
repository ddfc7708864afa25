package io.namesrv.core.data;

/**
 * What was restored.
 *
 * @param brokers registered processes, all of them provisional now
 * @param topics topics
 * @param skipped rows that contradict others or go beyond a limit, and were left out
 */
public record RestoreReport(int brokers, int topics, int skipped) {}
