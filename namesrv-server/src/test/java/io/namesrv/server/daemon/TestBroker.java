package io.namesrv.server.daemon;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A broker as it announces itself; a master of 4.9.7 with two topics unless it is told otherwise.
 *
 * @param fields of its registration beyond its identity
 * @param dataVersion as JSON
 * @param wrapper more members of topicConfigSerializeWrapper, each with a comma before it
 */
record TestBroker(
        String cluster,
        String name,
        long id,
        String addr,
        Map<String, String> fields,
        String dataVersion,
        List<Topic> topics,
        List<String> filterServers,
        String wrapper) {

    record Topic(String name, int read, int write, int perm, int sysFlag) {
        Topic(String name) {
            this(name, 4, 4, 6, 0);
        }

        Topic perm(int other) {
            return new Topic(name, read, write, other, sysFlag);
        }

        Topic sysFlag(int other) {
            return new Topic(name, read, write, perm, other);
        }

        Topic queues(int number) {
            return new Topic(name, number, number, perm, sysFlag);
        }

        private String json() {
            return """
                    "%s":{"order":false,"perm":%d,"readQueueNums":%d,"topicFilterType":"SINGLE_TAG","topicName":"%s",\
                    "topicSysFlag":%d,"writeQueueNums":%d}""".formatted(name, perm, read, name, sysFlag, write);
        }
    }

    static final String ADDR = "10.0.0.1:10911";
    static final String HA = "10.0.0.1:10912";
    static final String SLAVE_ADDR = "10.0.0.2:10911";

    static TestBroker master() {
        return new TestBroker(
                "c1",
                "b1",
                0,
                ADDR,
                Map.of("haServerAddr", HA),
                dataVersion(0, 1_700_000_000_000L, 1),
                List.of(new Topic("t1"), new Topic("t2")),
                List.of(),
                "");
    }

    /** A slave of the same group. */
    static TestBroker slave() {
        return master().id(1).addr(SLAVE_ADDR).with("haServerAddr", "10.0.0.2:10912");
    }

    /** A master of its own group at its own address, with topics of its own. */
    static TestBroker numbered(int number) {
        return master().name("b" + number)
                .addr("10.1." + number / 250 + "." + (1 + number % 250) + ":10911")
                .topics(new Topic("t" + number + "a"), new Topic("t" + number + "b"));
    }

    static String dataVersion(long stateVersion, long timestamp, long counter) {
        return "{\"counter\":%d,\"stateVersion\":%d,\"timestamp\":%d}".formatted(counter, stateVersion, timestamp);
    }

    TestBroker cluster(String other) {
        return new TestBroker(other, name, id, addr, fields, dataVersion, topics, filterServers, wrapper);
    }

    TestBroker name(String other) {
        return new TestBroker(cluster, other, id, addr, fields, dataVersion, topics, filterServers, wrapper);
    }

    TestBroker id(long other) {
        return new TestBroker(cluster, name, other, addr, fields, dataVersion, topics, filterServers, wrapper);
    }

    TestBroker addr(String other) {
        return new TestBroker(cluster, name, id, other, fields, dataVersion, topics, filterServers, wrapper);
    }

    TestBroker with(String field, Object value) {
        Map<String, String> changed = new TreeMap<>(fields);
        changed.put(field, value.toString());
        return new TestBroker(cluster, name, id, addr, changed, dataVersion, topics, filterServers, wrapper);
    }

    TestBroker counter(long counter) {
        return version(dataVersion(0, 1_700_000_000_000L, counter));
    }

    TestBroker stateVersion(long stateVersion) {
        return version(dataVersion(stateVersion, 1_700_000_000_000L, 1));
    }

    TestBroker version(String other) {
        return new TestBroker(cluster, name, id, addr, fields, other, topics, filterServers, wrapper);
    }

    TestBroker topics(Topic... others) {
        return new TestBroker(cluster, name, id, addr, fields, dataVersion, List.of(others), filterServers, wrapper);
    }

    TestBroker filterServers(String... others) {
        return new TestBroker(cluster, name, id, addr, fields, dataVersion, topics, List.of(others), wrapper);
    }

    /** With the mapping of a static topic. */
    TestBroker mapping(String mapping) {
        String infos = ",\"topicQueueMappingInfoMap\":{\"t1\":" + mapping + "}";
        return new TestBroker(cluster, name, id, addr, fields, dataVersion, topics, filterServers, infos);
    }

    Request register() {
        Request request = identified(103).body(body());
        for (Map.Entry<String, String> field : fields.entrySet()) {
            request = request.with(field.getKey(), field.getValue());
        }
        return request;
    }

    private String body() {
        String servers = filterServers.stream().map(s -> '"' + s + '"').collect(Collectors.joining(","));
        String table = topics.stream().map(Topic::json).collect(Collectors.joining(","));
        return """
                {"filterServerList":[%s],"topicConfigSerializeWrapper":{"dataVersion":%s,"topicConfigTable":{%s}%s}}""".formatted(servers, dataVersion, table, wrapper);
    }

    Request unregister() {
        return identified(104);
    }

    Request queryDataVersion() {
        return identified(322).body(dataVersion);
    }

    Request heartbeat() {
        return identified(904);
    }

    private Request identified(int code) {
        return Request.of(code)
                .with("clusterName", cluster)
                .with("brokerName", name)
                .with("brokerId", id)
                .with("brokerAddr", addr);
    }
}
