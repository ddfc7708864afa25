package io.namesrv.server.interop;

import java.nio.file.Path;

/** Where things are; the build says it in system properties. */
final class Places {
    private Places() {}

    /** The checkout. */
    static Path home() {
        return property("namesrv.home");
    }

    static Path peerSources() {
        return home().resolve("namesrv-server/src/test/peers");
    }

    /** What is kept about Apache's programs from one test run to the next. */
    static Path peerCache() {
        return home().resolve("namesrv-server/target/peers");
    }

    static Path maven() {
        return property("maven.home").resolve("bin/mvn");
    }

    static Path mavenRepository() {
        return property("maven.repo.local");
    }

    /** The JDK of this JVM, which everything else runs on as well. */
    static Path jdk() {
        return property("java.home");
    }

    static Path java() {
        return jdk().resolve("bin/java");
    }

    private static Path property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("no system property " + name + "; run this test with mvn verify");
        }
        return Path.of(value);
    }
}
