package io.namesrv.core.data;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One step of the tables: what was changed, why and by whom. A step that changed nothing a client or operator can see,
 * such as a heartbeat or a repeated registration, has no edits and the version of the step before it.
 *
 * @param version version of the tables after the step, rising by one with each step that has edits
 * @param cause why
 * @param peer the connection whose request or end it was; absent for the scanner and for order configurations
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
        KV_CHANGED,
        /** The order configuration of topics was changed. */
        ORDER_CONFIG
    }

    /** One row, before and after; absent means that there was or is none. */
    public sealed interface Edit {}

    /** A row of brokerLiveTable. Times of heartbeats, and over which connection they come, are no change. */
    public record MemberEdit(Optional<BrokerLiveInfo> before, Optional<BrokerLiveInfo> after) implements Edit {
        /** Whether a route may tell the rows apart; all else that it shows of a member stands in its group. */
        boolean isOfGroup() {
            return before.isEmpty() || after.isEmpty() || !before.get().isSameInGroup(after.get());
        }
    }

    /** A row of brokerAddrTable. */
    public record GroupEdit(Optional<BrokerData> before, Optional<BrokerData> after) implements Edit {}

    /** A row of topicQueueTable. */
    public record QueueEdit(String topic, Optional<TopicQueue> before, Optional<TopicQueue> after) implements Edit {}

    /** A row of topicQueueMappingInfoTable. */
    public record MappingEdit(
            String topic, Optional<TopicQueueMappingInfo> before, Optional<TopicQueueMappingInfo> after)
            implements Edit {}

    /** A row of filterServerTable, of a member of the named group; empty means none. */
    public record FilterServerEdit(BrokerAddrInfo broker, String brokerName, List<String> before, List<String> after)
            implements Edit {}

    /** The order configuration of a topic, which stands in its answer and in none of the tables. */
    public record OrderEdit(String topic) implements Edit {}

    /** Whether the write permission of a broker is withheld from now on; a change of all its topics' answers. */
    public record WritePermEdit(String brokerName, boolean withheld) implements Edit {}

    public RouteChange {
        edits = List.copyOf(edits);
    }

    public boolean isEmpty() {
        return edits.isEmpty();
    }

    /**
     * Names the topics, and the broker groups, of which something is another now that a route may be made of; each maybe
     * several times. A topic's version moves only if it, or one of its groups, is among them.
     */
    public void forEachTouched(Consumer<String> topics, Consumer<String> brokerNames) {
        for (Edit edit : edits) {
            if (edit instanceof QueueEdit queue) {
                topics.accept(queue.topic());
            } else if (edit instanceof MappingEdit mapping) {
                topics.accept(mapping.topic());
            } else if (edit instanceof OrderEdit order) {
                topics.accept(order.topic());
            } else if (edit instanceof FilterServerEdit servers) {
                brokerNames.accept(servers.brokerName());
            } else if (edit instanceof GroupEdit group) {
                group.after().or(group::before).ifPresent(data -> brokerNames.accept(data.brokerName()));
            } else if (edit instanceof WritePermEdit perm) {
                brokerNames.accept(perm.brokerName());
            } else if (edit instanceof MemberEdit member && member.isOfGroup()) {
                member.after().or(member::before).ifPresent(row -> brokerNames.accept(row.brokerName()));
            }
        }
    }
}
