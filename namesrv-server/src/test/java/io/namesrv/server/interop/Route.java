package io.namesrv.server.interop;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a name server told about a topic.
 *
 * @param code 0, or why there is no route
 * @param addresses broker name to id to address
 * @param perms broker name to permission
 * @param mapped names of the brokers that have queues of a static topic now
 */
record Route(int code, Map<String, Map<Long, String>> addresses, Map<String, Integer> perms, Set<String> mapped) {
    static final Route NO_ANSWER = new Route(-1, Map.of(), Map.of(), Set.of());

    /** Every generation writes the ids of brokers as bare numbers. */
    private static final Pattern BARE_KEY = Pattern.compile("([{,])(\\d+):");

    private static final int WRITE = 2;

    static Route of(RawQuery.Answer answer) {
        Map<String, Map<Long, String>> addresses = new TreeMap<>();
        Map<String, Integer> perms = new TreeMap<>();
        Set<String> mapped = new TreeSet<>();
        if (answer.code() == 0) {
            JSONObject body = JSON.parseObject(BARE_KEY.matcher(answer.body()).replaceAll("$1\"$2\":"));
            for (Object each : body.getJSONArray("brokerDatas")) {
                JSONObject broker = (JSONObject) each;
                Map<Long, String> byId = new TreeMap<>();
                broker.getJSONObject("brokerAddrs")
                        .forEach((id, address) -> byId.put(Long.parseLong(id), (String) address));
                addresses.put(broker.getString("brokerName"), byId);
            }
            for (Object each : body.getJSONArray("queueDatas")) {
                JSONObject queues = (JSONObject) each;
                perms.put(queues.getString("brokerName"), queues.getIntValue("perm"));
            }
            JSONObject mappings = body.getJSONObject("topicQueueMappingByBroker");
            if (mappings != null) {
                mappings.forEach((broker, mapping) -> {
                    JSONObject current = ((JSONObject) mapping).getJSONObject("currIdMap");
                    if (current != null && !current.isEmpty()) {
                        mapped.add(broker);
                    }
                });
            }
        }
        return new Route(answer.code(), addresses, perms, mapped);
    }

    /** A producer finds somebody to send to: a master whose queues take messages. */
    boolean isWritable() {
        return perms.entrySet().stream()
                .anyMatch(queues -> (queues.getValue() & WRITE) != 0
                        && addresses.getOrDefault(queues.getKey(), Map.of()).containsKey(0L));
    }

    boolean isMaster(String address) {
        return addresses.values().stream().anyMatch(byId -> address.equals(byId.get(0L)));
    }

    boolean lists(String address) {
        return addresses.values().stream().anyMatch(byId -> byId.containsValue(address));
    }
}
