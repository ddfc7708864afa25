package io.namesrv.server.config;

import io.namesrv.server.config.Settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the value of every setting at start.
 *
 * <p>The first that has a value wins: system property {@code namesrv.<key>}, environment variable
 * {@code NAMESRV_CONF_<KEY>}, what was changed at run time before, the properties file, the default.
 *
 * <p>What was changed at run time stands in the file at {@code configStorePath}. Where that is the properties file itself
 * there is nothing to lay over it; from any other file only keys that may change at run time are taken.
 */
public final class ConfigLoader {
    private static final String USER_HOME = "${user.home}";
    private static final String FILE_OF_HOME = "conf/namesrv.properties";

    /** The threads that follow from a 4.9 file are never fewer than this. */
    private static final int LEAST_DERIVED_THREADS = 16;

    private final Map<String, String> systemProperties;
    private final Map<String, String> environment;

    /** Loads from these in place of those of the process; {@code user.home} is one of the properties. */
    public ConfigLoader(Map<String, String> systemProperties, Map<String, String> environment) {
        this.systemProperties = Map.copyOf(systemProperties);
        this.environment = Map.copyOf(environment);
    }

    /** A loader that looks at the system properties and the environment of this process. */
    public static ConfigLoader ofProcess() {
        return new ConfigLoader(systemProperties(), System.getenv());
    }

    /** A copy of the system properties of this process. */
    static Map<String, String> systemProperties() {
        Properties properties = System.getProperties();
        Map<String, String> copy = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> copy.put(name, properties.getProperty(name, "")));
        return copy;
    }

    /**
     * Loads without a file on the command line: {@code conf/namesrv.properties} of the home is read if it is there.
     *
     * @throws NoHomeException if nothing says where the home is
     * @throws ConfigException if a file can't be read or a value not be used; the message names key, value, what was
     *     expected, and the source
     */
    public LoadedConfig load() throws ConfigException {
        return load(Optional.empty());
    }

    /** Loads with the file given by {@code -c}, which has to be there; otherwise as {@link #load()}. */
    public LoadedConfig load(Path file) throws ConfigException {
        return load(Optional.of(file));
    }

    private LoadedConfig load(Optional<Path> given) throws ConfigException {
        Layer process = Layer.over(Layer.ofSystemProperties(systemProperties), Layer.ofEnvironment(environment));
        Layer defaults = Layer.defaults(systemProperties, environment);
        Optional<Path> file = given.isPresent() ? given : fileOfHome(Layer.over(process, defaults));
        SettingsFile.Content content =
                file.isPresent() ? new SettingsFile(file.get()).readStrictly() : SettingsFile.Content.EMPTY;
        Layer ofFile = file.map(path -> Layer.ofFile(content.values(), ConfigSource.file(path)))
                .orElse(Layer.EMPTY);
        Layer commandLine = given.map(path -> Layer.of(
                        ConfigKeys.CONFIG_STORE_PATH,
                        path.toString(),
                        new ConfigSource(ConfigSource.Kind.COMMAND_LINE, "-c")))
                .orElse(Layer.EMPTY);
        Layer unchanged = Layer.over(process, commandLine, ofFile, defaults);
        Layer chosen = Layer.over(process, kept(unchanged, file), derived(process, ofFile), unchanged);

        Settings settings = new Settings(parse(chosen), unknown(content.values()));
        NamesrvConfig config = checked(settings);
        return new LoadedConfig(config, settings, file, ConfigWarnings.of(settings, file, environment));
    }

    private Optional<Path> fileOfHome(Layer layer) throws ConfigException {
        String home = setting(ConfigKeys.ROCKETMQ_HOME, layer).value();
        if (home.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(Path.of(home, FILE_OF_HOME)).filter(Files::exists);
    }

    /** What was changed at run time, unless it stands in the properties file anyway. */
    private Layer kept(Layer unchanged, Optional<Path> file) throws ConfigException {
        Path store = Path.of(setting(ConfigKeys.CONFIG_STORE_PATH, unchanged).value());
        if (file.isPresent() && isSame(store, file.get())) {
            return Layer.EMPTY;
        }
        Set<String> changeable = new TreeSet<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            if (key.updatable()) {
                changeable.add(key.name());
            }
        }
        changeable.removeAll(LiveConfig.blackList(
                setting(ConfigKeys.CONFIG_BLACK_LIST, unchanged).value()));
        return Layer.ofFile(new SettingsFile(store).readKept().values(), ConfigSource.saved(store))
                .only(changeable);
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return one.toAbsolutePath()
                            .normalize()
                            .equals(other.toAbsolutePath().normalize())
                    || Files.isSameFile(one, other);
        } catch (IOException missing) {
            return false;
        }
    }

    /** In 4.9 serverWorkerThreads is the number of request threads: a file tuned for it keeps its meaning. */
    private Layer derived(Layer process, Layer ofFile) throws ConfigException {
        if (ofFile.find(ConfigKeys.SERVER_WORKER_THREADS).isEmpty()
                || Layer.over(process, ofFile)
                        .find(ConfigKeys.DEFAULT_THREAD_POOL_NUMS)
                        .isPresent()) {
            return Layer.EMPTY;
        }
        int threads = setting(ConfigKeys.SERVER_WORKER_THREADS, ofFile).value();
        return Layer.of(
                ConfigKeys.DEFAULT_THREAD_POOL_NUMS,
                Integer.toString(Math.max(LEAST_DERIVED_THREADS, threads)),
                new ConfigSource(ConfigSource.Kind.DERIVED, ConfigKeys.SERVER_WORKER_THREADS.name()));
    }

    private Map<String, Setting<?>> parse(Layer chosen) throws ConfigException {
        SortedMap<String, Setting<?>> settings = new TreeMap<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            settings.put(key.name(), setting(key, chosen));
        }
        return settings;
    }

    private <T> Setting<T> setting(ConfigKey<T> key, Layer layer) throws ConfigException {
        Layer.Found found = layer.find(key).orElseThrow(() -> new IllegalStateException("no default: " + key.name()));
        String text = found.text();
        if (key.type().isPath()) {
            text = text.replace(USER_HOME, systemProperties.getOrDefault("user.home", ""));
        }
        try {
            return Setting.parse(key, text, found.source());
        } catch (ConfigException bad) {
            throw new ConfigException(bad.getMessage() + ", from " + found.source(), bad);
        }
    }

    private static Map<String, String> unknown(Map<String, String> values) {
        Map<String, String> unknown = new TreeMap<>(values);
        ConfigSections.keys().forEach(key -> unknown.remove(key.name()));
        return unknown;
    }

    private static NamesrvConfig checked(Settings settings) throws ConfigException {
        if (settings.value(ConfigKeys.ROCKETMQ_HOME).isBlank()) {
            throw new NoHomeException();
        }
        int high = settings.value(ConfigKeys.WRITE_BUFFER_HIGH_WATER_MARK);
        int low = settings.value(ConfigKeys.WRITE_BUFFER_LOW_WATER_MARK);
        if (high > 0 && low > high) {
            throw new ConfigException(
                    ConfigKeys.WRITE_BUFFER_LOW_WATER_MARK.name() + ": " + low + " (expected: at most "
                            + ConfigKeys.WRITE_BUFFER_HIGH_WATER_MARK.name() + ", which is " + high + "), from "
                            + settings.source(ConfigKeys.WRITE_BUFFER_LOW_WATER_MARK));
        }
        return NamesrvConfig.of(settings);
    }
}
