package io.namesrv.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this was built from. */
final class BuildVersion {
    private static final Logger log = LoggerFactory.getLogger(BuildVersion.class);

    private BuildVersion() {}

    /** For people: the release, the commit, and the Java that it runs on. */
    static String text() {
        Map<String, String> facts = facts();
        return "namesrv " + facts.get("version") + " (commit " + facts.get("commit") + ", java " + facts.get("java")
                + ")";
    }

    /** The same by name: {@code version}, {@code commit}, {@code java}. */
    static Map<String, String> facts() {
        Properties build = new Properties();
        try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException unreadable) {
            log.warn("no build.properties", unreadable);
        }
        return Map.of(
                "version",
                build.getProperty("version", "unknown"),
                "commit",
                build.getProperty("commit", "unknown"),
                "java",
                System.getProperty("java.version"));
    }
}
