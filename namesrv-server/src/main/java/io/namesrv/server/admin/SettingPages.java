package io.namesrv.server.admin;

import io.namesrv.core.kv.KVConfigManager;
import io.namesrv.server.config.LiveConfig;
import io.namesrv.server.config.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings in force, and the key/value settings that brokers and operators keep here. */
final class SettingPages {
    private final LiveConfig config;
    private final KVConfigManager kvConfig;

    SettingPages(LiveConfig config, KVConfigManager kvConfig) {
        this.config = config;
        this.kvConfig = kvConfig;
    }

    void addTo(Endpoints endpoints) {
        endpoints.add("/api/v1/config", this::settings).add("/api/v1/kv", request -> AdminAnswer.json(kvConfig.all()));
    }

    private AdminAnswer settings(AdminRequest request) throws AdminException {
        List<Settings.Shown> shown = config.settings().all().stream()
                .filter(one -> Paging.matches(request, one.key(), one.doc()))
                .toList();
        return Paging.page(request, shown, SettingPages::item);
    }

    private static Map<String, Object> item(Settings.Shown setting) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("key", setting.key());
        item.put("value", setting.value());
        item.put("default", setting.byDefault());
        item.put("source", setting.source());
        item.put("mutable", setting.mutable());
        item.put("doc", setting.doc());
        return item;
    }
}
