package io.namesrv.server.config;

import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.server.config.Settings.Setting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The settings in force. Reading them never waits; changing them goes through the disk.
 *
 * <p>Which keys may change is said where they are declared: everything else is refused, and a request that names one
 * such key changes nothing at all. The originals take any key they know, also those that are read only at start.
 */
public final class LiveConfig {
    private static final String IN_BLACK_LIST = "Can not update config in black list.";
    private static final String NO_PROPERTIES = "string2Properties error";

    /** Protected in 5.x whatever {@code configBlackList} says. */
    private static final List<ConfigKey<?>> ALWAYS_PROTECTED = List.of(
            ConfigKeys.CONFIG_BLACK_LIST,
            ConfigKeys.CONFIG_STORE_PATH,
            ConfigKeys.KV_CONFIG_PATH,
            ConfigKeys.ROCKETMQ_HOME);

    /** Told of changes. Must not throw, and must not wait. */
    @FunctionalInterface
    public interface Listener {
        /** Called when the change is in force, before whoever asked for it is told so. */
        void changed(NamesrvConfig before, NamesrvConfig after);
    }

    private record Current(NamesrvConfig config, Settings settings) {}

    private final SettingsFile file;
    private final Set<String> blackList;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile Current current;

    public LiveConfig(LoadedConfig loaded) {
        this.current = new Current(loaded.config(), loaded.settings());
        this.file = new SettingsFile(loaded.config().paths().configStorePath());
        this.blackList = blackList(loaded.settings().value(ConfigKeys.CONFIG_BLACK_LIST));
    }

    /** Tells somebody of all changes from now on. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** The settings in force at this moment; to be asked for at each use. */
    public NamesrvConfig current() {
        return current.config();
    }

    /** The same as they are shown. */
    public Settings settings() {
        return current.settings();
    }

    /**
     * Changes settings at run time (request code 318): checks all of them, saves them, and only then puts them in force;
     * or changes nothing. An empty body is a success that changes nothing, as with the originals.
     *
     * <p>Waits for the disk, so this belongs on the thread that writes files; calls are one at a time.
     *
     * @param body text in properties syntax, UTF-8
     */
    public synchronized ConfigUpdate update(byte[] body) {
        try {
            SortedMap<String, String> asked = PropertiesText.parse(decode(body));
            Optional<ConfigUpdate.Forbidden> forbidden = forbidden(asked);
            return forbidden.isPresent() ? forbidden.get() : apply(parse(asked));
        } catch (CharacterCodingException notText) {
            return new ConfigUpdate.Failed("the body is not UTF-8");
        } catch (PropertiesText.MalformedException broken) {
            return new ConfigUpdate.Failed(NO_PROPERTIES);
        } catch (ConfigException unusable) {
            return new ConfigUpdate.Failed(unusable.getMessage());
        }
    }

    private static String decode(byte[] body) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    }

    private Optional<ConfigUpdate.Forbidden> forbidden(SortedMap<String, String> asked) {
        if (asked.keySet().stream().anyMatch(blackList::contains)) {
            return Optional.of(new ConfigUpdate.Forbidden(IN_BLACK_LIST));
        }
        for (String name : asked.keySet()) {
            Optional<ConfigKey<?>> key = ConfigSections.find(name);
            if (key.isEmpty()) {
                return Optional.of(new ConfigUpdate.Forbidden(PeerText.inLog(name) + ": no such setting"));
            }
            if (!key.get().updatable()) {
                return Optional.of(new ConfigUpdate.Forbidden(
                        name + ": read only at start; set it where the daemon is configured and start it again"));
            }
        }
        return Optional.empty();
    }

    private static Map<String, Setting<?>> parse(SortedMap<String, String> asked) throws ConfigException {
        for (Map.Entry<String, String> entry : asked.entrySet()) {
            if (hasControl(entry.getValue())) {
                throw new ConfigException(entry.getKey() + ": a value may not hold a line break or control character");
            }
        }
        Map<String, Setting<?>> changes = new HashMap<>();
        for (Map.Entry<String, String> entry : asked.entrySet()) {
            ConfigKey<?> key = ConfigSections.find(entry.getKey()).orElseThrow();
            changes.put(key.name(), Setting.parse(key, entry.getValue(), ConfigSource.AT_RUN_TIME));
        }
        return changes;
    }

    /** Whether a text holds a control character or a Unicode line end, either of which could add a line to a file. */
    private static boolean hasControl(String text) {
        return text.chars().anyMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029');
    }

    private ConfigUpdate apply(Map<String, Setting<?>> changes) {
        if (changes.isEmpty()) {
            return new ConfigUpdate.Applied(new TreeMap<>());
        }
        Settings changed = current.settings().with(changes);
        SortedMap<String, String> texts = new TreeMap<>();
        changes.forEach((name, setting) -> texts.put(name, setting.text()));
        Current next = new Current(NamesrvConfig.of(changed), changed);
        try {
            file.save(texts);
        } catch (IOException failed) {
            return new ConfigUpdate.Failed("settings are not saved and not changed: " + failed.getMessage());
        }
        NamesrvConfig before = current();
        current = next;
        listeners.forEach(listener -> listener.changed(before, next.config()));
        return new ConfigUpdate.Applied(texts);
    }

    /** The keys that may not be changed; compared with case, as 5.x does. */
    static Set<String> blackList(String setting) {
        Set<String> names = new HashSet<>(List.of(setting.strip().split("\\s*;\\s*", -1)));
        ALWAYS_PROTECTED.forEach(key -> names.add(key.name()));
        return Set.copyOf(names);
    }
}
