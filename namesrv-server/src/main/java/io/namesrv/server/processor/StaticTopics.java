package io.namesrv.server.processor;

import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the mapping of a static topic, as brokers since 5.0.0 write it; null counts as missing. */
public final class StaticTopics {
    private StaticTopics() {}

    /**
     * Takes the mapping that the cursor stands at.
     *
     * @param queue told of each of its queues
     */
    public static TopicQueueMappingInfo mapping(JsonCursor json, Runnable queue) {
        String topic = "";
        String scope = "__global__";
        int totalQueues = 0;
        String bname = "";
        long epoch = 0;
        boolean dirty = false;
        SortedMap<Integer, Integer> currIdMap = new TreeMap<>();
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "topic" -> topic = json.stringOrText();
                case "scope" -> scope = json.stringOrText();
                case "totalQueues" -> totalQueues = json.intValue();
                case "bname" -> bname = json.stringOrText();
                case "epoch" -> epoch = json.longValue();
                case "dirty" -> dirty = json.booleanValue();
                case "currIdMap" -> ids(json, currIdMap, queue);
                default -> json.skip();
            }
        }
        return new TopicQueueMappingInfo(topic, scope, totalQueues, bname, epoch, dirty, currIdMap);
    }

    private static void ids(JsonCursor json, SortedMap<Integer, Integer> into, Runnable queue) {
        json.beginObject();
        while (json.nextMember()) {
            String id = json.name();
            if (json.tryNull()) {
                continue;
            }
            queue.run();
            int physical = json.intValue();
            try {
                into.put(Integer.valueOf(id), physical);
            } catch (NumberFormatException e) {
                throw new JsonFormatException("malformed JSON: a queue id is expected in currIdMap");
            }
        }
    }
}
