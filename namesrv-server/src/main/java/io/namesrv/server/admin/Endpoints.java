package io.namesrv.server.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which path is answered by what. */
final class Endpoints {
    /** A segment of a pattern that stands for any. */
    static final String ANY = "*";

    private record Entry(List<String> pattern, Endpoint endpoint) {
        boolean fits(List<String> path) {
            if (path.size() != pattern.size()) {
                return false;
            }
            for (int i = 0; i < path.size(); i++) {
                boolean same = pattern.get(i).equals(ANY)
                        ? !path.get(i).isEmpty()
                        : pattern.get(i).equals(path.get(i));
                if (!same) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    /** Adds one, for a pattern such as {@code /api/v1/topics/*}. */
    Endpoints add(String pattern, Endpoint endpoint) {
        entries.add(new Entry(List.of(pattern.substring(1).split("/", -1)), endpoint));
        return this;
    }

    Optional<Endpoint> find(List<String> path) {
        return entries.stream()
                .filter(entry -> entry.fits(path))
                .map(Entry::endpoint)
                .findFirst();
    }
}
