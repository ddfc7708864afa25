package io.namesrv.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A home in a directory of the test, and loaders that see nothing of the process they run in. */
final class Fixtures {
    private Fixtures() {}

    /** The system properties of a process whose home and user home are this directory. */
    static Map<String, String> properties(Path home) {
        return Map.of("rocketmq.home.dir", home.toString(), "user.home", home.toString());
    }

    static Map<String, String> with(Map<String, String> properties, String... namesAndValues) {
        Map<String, String> all = new HashMap<>(properties);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            all.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return all;
    }

    static ConfigLoader loader(Path home, String... propertiesAndValues) {
        return new ConfigLoader(with(properties(home), propertiesAndValues), Map.of());
    }

    /** A file given with {@code -c}, and everything loaded with it. */
    static LoadedConfig loaded(Path home, String... lines) throws IOException, ConfigException {
        return loader(home).load(file(home, "given.properties", lines));
    }

    static Path file(Path directory, String name, String... lines) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.toAbsolutePath().getParent());
        return Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
    }
}
