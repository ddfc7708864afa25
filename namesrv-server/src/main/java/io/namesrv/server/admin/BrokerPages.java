package io.namesrv.server.admin;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.BrokerLiveInfo;
import io.namesrv.core.route.RouteInfoManager;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Clusters, groups and brokers. */
final class BrokerPages {
    private final RouteInfoManager routes;
    private final TablesView tables;
    private final Ticker ticker;
    private final Clock clock;

    /**
     * Makes them.
     *
     * @param ticker the milliseconds in which brokers were seen
     */
    BrokerPages(RouteInfoManager routes, TablesView tables, Ticker ticker, Clock clock) {
        this.routes = routes;
        this.tables = tables;
        this.ticker = ticker;
        this.clock = clock;
    }

    void addTo(Endpoints endpoints) {
        endpoints
                .add("/api/v1/clusters", this::clusters)
                .add("/api/v1/clusters/*", this::cluster)
                .add("/api/v1/brokers", this::brokers)
                .add("/api/v1/brokers/*", this::group);
    }

    private AdminAnswer clusters(AdminRequest request) throws AdminException {
        List<String> names = tables.clusters().clusterAddrTable().keySet().stream()
                .filter(name -> Paging.matches(request, name))
                .toList();
        return Paging.page(request, names, this::cluster);
    }

    private Map<String, @Nullable Object> cluster(String name) {
        Map<String, Integer> states = new TreeMap<>();
        int brokers = 0;
        for (BrokerLiveInfo row : tables.brokers()) {
            if (row.clusterName().equals(name)) {
                brokers++;
                states.merge(row.state().name(), 1, Integer::sum);
            }
        }
        SortedSet<String> groups = tables.clusters().clusterAddrTable().get(name);
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        shown.put("groups", groups == null ? 0 : groups.size());
        shown.put("brokers", brokers);
        shown.put("topics", tables.topicsOfCluster(name));
        shown.put("states", states);
        return shown;
    }

    private AdminAnswer cluster(AdminRequest request) throws AdminException {
        String name = request.path().get(3);
        SortedSet<String> groups = tables.clusters().clusterAddrTable().get(name);
        if (groups == null) {
            throw AdminException.notFound(
                    "cluster_not_found",
                    "no broker of this cluster is registered",
                    "clusters: "
                            + String.join(
                                    ", ", tables.clusters().clusterAddrTable().keySet()));
        }
        Map<String, @Nullable Object> shown = cluster(name);
        List<Object> members = new ArrayList<>();
        for (String group : groups) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", group);
            one.put("members", members(group));
            members.add(one);
        }
        shown.put("members", members);
        return AdminAnswer.json(shown);
    }

    private AdminAnswer brokers(AdminRequest request) throws AdminException {
        List<BrokerLiveInfo> rows = tables.brokers().stream()
                .filter(row -> Paging.matches(request, row.clusterName(), row.brokerName(), row.brokerAddr()))
                .toList();
        return Paging.page(request, rows, this::shown);
    }

    private AdminAnswer group(AdminRequest request) throws AdminException {
        String name = request.path().get(3);
        List<Map<String, @Nullable Object>> members = members(name);
        if (members.isEmpty()) {
            throw AdminException.notFound(
                    "broker_not_found", "no broker of this name is registered", "see /api/v1/brokers for all of them");
        }
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        shown.put("cluster", members.get(0).get("cluster"));
        shown.put("members", members);
        shown.put("topics", routes.topicsOf(name).stream().sorted().toList());
        return AdminAnswer.json(shown);
    }

    private List<Map<String, @Nullable Object>> members(String group) {
        return tables.brokers().stream()
                .filter(row -> row.brokerName().equals(group))
                .map(this::shown)
                .toList();
    }

    private Map<String, @Nullable Object> shown(BrokerLiveInfo row) {
        long age = Math.max(0, row.silentMillis(ticker.millis()));
        Map<String, Object> version = new LinkedHashMap<>();
        version.put("counter", row.dataVersion().counter());
        version.put("stateVersion", row.dataVersion().stateVersion());
        version.put("timestamp", row.dataVersion().timestamp());
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("cluster", row.clusterName());
        shown.put("name", row.brokerName());
        shown.put("id", row.brokerId());
        shown.put("role", row.brokerId() == 0 ? "master" : "slave");
        shown.put("addr", row.brokerAddr());
        shown.put("haAddr", row.haServerAddr().isEmpty() ? null : row.haServerAddr());
        shown.put("zone", row.zoneName().isEmpty() ? null : row.zoneName());
        shown.put("state", row.state().name());
        shown.put("lastSeen", Times.text(clock.instant().minusMillis(age)));
        shown.put("ageMs", age);
        shown.put("timeoutMs", row.timeoutMillis());
        shown.put("misses", row.misses());
        shown.put("dataVersion", version);
        shown.put("connection", row.isRestored() ? null : row.connection().value());
        shown.put("topics", tables.topicsOfBroker(row.brokerName()));
        return shown;
    }
}
