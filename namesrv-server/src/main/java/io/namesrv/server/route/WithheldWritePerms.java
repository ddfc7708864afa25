package io.namesrv.server.route;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.protocol.PeerText;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the route tables follow the key/value settings: the keys of one namespace name the brokers whose write permission
 * is withheld, whoever put them there. They are kept, so they outlive the broker's absence and this process.
 */
public final class WithheldWritePerms implements KVConfigManager.Listener {
    private static final Logger log = LoggerFactory.getLogger(WithheldWritePerms.class);

    private final RouteInfoManager routes;
    private final RouteEffects effects;

    private WithheldWritePerms(RouteInfoManager routes, RouteEffects effects) {
        this.routes = routes;
        this.effects = effects;
    }

    /** Withholds what is kept, and from now on what is put. To be called before anybody can change or ask anything. */
    public static void follow(KVConfigManager kvConfig, RouteInfoManager routes, RouteEffects effects) {
        WithheldWritePerms follower = new WithheldWritePerms(routes, effects);
        kvConfig.getKVListByNamespace(KVConfigManager.NAMESPACE_WRITE_PERM_WIPED)
                .ifPresent(marks -> {
                    log.info(
                            "write permission withheld since before the start number={} brokers={}",
                            marks.size(),
                            PeerText.inLog(String.join(",", marks.keySet())));
                    follower.withhold(marks.keySet());
                });
        kvConfig.addListener(follower);
    }

    @Override
    public void changed(Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
        Map<String, String> former = before.getOrDefault(KVConfigManager.NAMESPACE_WRITE_PERM_WIPED, Map.of());
        Map<String, String> marks = after.getOrDefault(KVConfigManager.NAMESPACE_WRITE_PERM_WIPED, Map.of());
        if (marks != former) {
            withhold(marks.keySet());
        }
    }

    private void withhold(Set<String> brokerNames) {
        effects.changed(routes.withholdWritePerm(brokerNames), "key/value settings");
    }
}
