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
    /** The queues of this topic on {@code brokerName}. */
    public QueueData queuesOn(String brokerName) {
        return new QueueData(brokerName, readQueueNums, writeQueueNums, perm, topicSysFlag);
    }
}
