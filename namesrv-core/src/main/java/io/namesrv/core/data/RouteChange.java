package io.namesrv.core.data;

import java.util.List;
import java.util.Optional;

/**
 * One step of the tables: what was changed, why and by whom. A step that changed nothing a client or operator can see,
 * such as a heartbeat or a repeated registration, has no edits and the version of the step before it.
 *
 * @param version version of the tables after the step, rising by one with each step that has edits
 * @param cause why
 * @param peer the connection whose request or end it was; absent for the scanner
 * @param edits each row that changed, in order
 */
public record RouteChange(long version, Cause cause, Optional<ConnectionId> peer, List<Edit> edits) {
    /** Why a step was made. */
    public enum Cause {
        REGISTER,
        UNREGISTER,
        CONNECTION_CLOSED,
        EXPIRED,
        RECOVERED,
        RESTORED,
        PERM_WIPED,
        PERM_ADDED,
        TOPIC_REGISTERED,
        TOPIC_DELETED,
        /** The key/value settings that the tables follow were changed. */
        KV_CHANGED
    }

    /** One row, before and after; absent means that there was or is none. */
    public sealed interface Edit {}

    /** A row of brokerLiveTable. Times of heartbeats, and over which connection they come, are no change. */
    public record MemberEdit(Optional<BrokerLiveInfo> before, Optional<BrokerLiveInfo> after) implements Edit {}

    /** A row of brokerAddrTable. */
    public record GroupEdit(Optional<BrokerData> before, Optional<BrokerData> after) implements Edit {}

    /** A row of topicQueueTable. */
    public record QueueEdit(String topic, Optional<TopicQueue> before, Optional<TopicQueue> after) implements Edit {}

    /** A row of topicQueueMappingInfoTable. */
    public record MappingEdit(
            String topic, Optional<TopicQueueMappingInfo> before, Optional<TopicQueueMappingInfo> after)
            implements Edit {}

    /** A row of filterServerTable; empty means none. */
    public record FilterServerEdit(BrokerAddrInfo broker, List<String> before, List<String> after) implements Edit {}

    /** Whether the write permission of a broker is withheld from now on; a change of all its topics' answers. */
    public record WritePermEdit(String brokerName, boolean withheld) implements Edit {}

    public RouteChange {
        edits = List.copyOf(edits);
    }

    public boolean isEmpty() {
        return edits.isEmpty();
    }
}
