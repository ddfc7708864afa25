package io.namesrv.core.data;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The route of one topic, as a client is told it.
 *
 * @param queueDatas one per broker group that has the topic, in order of broker names
 * @param brokerDatas the groups themselves, in the same order
 * @param filterServerTable broker address → filter servers, only of brokers that have some
 * @param topicQueueMappingByBroker broker name → mapping, empty unless the topic is static
 */
public record TopicRouteData(
        List<QueueData> queueDatas,
        List<BrokerData> brokerDatas,
        Map<String, List<String>> filterServerTable,
        SortedMap<String, TopicQueueMappingInfo> topicQueueMappingByBroker) {}
