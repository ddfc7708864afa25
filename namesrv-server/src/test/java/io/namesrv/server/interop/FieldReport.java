package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The table that a run of the field suite leaves in {@code namesrv-server/target/field-report.md}, a line for each
 * situation, release and name server; the last run that was kept stands in {@code docs/field-report.md}.
 */
final class FieldReport {
    private static final String HEAD = """
            | situation | brokers and clients | name server | acknowledged | received | lost | longest without a route, ms | longest pause of the producer, ms | seen |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    private static final SortedMap<String, String> LINES = Collections.synchronizedSortedMap(new TreeMap<>());

    private FieldReport() {}

    /**
     * Notes what happened, and fails if an acknowledged message was lost.
     *
     * @param withoutRoute longest time without a route by the answers of the name server
     * @param seen what else was measured, in a few words
     */
    static void add(
            String situation,
            String version,
            TestedNamesrv namesrv,
            Traffic.Result result,
            Duration withoutRoute,
            String seen)
            throws IOException {
        String line = String.format(
                Locale.ROOT,
                "| %s | %s | %s | %d | %d | %d | %d | %d | %s |",
                situation,
                version,
                namesrv,
                result.acked(),
                result.received(),
                result.lost(),
                withoutRoute.toMillis(),
                result.longestGap().toMillis(),
                result.late() ? seen + "; some read by a second consumer only" : seen);
        LINES.put(situation + '\t' + version + '\t' + (namesrv.isOurs() ? 0 : 1), line);
        write();
        assertThat(result.acked()).as(line).isPositive();
        assertThat(result.lost()).as(line).isZero();
    }

    private static void write() throws IOException {
        synchronized (LINES) {
            Path file = Places.home().resolve("namesrv-server/target/field-report.md");
            Files.writeString(file, HEAD + String.join("\n", LINES.values()) + "\n", StandardCharsets.UTF_8);
        }
    }
}
