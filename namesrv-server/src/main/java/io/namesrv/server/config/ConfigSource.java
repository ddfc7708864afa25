package io.namesrv.server.config;

import java.nio.file.Path;

/**
 * Where the value of a setting comes from.
 *
 * @param kind which of the places
 * @param place the name of the property or variable, the path of the file; empty for {@link Kind#DEFAULT}
 */
record ConfigSource(Kind kind, String place) {
    static final String PROPERTY_PREFIX = "namesrv.";
    static final String ENVIRONMENT_PREFIX = "NAMESRV_CONF_";

    /** The places, the one that wins first. */
    enum Kind {
        /** Changed by request code 318 since the start. */
        RUN_TIME("changed at run time"),
        SYSTEM_PROPERTY("system property"),
        ENVIRONMENT("environment"),
        /** The option {@code -c}, which sets {@code configStorePath}. */
        COMMAND_LINE("command line"),
        /** Changed by request code 318 before the start, and kept in the file at {@code configStorePath}. */
        SAVED("saved change in"),
        FILE("file"),
        /** Follows from another setting of the file. */
        DERIVED("follows from"),
        /** A default that would not fit the memory there is. */
        SCALED("default, scaled down to the memory there is"),
        DEFAULT("default");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    static final ConfigSource BY_DEFAULT = new ConfigSource(Kind.DEFAULT, "");
    static final ConfigSource SCALED = new ConfigSource(Kind.SCALED, "");
    static final ConfigSource AT_RUN_TIME = new ConfigSource(Kind.RUN_TIME, "");

    static ConfigSource file(Path file) {
        return new ConfigSource(Kind.FILE, file.toString());
    }

    static ConfigSource saved(Path file) {
        return new ConfigSource(Kind.SAVED, file.toString());
    }

    /** For a message: {@code environment NAMESRV_CONF_LISTEN_PORT}. */
    @Override
    public String toString() {
        return place.isEmpty() ? kind.words : kind.words + " " + place;
    }
}
