package io.namesrv.core.data;

import java.util.Map;
import java.util.OptionalLong;

/**
 * The tables in numbers.
 *
 * @param version of the tables
 * @param sizes how many rows they have
 * @param states how many brokers are in each state; all states are in it
 * @param oldestSeen the earliest last sign of life of a broker that is not only remembered, in milliseconds of the tables' clock
 * @param bytes what all rows together take of the heap, about
 */
public record TableStatus(
        long version, TableSizes sizes, Map<BrokerStatus, Integer> states, OptionalLong oldestSeen, long bytes) {
    /** Of empty tables. */
    public static final TableStatus NONE =
            new TableStatus(0, new TableSizes(0, 0, 0, 0), Map.of(), OptionalLong.empty(), 0);

    public TableStatus {
        states = Map.copyOf(states);
    }

    /** How many brokers are in a state. */
    public int in(BrokerStatus state) {
        return states.getOrDefault(state, 0);
    }
}
