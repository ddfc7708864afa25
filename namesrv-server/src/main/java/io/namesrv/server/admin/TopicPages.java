package io.namesrv.server.admin;

import io.namesrv.core.data.BrokerData;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.data.TopicState;
import io.namesrv.core.data.VersionedRoute;
import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Topics, and what a client gets of one. */
final class TopicPages {
    private static final int SIMILAR_MAX = 5;

    private final RouteInfoManager routes;
    private final TablesView tables;
    private final KVConfigManager kvConfig;
    private final BooleanSupplier supportActingMaster;

    TopicPages(
            RouteInfoManager routes, TablesView tables, KVConfigManager kvConfig, BooleanSupplier supportActingMaster) {
        this.routes = routes;
        this.tables = tables;
        this.kvConfig = kvConfig;
        this.supportActingMaster = supportActingMaster;
    }

    void addTo(Endpoints endpoints) {
        endpoints.add("/api/v1/topics", this::topics).add("/api/v1/topics/*", this::topic);
    }

    private AdminAnswer topics(AdminRequest request) throws AdminException {
        TablesView.Copied<List<TopicState>> all = tables.versionedTopics();
        String tag = tables.tag(all);
        if (tag.equals(request.headers().get(HttpHeaderNames.IF_NONE_MATCH))) {
            return AdminAnswer.notModified().with("ETag", tag);
        }
        Optional<String> kind = request.parameter("kind");
        List<TopicState> found = all.value().stream()
                .filter(topic -> Paging.matches(request, topic.topic()))
                .filter(topic -> kind.isEmpty() || kind.get().equals(kind(topic.topic())))
                .toList();
        return Paging.page(request, found, TopicPages::inShort).with("ETag", tag);
    }

    private static Map<String, Object> inShort(TopicState topic) {
        Map<String, Object> shown = new LinkedHashMap<>();
        int write = 0;
        int read = 0;
        int perm = 0;
        for (TopicQueue queue : topic.queues()) {
            write += queue.declared().writeQueueNums();
            read += queue.declared().readQueueNums();
            perm |= queue.perm();
        }
        shown.put("topic", topic.topic());
        shown.put("brokers", topic.queues().size());
        shown.put("writeQueues", write);
        shown.put("readQueues", read);
        shown.put("perm", words(perm));
        shown.put("kind", kind(topic.topic()));
        shown.put("version", topic.version());
        return shown;
    }

    /** The bits for reading and writing, in letters. */
    private static String words(int perm) {
        return ((perm & 4) == 0 ? "" : "R") + ((perm & 2) == 0 ? "" : "W");
    }

    private static String kind(String topic) {
        if (topic.startsWith("%RETRY%")) {
            return "retry";
        }
        if (topic.startsWith("%DLQ%")) {
            return "dlq";
        }
        boolean system = topic.startsWith("rmq_sys_")
                || topic.startsWith("RMQ_SYS_")
                || topic.equals("TBW102")
                || topic.equals("SCHEDULE_TOPIC_XXXX")
                || topic.equals("BenchmarkTest")
                || topic.equals("OFFSET_MOVED_EVENT")
                || topic.equals("SELF_TEST_TOPIC");
        return system ? "system" : "normal";
    }

    private AdminAnswer topic(AdminRequest request) throws AdminException {
        String name = request.path().get(3);
        VersionedRoute route = routes.versionedRoute(name, supportActingMaster.getAsBoolean());
        TopicRouteData data = route.route().orElse(null);
        if (data == null) {
            throw AdminException.notFound(
                    "topic_not_found",
                    "no broker has a topic of this name that a client would be shown",
                    similar(name));
        }
        Map<String, TopicQueue> declared = new LinkedHashMap<>();
        routes.topic(name).ifPresent(topic -> topic.queues().forEach(queue -> declared.put(queue.brokerName(), queue)));
        List<Object> queues = new ArrayList<>();
        data.queueDatas().forEach(queue -> {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            TopicQueue asDeclared = declared.get(queue.brokerName());
            one.put("broker", queue.brokerName());
            one.put("write", queue.writeQueueNums());
            one.put("read", queue.readQueueNums());
            one.put("perm", queue.perm());
            one.put(
                    "declaredPerm",
                    asDeclared == null ? null : asDeclared.declared().perm());
            one.put("sysFlag", queue.topicSysFlag());
            queues.add(one);
        });
        List<Object> brokers = new ArrayList<>();
        for (BrokerData group : data.brokerDatas()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("cluster", group.cluster());
            one.put("name", group.brokerName());
            Map<String, String> addrs = new LinkedHashMap<>();
            group.brokerAddrs().forEach((id, addr) -> addrs.put(Long.toString(id), addr));
            one.put("addrs", addrs);
            brokers.add(one);
        }
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("topic", name);
        shown.put("version", route.version().topic());
        shown.put("kind", kind(name));
        shown.put("queues", queues);
        shown.put("brokers", brokers);
        shown.put(
                "orderConf",
                kvConfig.getKVConfig(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG, name)
                        .orElse(null));
        return AdminAnswer.json(shown);
    }

    /** What somebody may have meant: names that differ in the case of letters, or begin or end alike. */
    private String similar(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        List<String> names = tables.topics().stream()
                .map(TopicState::topic)
                .filter(topic -> topic.toLowerCase(Locale.ROOT).contains(wanted)
                        || (topic.length() > 2 && wanted.contains(topic.toLowerCase(Locale.ROOT))))
                .limit(SIMILAR_MAX)
                .toList();
        return names.isEmpty() ? "no topic has a similar name" : "similar names: " + String.join(", ", names);
    }
}
