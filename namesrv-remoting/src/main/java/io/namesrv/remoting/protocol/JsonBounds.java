package io.namesrv.remoting.protocol;

/**
 * How deep and how wide the JSON of a peer may be. A few bytes can otherwise keep a reader busy for seconds: deep
 * nesting, {@code 1e999999999}, a number of a million digits.
 *
 * @param maxDepth the most objects and arrays within each other; 0 = any
 * @param maxNumberLength the most digits of a number, its exponent aside; 0 = any
 * @param maxExponentDigits the most digits of an exponent; 0 = any
 */
public record JsonBounds(int maxDepth, int maxNumberLength, int maxExponentDigits) {
    /** Depth 32, 64 digits, exponents of three digits. */
    public static final JsonBounds DEFAULT = new JsonBounds(32, 64, 3);

    public JsonBounds {
        maxDepth = orAny(maxDepth);
        maxNumberLength = orAny(maxNumberLength);
        maxExponentDigits = orAny(maxExponentDigits);
    }

    static int orAny(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: 0 or more)");
        }
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }
}
