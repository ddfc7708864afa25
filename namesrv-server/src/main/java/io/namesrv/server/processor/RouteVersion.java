package io.namesrv.server.processor;

/**
 * The version of a topic's route as callers are told it, {@code epoch-number}: to them a text that is the same as long as
 * nothing could have altered the answer.
 *
 * @param epoch see {@link RouteEpoch}
 * @param number see {@link io.namesrv.core.data.TopicVersion#topic()}
 */
record RouteVersion(String epoch, long number) {
    /** Whether nothing could have altered the answer between the two; of a topic that is in no table all are alike. */
    boolean saysTheSameAs(RouteVersion other) {
        boolean bothAway = number < 0 && other.number < 0;
        return (bothAway || number == other.number) && epoch.equals(other.epoch);
    }

    @Override
    public String toString() {
        return epoch + "-" + number;
    }
}
