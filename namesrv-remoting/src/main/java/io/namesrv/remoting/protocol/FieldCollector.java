package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBufUtil;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ext fields of one header while it is being read, and the first limit that they broke. */
final class FieldCollector {
    private static final String KV_VALUE = "value";

    private final HeaderLimits limits;
    private Map<String, String> fields = Map.of();
    private int seen;
    private boolean largeKvValue;
    private @Nullable String defect;

    FieldCollector(HeaderLimits limits) {
        this.limits = limits;
    }

    /** Forgets the fields so far: the header names its fields a second time, and the last one counts. */
    void restart() {
        fields = Map.of();
        largeKvValue = false;
    }

    /** True once a limit is broken: what comes after need not be kept. */
    boolean isDefective() {
        return defect != null;
    }

    /** Takes the next field; one that was there before is replaced, by null: removed. */
    void put(String name, @Nullable String value) {
        if (isDefective()) {
            return;
        }
        if (++seen > limits.fieldsMax()) {
            refuse("more than " + limits.fieldsMax() + " header fields (extFieldsMax)");
        } else if (isLonger(name, limits.fieldNameMax())) {
            refuse("the name of a header field is longer than " + limits.fieldNameMax() + " bytes (extFieldNameMax)");
        } else if (value == null) {
            remove(name);
        } else if (isLonger(value, limits.fieldValueMax()) && !isFittingKvValue(name, value)) {
            refuse(tooLong(PeerText.shown(name, 64)));
        } else {
            add(name, value);
        }
    }

    /** The fields in their order on the wire; none when a limit was broken. */
    Map<String, String> fields() {
        return Collections.unmodifiableMap(fields);
    }

    /** Why a request of this code must be refused for its fields; null when they are as they should be. */
    @Nullable
    CommandException defect(int code) {
        if (largeKvValue && code != RequestCode.PUT_KV_CONFIG) {
            refuse(tooLong(KV_VALUE));
        }
        return defect == null ? null : new CommandException(ResponseCode.SYSTEM_ERROR, defect);
    }

    private void add(String name, String value) {
        if (fields.isEmpty()) {
            fields = new LinkedHashMap<>();
        }
        fields.put(name, value);
    }

    private void remove(String name) {
        if (!fields.isEmpty()) {
            fields.remove(name);
        }
    }

    /** The code may stand behind the fields, so whether this may be is decided in {@link #defect}. */
    private boolean isFittingKvValue(String name, String value) {
        boolean fits = name.equals(KV_VALUE) && !isLonger(value, limits.kvValueMax());
        largeKvValue |= fits;
        return fits;
    }

    private String tooLong(String field) {
        return "the custom field <" + field + "> is longer than " + limits.fieldValueMax()
                + " bytes (extFieldValueMax)";
    }

    private void refuse(String remark) {
        defect = remark;
        fields = Map.of();
    }

    private static boolean isLonger(String text, int bytes) {
        return text.length() > bytes || (text.length() > bytes / 3 && ByteBufUtil.utf8Bytes(text) > bytes);
    }
}
