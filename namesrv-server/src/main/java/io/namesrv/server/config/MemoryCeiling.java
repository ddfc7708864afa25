package io.namesrv.server.config;

import io.namesrv.server.config.Settings.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the limits may cost in memory when all of them are reached at once, held against the memory there is: a limit that
 * was set and does not fit ends the start, a default that does not fit is scaled down to its share of what is left.
 *
 * <p>Tables are reckoned row by row, on the safe side ({@code RowBytes}); a plain connection over which nothing is on its
 * way was measured (2 KiB) and has half as much on top. It is a sum to plan with, not a promise to the byte.
 */
public final class MemoryCeiling {
    /**
     * What a unit of a limit costs, in bytes, and the share of the room that a default may take.
     *
     * @param key the limit
     * @param heap bytes of heap
     * @param heapShare of the heap
     * @param direct bytes of direct memory
     * @param directShare of the direct memory
     */
    private record Cost(
            ConfigKey<? extends Number> key, double heap, double heapShare, double direct, double directShare) {}

    private static final List<Cost> COSTS = List.of(
            new Cost(LimitKeys.CONNECTIONS_MAX, 3 << 10, 0.15, 2 << 10, 0.15),
            new Cost(LimitKeys.ROUTE_TABLES_MAX, 1, 0.35, 0, 0),
            // the table, its text, and the text as it is written
            new Cost(LimitKeys.KV_TOTAL_MAX, 3, 0.1, 0, 0),
            // What arrives lies in direct memory first, in buffers with room for more, then in the heap; and what is
            // inflated meanwhile may be as much again.
            new Cost(LimitKeys.REGISTRATION_IN_FLIGHT_MAX, 2, 0.3, 1.5, 0.5),
            // a long topic and zone, and what holds the way for the answer
            new Cost(LimitKeys.ROUTE_WAITERS_MAX, 3 << 10, 0.05, 0, 0),
            new Cost(LimitKeys.OUTBOUND_TOTAL_MAX, 0.25, 0.1, 1, 0.35));

    /** Encoded answers to route queries are kept up to this many bytes, or a part of the heap that is smaller. */
    private static final long ROUTE_ANSWERS_MAX = 64 << 20;

    private static final int ROUTE_ANSWERS_PART = 16;

    /** Most bytes of encoded answers to route queries that are kept in a heap of this size. */
    public static long routeAnswersMax(long heapMax) {
        return Math.min(ROUTE_ANSWERS_MAX, heapMax / ROUTE_ANSWERS_PART);
    }

    /** A kind of memory and how much of it the limits may take. */
    private record Kind(
            String name, double max, double base, ToDoubleFunction<Cost> cost, ToDoubleFunction<Cost> share) {
        /** Nine tenths of it, without what the daemon itself needs. */
        double room() {
            return 0.9 * max - base;
        }
    }

    private static final double MIB = 1 << 20;

    /** What is left to limits that were not set is at least this part of their shares. */
    private static final double LEFT_TO_DEFAULTS = 0.25;

    /** A compressed body may take this part of what all registrations may. */
    private static final double BODY_PART = 0.75;

    /**
     * Settings whose limits fit the memory.
     *
     * @param loaded them
     * @param lines for the log, INFO: each limit that was scaled down, and last the sum
     */
    public record Fitted(LoadedConfig loaded, List<String> lines) {}

    private final LoadedConfig loaded;
    private final List<String> lines = new ArrayList<>();
    private final List<Kind> kinds;

    private MemoryCeiling(LoadedConfig loaded, long heapMax, long directMax) {
        this.loaded = loaded;
        this.kinds = List.of(
                new Kind(
                        "heap",
                        heapMax,
                        Math.min(40 * MIB, 0.4 * heapMax) + routeAnswersMax(heapMax),
                        Cost::heap,
                        Cost::heapShare),
                new Kind(
                        "direct memory",
                        directMax,
                        Math.min(32 * MIB, 0.25 * directMax),
                        Cost::direct,
                        Cost::directShare));
    }

    /**
     * Fits the limits to the memory.
     *
     * @param heapMax bytes that the heap may grow to
     * @param directMax bytes of direct memory that there may be
     * @throws ConfigException naming the key if limits that were set do not fit
     */
    public static Fitted fit(LoadedConfig loaded, long heapMax, long directMax) throws ConfigException {
        return new MemoryCeiling(loaded, heapMax, directMax).fit();
    }

