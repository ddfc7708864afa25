package io.namesrv.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@link ConfigLoader} found.
 *
 * @param config the settings for the parts of the daemon
 * @param settings the settings to be shown
 * @param file the properties file that was read: the one given, or that of the home; absent if there was none
 * @param warnings one line each for what the operator should know; whoever loads logs them as WARN
 */
public record LoadedConfig(NamesrvConfig config, Settings settings, Optional<Path> file, List<String> warnings) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
    }
}
