package io.namesrv.core.kv;

import io.namesrv.core.data.ReachedLimit;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The key/value settings at one moment; immutable.
 *
 * @param values namespace → key → value, in order, unmodifiable
 * @param keys keys of all namespaces together
 * @param bytes bytes, as JSON, of all namespaces, keys and values
 * @param namespaceBytes namespace → bytes, as JSON, of its keys and values
 */
record KVTable(SortedMap<String, Map<String, String>> values, int keys, long bytes, Map<String, Long> namespaceBytes) {
    static KVTable of(Map<String, Map<String, String>> loaded) {
        SortedMap<String, Map<String, String>> values = new TreeMap<>();
        Map<String, Long> namespaceBytes = new HashMap<>();
        int keys = 0;
        long bytes = 0;
        for (Map.Entry<String, Map<String, String>> namespace : loaded.entrySet()) {
            if (stays(namespace.getKey(), namespace.getValue())) {
                values.put(namespace.getKey(), immutable(namespace.getValue()));
                keys += namespace.getValue().size();
                long own = 0;
                for (Map.Entry<String, String> value : namespace.getValue().entrySet()) {
                    own += bytes(value.getKey()) + bytes(value.getValue());
                }
                namespaceBytes.put(namespace.getKey(), own);
                bytes += own + bytes(namespace.getKey());
            }
        }
        return new KVTable(Collections.unmodifiableSortedMap(values), keys, bytes, Map.copyOf(namespaceBytes));
    }

    private static boolean stays(String namespace, Map<String, String> values) {
        return !values.isEmpty() || namespace.equals(KVConfigManager.NAMESPACE_ORDER_TOPIC_CONFIG);
    }

    private static Map<String, String> immutable(Map<String, String> values) {
        return Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** In JSON, where a control character takes six; half of a surrogate pair counts two. */
    private static long bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                bytes += 6;
            } else if (c < 0x80) {
                bytes += c == '"' || c == '\\' ? 2 : 1;
            } else {
                bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            }
        }
        return bytes;
    }

    /** Changes of a table that are going to be written together. */
    static final class Draft {
        private final KVTable former;
        private final KVConfigManager.Limits limits;
        private final Map<String, Map<String, String>> touched = new HashMap<>();
        private final Map<String, Long> namespaceBytes;
        private int namespaces;
        private int keys;
        private long bytes;

        Draft(KVTable former, KVConfigManager.Limits limits) {
            this.former = former;
            this.limits = limits;
            this.namespaces = former.values().size();
            this.keys = former.keys();
            this.bytes = former.bytes();
            this.namespaceBytes = new HashMap<>(former.namespaceBytes());
        }

        /** Sets a value, or takes one away; or does nothing but name the limit that this would break. */
        Optional<ReachedLimit> apply(String namespace, String key, Optional<String> value) {
            Map<String, String> present =
                    touched.getOrDefault(namespace, former.values().getOrDefault(namespace, Map.of()));
            boolean existed = exists(namespace);
            String before = present.get(key);
            if (value.isEmpty() && before == null) {
                return Optional.empty();
            }
            int moreKeys = (value.isPresent() ? 1 : 0) - (before == null ? 0 : 1);
            long moreBytes =
                    value.map(KVTable::bytes).orElse(0L) - (before == null ? 0 : bytes(before)) + moreKeys * bytes(key);
            if (value.isPresent()) {
                Optional<ReachedLimit> reached =
                        reached(existed ? 0 : 1, moreKeys, moreBytes + (existed ? 0 : bytes(namespace)));
                if (reached.isEmpty() && moreBytes > 0 && bytesOf(namespace) + moreBytes > limits.namespaceBytes()) {
                    reached = Optional.of(new ReachedLimit("kvNamespaceMax", limits.namespaceBytes()));
                }
                if (reached.isPresent()) {
                    return reached;
                }
            }
            Map<String, String> copy = touched.computeIfAbsent(namespace, name -> new TreeMap<>(present));
            value.ifPresentOrElse(text -> copy.put(key, text), () -> copy.remove(key));
            int moreNamespaces = (exists(namespace) ? 1 : 0) - (existed ? 1 : 0);
            namespaces += moreNamespaces;
            keys += moreKeys;
            bytes += moreBytes + moreNamespaces * bytes(namespace);
            namespaceBytes.put(namespace, bytesOf(namespace) + moreBytes);
            return Optional.empty();
        }

        private long bytesOf(String namespace) {
            return namespaceBytes.getOrDefault(namespace, 0L);
        }

        private boolean exists(String namespace) {
            Map<String, String> values = touched.get(namespace);
            return values == null ? former.values().containsKey(namespace) : stays(namespace, values);
        }

        private Optional<ReachedLimit> reached(int moreNamespaces, int moreKeys, long moreBytes) {
            if (moreNamespaces > 0 && namespaces >= limits.namespaces()) {
                return Optional.of(new ReachedLimit("kvNamespacesMax", limits.namespaces()));
            }
            if (moreKeys > 0 && keys >= limits.keys()) {
                return Optional.of(new ReachedLimit("kvKeysMax", limits.keys()));
            }
            if (moreBytes > 0 && bytes + moreBytes > limits.bytes()) {
                return Optional.of(new ReachedLimit("kvTotalMax", limits.bytes()));
            }
            return Optional.empty();
        }

        /** The table with the changes. */
        KVTable finish() {
            SortedMap<String, Map<String, String>> next = new TreeMap<>(former.values());
            touched.forEach((namespace, values) -> {
                if (stays(namespace, values)) {
                    next.put(namespace, Collections.unmodifiableMap(values));
                } else {
                    next.remove(namespace);
                    namespaceBytes.remove(namespace);
                }
            });
            return new KVTable(Collections.unmodifiableSortedMap(next), keys, bytes, Map.copyOf(namespaceBytes));
        }
    }
}