    private Fitted fit() throws ConfigException {
        for (Kind kind : kinds) {
            checkWhatWasSet(kind);
        }
        Map<String, Setting<?>> changes = new HashMap<>();
        for (Cost cost : COSTS) {
            long fitting = Long.MAX_VALUE;
            for (Kind kind : kinds) {
                fitting = Math.min(fitting, fitting(kind, cost));
            }
            scale(cost.key(), fitting, changes);
        }
        Settings scaled = loaded.settings().with(changes);
        long inFlight = scaled.value(LimitKeys.REGISTRATION_IN_FLIGHT_MAX);
        if (inFlight > 0) {
            scale(LimitKeys.BODY_MAX_DECOMPRESSED, Math.max(1, (long) (BODY_PART * inFlight)), changes);
        }
        Settings settings = loaded.settings().with(changes);
        lines.add(sum(settings));
        return new Fitted(
                new LoadedConfig(NamesrvConfig.of(settings), settings, loaded.file(), loaded.warnings()),
                List.copyOf(lines));
    }

    private void checkWhatWasSet(Kind kind) throws ConfigException {
        double need = 0;
        double left = 0;
        Cost largest = COSTS.get(0);
        for (Cost cost : COSTS) {
            if (isSet(cost.key())) {
                need += bytes(loaded.settings(), kind, cost);
                largest = isSet(largest.key())
                                && bytes(loaded.settings(), kind, largest) >= bytes(loaded.settings(), kind, cost)
                        ? largest
                        : cost;
            } else {
                left += LEFT_TO_DEFAULTS * kind.share().applyAsDouble(cost) * kind.room();
            }
        }
        if (need > 0 && need > kind.room() - left) {
            throw new ConfigException(largest.key().name() + ": "
                    + loaded.settings().value(largest.key())
                    + " may need " + mib(bytes(loaded.settings(), kind, largest)) + " MiB of " + kind.name()
                    + ", where all limits that are set may need " + mib(kind.room() - left) + " of " + mib(kind.max())
                    + " MiB; lower it, or give the daemon more memory (JAVA_HEAP_SIZE), from "
                    + loaded.settings().source(largest.key()));
        }
    }

    /** The most units of a limit that was not set. */
    private long fitting(Kind kind, Cost cost) {
        double each = kind.cost().applyAsDouble(cost);
        if (each == 0) {
            return Long.MAX_VALUE;
        }
        double room = kind.room();
        double shares = 0;
        for (Cost other : COSTS) {
            if (isSet(other.key())) {
                room -= bytes(loaded.settings(), kind, other);
            } else {
                shares += kind.share().applyAsDouble(other);
            }
        }
        return Math.max(1, (long) (room * kind.share().applyAsDouble(cost) / shares / each));
    }

    private <T extends Number> void scale(ConfigKey<T> key, long fitting, Map<String, Setting<?>> changes)
            throws ConfigException {
        T byDefault = loaded.settings().value(key);
        if (isSet(key) || byDefault.longValue() <= fitting) {
            return;
        }
        changes.put(key.name(), Setting.parse(key, Long.toString(fitting), ConfigSource.SCALED));
        lines.add(
                key.name() + ": the default of " + byDefault + " does not fit the memory there is, taking " + fitting);
    }

    private boolean isSet(ConfigKey<?> key) {
        return loaded.settings().source(key).kind() != ConfigSource.Kind.DEFAULT;
    }

    private static double bytes(Settings settings, Kind kind, Cost cost) {
        return kind.cost().applyAsDouble(cost) * settings.value(cost.key()).doubleValue();
    }

    private String sum(Settings settings) {
        List<String> sums = new ArrayList<>();
        for (Kind kind : kinds) {
            double sum = kind.base();
            List<String> parts = new ArrayList<>(List.of("base " + mib(kind.base())));
            for (Cost cost : COSTS) {
                double bytes = bytes(settings, kind, cost);
                sum += bytes;
                if (kind.cost().applyAsDouble(cost) > 0) {
                    boolean off = settings.value(cost.key()).longValue() == 0;
                    parts.add(cost.key().name() + " " + (off ? "unlimited" : mib(bytes)));
                }
            }
            sums.add(kind.name() + " " + mib(sum) + " of " + mib(kind.max()) + " (" + String.join(", ", parts) + ")");
        }
        return "memory ceiling in MiB: " + String.join("; ", sums);
    }

    private static String mib(double bytes) {
        return Long.toString(Math.round(bytes / MIB));
    }
}
