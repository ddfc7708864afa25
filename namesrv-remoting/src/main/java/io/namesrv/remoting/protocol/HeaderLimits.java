package io.namesrv.remoting.protocol;

/**
 * How large a header of a peer may be. A limit of 0 means none.
 *
 * <p>A header over {@code headerMax} or outside of {@code json} ends the connection; one that only has too many or too
 * long fields is read to its end, so that it can be answered with code 1.
 *
 * @param headerMax bytes of the whole header
 * @param fieldsMax ext fields, counting each time a name stands there
 * @param fieldNameMax UTF-8 bytes of a field's name
 * @param fieldValueMax UTF-8 bytes of a field's value
 * @param kvValueMax UTF-8 bytes of the field {@code value} of PUT_KV_CONFIG (100), in place of {@code fieldValueMax}
 * @param json what a JSON header must keep to
 */
public record HeaderLimits(
        int headerMax, int fieldsMax, int fieldNameMax, int fieldValueMax, int kvValueMax, JsonBounds json) {
    /** 1 MiB; 256 fields with names of 256 bytes and values of 64 KiB, KV values of 1 MiB. */
    public static final HeaderLimits DEFAULT =
            new HeaderLimits(1 << 20, 256, 256, 64 << 10, 1 << 20, JsonBounds.DEFAULT);

    public HeaderLimits {
        headerMax = JsonBounds.orAny(headerMax);
        fieldsMax = JsonBounds.orAny(fieldsMax);
        fieldNameMax = JsonBounds.orAny(fieldNameMax);
        fieldValueMax = JsonBounds.orAny(fieldValueMax);
        kvValueMax = JsonBounds.orAny(kvValueMax);
    }
}
