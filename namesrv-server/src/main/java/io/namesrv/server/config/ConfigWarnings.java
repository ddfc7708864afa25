package io.namesrv.server.config;

import io.namesrv.remoting.protocol.PeerText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What an operator should know about settings the daemon starts with all the same; one line each. */
final class ConfigWarnings {
    /** Brokers speak every 30 seconds. */
    private static final int LEAST_IDLE_SECONDS = 35;

    private ConfigWarnings() {}

    static List<String> of(Settings settings, Optional<Path> file, Map<String, String> environment) {
        List<String> warnings = new ArrayList<>();
        file.ifPresent(path -> unknownKeys(settings, ConfigSource.file(path), warnings));
        unknownVariables(environment, warnings);
        int idle = settings.value(ConfigKeys.SERVER_CHANNEL_MAX_IDLE_TIME_SECONDS);
        String idleName = ConfigKeys.SERVER_CHANNEL_MAX_IDLE_TIME_SECONDS.name();
        if (idle == 0) {
            warnings.add(idleName + ": 0 switches this limit off");
        } else if (idle < LEAST_IDLE_SECONDS) {
            warnings.add(idleName + ": " + idle + " cuts off healthy brokers, which speak every 30 seconds (expected: "
                    + LEAST_IDLE_SECONDS + " or more)");
        }
        for (ConfigKey<? extends Number> limit : LimitKeys.ALL) {
            if (settings.value(limit).longValue() == 0) {
                warnings.add(limit.name() + ": 0 switches this limit off");
            }
        }
        return warnings;
    }

    private static void unknownKeys(Settings settings, ConfigSource source, List<String> warnings) {
        for (String name : settings.unknown().keySet()) {
            if (!UnknownKeys.belongsToOthers(name)) {
                warnings.add(UnknownKeys.warning(name, source));
            }
        }
    }

    private static void unknownVariables(Map<String, String> environment, List<String> warnings) {
        Set<String> known = new HashSet<>();
        ConfigSections.keys().forEach(key -> known.add(key.environmentName()));
        for (String variable : new TreeSet<>(environment.keySet())) {
            if (variable.startsWith(ConfigSource.ENVIRONMENT_PREFIX) && !known.contains(variable)) {
                warnings.add("unknown setting, from environment " + PeerText.inLog(variable));
            }
        }
    }
}
