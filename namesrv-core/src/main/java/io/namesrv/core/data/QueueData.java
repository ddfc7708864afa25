package io.namesrv.core.data;

/**
 * A topic's queues on one broker group, as declared or as shown.
 *
 * @param brokerName the group
 * @param readQueueNums number of queues to read from
 * @param writeQueueNums number of queues to write to
 * @param perm bits of {@link PermName}
 * @param topicSysFlag bits of {@link TopicSysFlag}
 */
public record QueueData(String brokerName, int readQueueNums, int writeQueueNums, int perm, int topicSysFlag) {
    public QueueData withPerm(int other) {
        return other == perm ? this : new QueueData(brokerName, readQueueNums, writeQueueNums, other, topicSysFlag);
    }
}
