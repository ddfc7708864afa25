package io.namesrv.server.client;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** How it went with one of several servers: it answered, or there was a failure. */
record Outcome<T>(
        String server, @Nullable Answer<T> answer, @Nullable Throwable thrown) {
    void sortInto(Map<String, Answer<T>> given, Map<String, IOException> failures) {
        if (answer != null) {
            given.put(server, answer);
        } else if (thrown != null && Failures.cause(thrown) instanceof IOException failure) {
            failures.put(server, failure);
        } else {
            throw new CompletionException(thrown);
        }
    }
}
