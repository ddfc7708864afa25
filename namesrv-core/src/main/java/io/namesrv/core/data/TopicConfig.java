package io.namesrv.core.data;

/**
 * One topic of a registration.
 *
 * @param topicName its name
 * @param readQueueNums number of queues to read from
 * @param writeQueueNums number of queues to write to
 * @param perm bits of {@link PermName}
 * @param topicSysFlag bits of {@link TopicSysFlag}
 */
public record TopicConfig(String topicName, int readQueueNums, int writeQueueNums, int perm, int topicSysFlag) {
    /** The same of another topic. */
    public TopicConfig named(String other) {
        return new TopicConfig(other, readQueueNums, writeQueueNums, perm, topicSysFlag);
    }

    /** Whether a row says just this. */
    public boolean isDeclaredBy(QueueData row) {
        return row.readQueueNums() == readQueueNums
                && row.writeQueueNums() == writeQueueNums
                && row.perm() == perm
                && row.topicSysFlag() == topicSysFlag;
    }

    /** The queues of this topic on {@code brokerName}. */
    public QueueData queuesOn(String brokerName) {
        return new QueueData(brokerName, readQueueNums, writeQueueNums, perm, topicSysFlag);
    }
}
