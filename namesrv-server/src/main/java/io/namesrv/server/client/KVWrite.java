package io.namesrv.server.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of a write, which goes to every name server since they tell each other nothing; each is in one of the two
 * maps.
 *
 * @param acknowledged server → how long it took
 * @param failures server → why it did not acknowledge it; unless it {@linkplain RefusedException refused} or was not
 *     reached, it may have carried it out all the same
 */
public record KVWrite(Map<String, Duration> acknowledged, Map<String, IOException> failures) {
    static KVWrite of(Answers<?> answers) {
        Map<String, Duration> acknowledged = new LinkedHashMap<>();
        answers.given().forEach((server, answer) -> acknowledged.put(server, answer.took()));
        return new KVWrite(Collections.unmodifiableMap(acknowledged), answers.failures());
    }

    /** Whether all servers acknowledged it. */
    public boolean everywhere() {
        return failures.isEmpty();
    }
}
