package io.namesrv.remoting.protocol;

import java.util.Map;
import java.util.Optional;

/**
 * Typed reading of a request's header fields. All values travel as text.
 *
 * <p>A field that is missing and one that is null are the same; an empty string is a value. What cannot be read is the
 * peer's mistake and becomes a {@link CommandException} of code 1 that names the field.
 */
public final class ExtFields {
    private static final int QUOTED_MAX = 64;

    private final Map<String, String> fields;

    private ExtFields(Map<String, String> fields) {
        this.fields = fields;
    }

    /** A view of these fields, which must not change. */
    public static ExtFields of(Map<String, String> fields) {
        return new ExtFields(fields);
    }

    /** The text of a field that has to be there; else code 1, {@code the custom field <NAME> is null}. */
    public String required(String name) throws CommandException {
        String value = fields.get(name);
        if (value == null) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "the custom field <" + name + "> is null");
        }
        return value;
    }

    /** The number of a field that has to be there. */
    public long requiredLong(String name) throws CommandException {
        return toLong(name, required(name), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The text of a field that may be missing. */
    public Optional<String> optional(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /** The number of a field, or the other one when it is missing. */
    public long longOr(String name, long other) throws CommandException {
        String value = fields.get(name);
        return value == null ? other : toLong(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The number of a field, or the other one when it is missing. */
    public int intOr(String name, int other) throws CommandException {
        String value = fields.get(name);
        return value == null ? other : (int) toLong(name, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** True only for a field with the text {@code true}, in any case. */
    public boolean bool(String name) {
        return Boolean.parseBoolean(fields.get(name));
    }

    /** Whether the field is there, whatever its value. */
    public boolean has(String name) {
        return fields.containsKey(name);
    }

    private static long toLong(String name, String value, long min, long max) throws CommandException {
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below, as for a number that is too large
        }
        throw new CommandException(
                ResponseCode.SYSTEM_ERROR,
                "the custom field <" + name + "> is not a number of " + (max == Long.MAX_VALUE ? 64 : 32) + " bits: "
                        + PeerText.shown(value, QUOTED_MAX));
    }
}
