package io.namesrv.server.admin;

import java.util.ArrayList;
import java.util.List;

/**
 * How the daemon is, in checks. One that matters for life fails when only a new start helps; one that matters for readiness,
 * when callers had better ask elsewhere; any other one is something an operator should look at.
 */
public final class HealthChecks {
    /** What a failed check means. */
    public enum Weight {
        LIFE,
        READINESS,
        DEGRADED
    }

    /**
     * One check.
     *
     * @param ok whether all is well
     * @param detail a few words, in both cases
     */
    public record Check(String name, Weight weight, boolean ok, String detail) {}

    /** Makes a check of what is now; does not wait. */
    @FunctionalInterface
    public interface Source {
        Check look();
    }

    private final List<Source> sources;

    /** Of these, in their order. */
    public HealthChecks(List<Source> sources) {
        this.sources = List.copyOf(sources);
    }

    /** All of them, now. */
    List<Check> look() {
        List<Check> checks = new ArrayList<>(sources.size());
        sources.forEach(source -> checks.add(source.look()));
        return checks;
    }

    /** Whether none of this weight, or of a heavier one, has failed. */
    static boolean isWell(List<Check> checks, Weight weight) {
        return checks.stream().allMatch(check -> check.ok() || check.weight().compareTo(weight) > 0);
    }
}
