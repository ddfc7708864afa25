package io.namesrv.server.config;

import io.namesrv.remoting.protocol.PeerText;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The value of every key with where it came from, and what a file named beyond them. Immutable. */
public final class Settings {
    /** The value of one key. */
    record Setting<T>(ConfigKey<T> key, T value, ConfigSource source) {
        static <T> Setting<T> parse(ConfigKey<T> key, String text, ConfigSource source) throws ConfigException {
            return new Setting<>(key, key.parse(text), source);
        }

        /** The value as it would stand in a file, in the one form it has. */
        String text() {
            return value.toString();
        }

        String shown() {
            return key.secret() ? ConfigKey.SECRET_SHOWN : text();
        }
    }

    private static final Pattern SECRET_NAME = Pattern.compile("password|passwd|secret|token|accesskey");

    private final SortedMap<String, Setting<?>> known;
    private final SortedMap<String, String> unknown;

    /**
     * @param known a value for every key there is
     * @param unknown the keys of a file that the daemon doesn't have, as they stand there
     */
    Settings(Map<String, Setting<?>> known, Map<String, String> unknown) {
        this.known = Collections.unmodifiableSortedMap(new TreeMap<>(known));
        this.unknown = Collections.unmodifiableSortedMap(new TreeMap<>(unknown));
    }

    <T> T value(ConfigKey<T> key) {
        return key.type().javaType().cast(setting(key.name()).value());
    }

    /** Where the value of this key comes from. */
    ConfigSource source(ConfigKey<?> key) {
        return setting(key.name()).source();
    }

    /** The keys that a file named and the daemon doesn't have, with their values, in the order of keys. */
    SortedMap<String, String> unknown() {
        return unknown;
    }

    private Setting<?> setting(String name) {
        Setting<?> setting = known.get(name);
        if (setting == null) {
            throw new IllegalArgumentException("no such key: " + name);
        }
        return setting;
    }

    /** These settings with some replaced. */
    Settings with(Map<String, Setting<?>> changes) {
        SortedMap<String, Setting<?>> changed = new TreeMap<>(known);
        changed.putAll(changes);
        return new Settings(changed, unknown);
    }

    /**
     * All settings as {@code key=value} lines in the order of keys, each ended by {@code \n}; what a file named beyond the
     * keys of the daemon is among them. Reading the text as properties gives back the values; secrets are {@code ***}.
     */
    public String text() {
        return PropertiesText.lines(shown());
    }

    /** The same with the port that is really bound as the value of {@code listenPort}. */
    public String text(int boundPort) {
        SortedMap<String, String> shown = shown();
        shown.put(ConfigKeys.LISTEN_PORT.name(), Integer.toString(boundPort));
        return PropertiesText.lines(shown);
    }

    /** The same as {@link #text()}, with a comment line above each that says where the value comes from. */
    public String textWithSources() {
        StringBuilder out = new StringBuilder();
        shown().forEach((key, value) -> {
            Setting<?> setting = known.get(key);
            String source = setting == null
                    ? "not a setting of this daemon"
                    : setting.source().toString();
            out.append("# ").append(PeerText.inLog(source)).append('\n').append(PropertiesText.line(key, value));
        });
        return out.toString();
    }

    /**
     * One setting for people to look at.
     *
     * @param source where its value comes from
     * @param mutable whether it may change at run time
     */
    public record Shown(String key, String value, String byDefault, String source, boolean mutable, String doc) {}

    /** All settings of the daemon, in the order of keys; secrets are {@code ***}. */
    public List<Shown> all() {
        return known.values().stream()
                .map(setting -> new Shown(
                        setting.key().name(),
                        setting.shown(),
                        setting.key().defaultText(),
                        setting.source().toString(),
                        setting.key().updatable(),
                        setting.key().doc()))
                .toList();
    }

    private SortedMap<String, String> shown() {
        SortedMap<String, String> shown = new TreeMap<>();
        unknown.forEach((key, value) -> shown.put(key, soundsSecret(key) ? ConfigKey.SECRET_SHOWN : value));
        known.forEach((key, setting) -> shown.put(key, setting.shown()));
        return shown;
    }

    /** A shared file may hold the passwords of others, which are nobody's to read over the wire. */
    private static boolean soundsSecret(String key) {
        return SECRET_NAME.matcher(key.toLowerCase(Locale.ROOT)).find();
    }
}
