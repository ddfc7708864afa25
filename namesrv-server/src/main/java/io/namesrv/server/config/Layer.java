package io.namesrv.server.config;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one source, or several that lie over each other, say about the keys of the daemon. */
record Layer(Map<String, Found> values) {
    /** A text and where it was found. */
    record Found(String text, ConfigSource source) {}

    static final String HOME_PROPERTY = "rocketmq.home.dir";
    static final String HOME_VARIABLE = "ROCKETMQ_HOME";

    static final Layer EMPTY = new Layer(Map.of());

    Layer {
        values = Collections.unmodifiableMap(new HashMap<>(values));
    }

    static Layer of(ConfigKey<?> key, String text, ConfigSource source) {
        return new Layer(Map.of(key.name(), new Found(text, source)));
    }

    /** The keys of the daemon among those of a file. */
    static Layer ofFile(Map<String, String> content, ConfigSource file) {
        Map<String, Found> values = new HashMap<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            String text = content.get(key.name());
            if (text != null) {
                values.put(key.name(), new Found(text, file));
            }
        }
        return new Layer(values);
    }

    static Layer ofSystemProperties(Map<String, String> properties) {
        Map<String, Found> values = new HashMap<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            find(properties, ConfigSource.PROPERTY_PREFIX + key.name(), ConfigSource.Kind.SYSTEM_PROPERTY)
                    .ifPresent(found -> values.put(key.name(), found));
        }
        return new Layer(values);
    }

    static Layer ofEnvironment(Map<String, String> environment) {
        Map<String, Found> values = new HashMap<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            find(environment, key.environmentName(), ConfigSource.Kind.ENVIRONMENT)
                    .ifPresent(found -> values.put(key.name(), found));
        }
        return new Layer(values);
    }

    /** The defaults, and what sets them: system properties of Apache's, and {@code ROCKETMQ_HOME}. */
    static Layer defaults(Map<String, String> properties, Map<String, String> environment) {
        Map<String, Found> values = new HashMap<>();
        for (ConfigKey<?> key : ConfigSections.keys()) {
            values.put(
                    key.name(),
                    key.defaultProperty()
                            .flatMap(name -> find(properties, name, ConfigSource.Kind.SYSTEM_PROPERTY))
                            .orElse(new Found(key.defaultText(), ConfigSource.BY_DEFAULT)));
        }
        if (properties.getOrDefault(HOME_PROPERTY, "").isBlank()) {
            find(environment, HOME_VARIABLE, ConfigSource.Kind.ENVIRONMENT)
                    .ifPresent(found -> values.put(ConfigKeys.ROCKETMQ_HOME.name(), found));
        }
        return new Layer(values);
    }

    private static Optional<Found> find(Map<String, String> texts, String name, ConfigSource.Kind kind) {
        return Optional.ofNullable(texts.get(name)).map(text -> new Found(text, new ConfigSource(kind, name)));
    }

    /** All of these; of a key that several have, the first counts. */
    static Layer over(Layer... layers) {
        Map<String, Found> values = new HashMap<>();
        for (Layer layer : List.of(layers)) {
            layer.values.forEach(values::putIfAbsent);
        }
        return new Layer(values);
    }

    /** What is left of this layer when only these keys are looked at. */
    Layer only(Set<String> names) {
        Map<String, Found> left = new HashMap<>(values);
        left.keySet().retainAll(names);
        return new Layer(left);
    }

    Optional<Found> find(ConfigKey<?> key) {
        return Optional.ofNullable(values.get(key.name()));
    }
}
