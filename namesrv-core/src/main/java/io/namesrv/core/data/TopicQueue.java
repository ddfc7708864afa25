package io.namesrv.core.data;

/**
 * A row of topicQueueTable: a topic's queues on one broker group as the broker declared them, and what an operator did
 * to their permission since.
 *
 * @param declared what the broker registered
 * @param mark what an operator did since
 * @param restored whether it is remembered from before a restart, and no registration has confirmed it since
 */
public record TopicQueue(QueueData declared, Mark mark, boolean restored) {
    /** An operator's mark on a row; a broker's next changed registration takes it off. */
    public enum Mark {
        /** As the broker declared it. */
        NONE,
        /** Code 205: shown without the write bit. */
        WIPED,
        /** Code 327 on a row that was not wiped: shown with the read and write bits. */
        ADDED,
        /** Code 205 on a row to which 327 had added: shown with the read bit, without the write bit. */
        ADDED_THEN_WIPED
    }

    /** A row that is no memory. */
    public TopicQueue(QueueData declared, Mark mark) {
        this(declared, mark, false);
    }

    /** The row as it is remembered after a restart. */
    public TopicQueue asRestored() {
        return restored ? this : new TopicQueue(declared, mark, true);
    }

    /** Whether the same is to be seen of both rows. */
    public boolean looksLike(TopicQueue other) {
        return declared.equals(other.declared) && mark == other.mark;
    }

    public String brokerName() {
        return declared.brokerName();
    }

    /** The permission with the operator's mark applied. */
    public int perm() {
        return switch (mark) {
            case NONE -> declared.perm();
            case WIPED -> PermName.withoutWrite(declared.perm());
            case ADDED -> declared.perm() | PermName.READ | PermName.WRITE;
            case ADDED_THEN_WIPED -> PermName.withoutWrite(declared.perm() | PermName.READ);
        };
    }

    /** The row without a mark. */
    public TopicQueue asDeclared() {
        return mark == Mark.NONE ? this : new TopicQueue(declared, Mark.NONE, restored);
    }

    /** The row after code 205: whatever was shown before loses the write bit alone. */
    public TopicQueue wiped() {
        return switch (mark) {
            case NONE -> new TopicQueue(declared, Mark.WIPED, restored);
            case ADDED -> new TopicQueue(declared, Mark.ADDED_THEN_WIPED, restored);
            case WIPED, ADDED_THEN_WIPED -> this;
        };
    }

    /**
     * The row after code 327: a wiped row is as declared again, any other one has the read and write bits. NameServer
     * 5.3.3 sets the permission to 6 in both cases; see docs/deviations.md, "Add write permission".
     */
    public TopicQueue writeAdded() {
        return switch (mark) {
            case NONE -> new TopicQueue(declared, Mark.ADDED, restored);
            case WIPED, ADDED_THEN_WIPED -> new TopicQueue(declared, Mark.NONE, restored);
            case ADDED -> this;
        };
    }
}
