package io.namesrv.server.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which name server a situation is played with: ours, and Apache's to see beside it.
 *
 * @param apache the release of Apache's, or empty for ours
 */
record TestedNamesrv(String apache) {
    static final TestedNamesrv OURS = new TestedNamesrv("");

    /** Ours, and Apache's of this release if the run is to compare. */
    static Stream<TestedNamesrv> besideApaches(String version) {
        return Stream.of(OURS, new TestedNamesrv(version))
                .filter(server -> server.isOurs() || Boolean.getBoolean("field.besideApaches"));
    }

    boolean isOurs() {
        return apache.isEmpty();
    }

    /** Starts it on a port that stays free for it after its end. */
    NamesrvProcess start(Path directory, Map<String, String> settings) throws IOException, InterruptedException {
        return start(directory, FreePorts.forServer(), settings);
    }

    NamesrvProcess start(Path directory, int port, Map<String, String> settings)
            throws IOException, InterruptedException {
        return isOurs()
                ? NamesrvProcess.start(directory, port, settings)
                : NamesrvProcess.startApaches(apache, directory, port, settings);
    }

    /** Ours has to end well; what Apache's says at its end is its own affair. */
    void stop(NamesrvProcess running) throws InterruptedException {
        if (isOurs()) {
            running.stopWell();
        } else {
            running.stop();
        }
    }

    @Override
    public String toString() {
        return isOurs() ? "ours" : "Apache " + apache;
    }
}
