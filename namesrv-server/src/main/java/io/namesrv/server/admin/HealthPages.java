package io.namesrv.server.admin;

import io.namesrv.server.admin.HealthChecks.Check;
import io.namesrv.server.admin.HealthChecks.Weight;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages for probes: whether the daemon lives, whether it is ready, and how it is. */
final class HealthPages {
    private final HealthChecks health;

    HealthPages(HealthChecks health) {
        this.health = health;
    }

    void addTo(Endpoints endpoints) {
        for (String path : List.of("/livez", "/live")) {
            endpoints.add(path, request -> probe(request, Weight.LIFE));
        }
        for (String path : List.of("/readyz", "/ready")) {
            endpoints.add(path, request -> probe(request, Weight.READINESS));
        }
        for (String path : List.of("/healthz", "/health")) {
            endpoints.add(path, request -> whole());
        }
    }

    private AdminAnswer probe(AdminRequest request, Weight weight) {
        List<Check> checks = health.look();
        boolean well = HealthChecks.isWell(checks, weight);
        HttpResponseStatus status = well ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
        if (!request.has("verbose") && well) {
            return AdminAnswer.text(status, "ok");
        }
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            if (check.weight().compareTo(weight) <= 0 && (request.has("verbose") || !check.ok())) {
                text.append(check.ok() ? "[+]" : "[-]")
                        .append(check.name())
                        .append(' ')
                        .append(check.detail())
                        .append('\n');
            }
        }
        return AdminAnswer.text(status, text.append(well ? "ok" : "failed").toString());
    }

    private AdminAnswer whole() {
        List<Check> checks = health.look();
        boolean serves = HealthChecks.isWell(checks, Weight.READINESS);
        boolean well = HealthChecks.isWell(checks, Weight.DEGRADED);
        List<Object> shown = new ArrayList<>();
        for (Check check : checks) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", check.name());
            one.put("ok", check.ok());
            one.put("detail", check.detail());
            shown.add(one);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("status", well ? "ok" : serves ? "degraded" : "down");
        body.put("checks", shown);
        return AdminAnswer.json(serves ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE, body);
    }
}
