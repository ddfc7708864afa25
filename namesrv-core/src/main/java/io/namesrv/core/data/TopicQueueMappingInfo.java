package io.namesrv.core.data;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which logical queues of a static topic one broker group holds (5.x).
 *
 * @param topic the topic
 * @param scope scope of the mapping, {@code __global__} as a rule
 * @param totalQueues number of logical queues of the topic
 * @param bname the broker group
 * @param epoch version of the mapping; a smaller one never replaces a greater one
 * @param dirty as the broker said
 * @param currIdMap logical queue id → physical queue id, rising order, unmodifiable
 */
public record TopicQueueMappingInfo(
        String topic,
        String scope,
        int totalQueues,
        String bname,
        long epoch,
        boolean dirty,
        SortedMap<Integer, Integer> currIdMap) {

    public TopicQueueMappingInfo {
        currIdMap = Collections.unmodifiableSortedMap(new TreeMap<>(currIdMap));
    }
}
