package io.namesrv.remoting.protocol;

/**
 * What JSON from a peer may look like before a parser gets to see it: strict JSON, and not too deep or too wide.
 *
 * <p>Parsers are generous (fastjson2 2.0.64 takes comments, single quotes, bare words, trailing commas) and can be
 * made to work for seconds by a few bytes (deep nesting, {@code 1e999999999}, a number of a million digits). One pass
 * over the bytes, linear in their number, without recursion and without a copy, shuts all of that out, and with it
 * every text that is not UTF-8.
 *
 * <p>One thing beyond strict JSON is legal: a bare integer as a member name. Brokers send {@code {0:0,1:1}} inside
 * registrations, since fastjson 1 writes number keys that way.
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

    /** Accepts bytes that hold one JSON value within these bounds, with nothing but white space around it. */
    public void check(byte[] json) throws MalformedJsonException {
        check(json, 0, json.length);
    }

    /** As {@link #check(byte[])}, for a part of an array. */
    public void check(byte[] json, int offset, int length) throws MalformedJsonException {
        JsonScanner scanner = JsonScanner.withBareNumberKeys(json, offset, length, this);
        scanner.skipValue(0);
        scanner.end();
    }

    static int orAny(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("a limit of " + limit + " (expected: 0 or more)");
        }
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }
}
