package io.namesrv.core.data;

import java.util.List;
import java.util.Optional;

/**
 * A group's smallest broker id is another one than before, and some of its brokers ought to be told (code 905).
 *
 * @param brokerName the group
 * @param minBrokerId its smallest id now
 * @param minBrokerAddr the address of that member
 * @param haServerAddr replication address of that member; said when it has just come
 * @param offlineBrokerAddr address of the member that was the smallest; said when it has gone
 * @param recipients addresses to tell
 */
public record MinBrokerIdChange(
        String brokerName,
        long minBrokerId,
        String minBrokerAddr,
        Optional<String> haServerAddr,
        Optional<String> offlineBrokerAddr,
        List<String> recipients) {

    public MinBrokerIdChange {
        recipients = List.copyOf(recipients);
    }
}
