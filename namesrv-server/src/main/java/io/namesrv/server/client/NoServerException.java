package io.namesrv.server.client;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** No name server of the list could answer. */
public final class NoServerException extends IOException {
    @SuppressWarnings("serial") // the map that the constructor makes is serializable
    private final Map<String, IOException> failures;

    NoServerException(Map<String, IOException> failures) {
        super("no name server answers: "
                + failures.values().stream().map(Throwable::getMessage).toList());
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** Server → why it could not, in the order in which they were asked. */
    public Map<String, IOException> failures() {
        return failures;
    }
}
