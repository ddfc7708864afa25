package io.namesrv.core.data;

/**
 * Why something was not taken in: the tables hold as much of a kind as they may.
 *
 * @param key the name of the limit, which is that of its setting
 * @param max the limit
 */
public record ReachedLimit(String key, long max) {
    /** For an answer or a log: {@code topicsMax: the limit of 500000 is reached}. */
    @Override
    public String toString() {
        return key + ": the limit of " + max + " is reached";
    }
}
