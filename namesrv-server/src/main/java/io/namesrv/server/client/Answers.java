package io.namesrv.server.client;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What all servers said when they were asked the same, side by side; each is in one of the two maps.
 *
 * @param given server → its answer, in the order of the list
 * @param failures server → why there is none: {@link RefusedException} if it said no, else {@link
 *     io.namesrv.remoting.netty.NoAnswerException}
 */
public record Answers<T>(Map<String, Answer<T>> given, Map<String, IOException> failures) {
    public Answers {
        given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** Whether every server answered. */
    public boolean complete() {
        return failures.isEmpty();
    }
}
