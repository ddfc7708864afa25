package io.namesrv.core.route;

import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.data.TopicQueueMappingInfo;
import java.util.List;

/**
 * What rows take of the heap, in bytes, with their places in maps and indexes: on the safe side, so that the tables stay
 * below what they are said to take, whatever brokers register. Lists of queues are reckoned as if no two topics shared one.
 */
final class RowBytes {
    /** A topic's queues on one broker: their places in the topic's list, and the topic's in the broker's index. */
    static final long QUEUE = 28;

    /** Queues that are not equal to those of any other topic of their broker; equal ones are one object. */
    static final long DIFFERENT_QUEUE = 144;

    private static final long TOPIC = 152;
    private static final long BROKER = 1024;
    private static final long MAPPING = 384;
    private static final long MAPPED_QUEUE = 80;
    private static final long FILTER_SERVERS = 128;
    private static final long TEXT = 48;

    private RowBytes() {}

    /** A topic without its queues. */
    static long ofTopic(String topic) {
        return TOPIC + characters(topic);
    }

    /** A live row, with the broker's part of its group and of its connection. */
    static long of(BrokerLiveInfo broker) {
        return ofBroker(
                broker.clusterName(),
                broker.brokerName(),
                broker.brokerAddr(),
                broker.haServerAddr(),
                broker.zoneName());
    }

    /** The same of one that is not there yet. */
    static long ofBroker(String cluster, String name, String addr, String haServerAddr, String zone) {
        return BROKER
                + characters(cluster)
                + characters(name)
                + characters(addr)
                + characters(haServerAddr)
                + characters(zone);
    }

    /** A mapping, with its part of its topic. */
    static long of(TopicQueueMappingInfo mapping) {
        return MAPPING
                + characters(mapping.topic())
                + characters(mapping.scope())
                + MAPPED_QUEUE * mapping.currIdMap().size();
    }

    /** The filter servers of a broker. */
    static long ofFilterServers(List<String> addresses) {
        if (addresses.isEmpty()) {
            return 0;
        }
        long bytes = FILTER_SERVERS;
        for (String address : addresses) {
            bytes += TEXT + characters(address);
        }
        return bytes;
    }

    /** Two bytes each: what a text of any script may take. */
    private static long characters(String text) {
        return 2L * text.length();
    }
}
