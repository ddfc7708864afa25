package io.namesrv.core.route;

import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes that somebody has still to keep elsewhere, in order. Bounded: of more than can be kept none is, and whoever
 * asks has to look at the tables as a whole.
 */
final class RouteChangeLog {
    private final int edits;
    private List<RouteChange> changes = new ArrayList<>();
    private int kept;
    private boolean lost;

    /**
     * @param edits most rows that changed, of all changes together; 0 for a log that nobody asks
     */
    RouteChangeLog(int edits) {
        this.edits = edits;
    }

    void add(RouteChange change) {
        if (edits == 0 || lost) {
            return;
        }
        kept += change.edits().size();
        if (kept > edits) {
            lost = true;
            changes = new ArrayList<>();
        } else {
            changes.add(change);
        }
    }

    /** How many rows have changed since the last {@link #drain}. */
    int size() {
        return kept;
    }

    /** Gives the changes away. */
    RouteChanges drain() {
        RouteChanges drained = new RouteChanges(List.copyOf(changes), lost);
        changes = new ArrayList<>();
        kept = 0;
        lost = false;
        return drained;
    }
}
