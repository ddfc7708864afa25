package io.namesrv.server.config;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How a change of settings at run time ended. Only {@link Applied} changed anything. */
public sealed interface ConfigUpdate {
    /**
     * The settings are in force and on disk.
     *
     * @param changed the keys that were named, with their values; empty if none was
     */
    record Applied(SortedMap<String, String> changed) implements ConfigUpdate {
        public Applied {
            changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
        }
    }

    /**
     * A key was named that may not be changed: protected, unknown, or read only at start.
     *
     * @param remark for the caller; for a protected key literally that of Apache's 5.x, else it names the key
     */
    record Forbidden(String remark) implements ConfigUpdate {}

    /**
     * The text can't be used, a value is none of its key's, or the file could not be written.
     *
     * @param remark for the caller: what was wrong, and with which key
     */
    record Failed(String remark) implements ConfigUpdate {}
}
