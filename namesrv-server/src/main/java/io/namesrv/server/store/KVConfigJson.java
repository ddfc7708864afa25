package io.namesrv.server.store;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONReader;
import io.namesrv.server.store.SafeFile.BadContentException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The JSON of {@code kvConfig.json}. It is read token by token: to a reader of whole objects some names, such as
 * {@code $ref} and {@code @type}, mean more than a name.
 */
final class KVConfigJson {
    private static final String CONFIG_TABLE = "configTable";
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private KVConfigJson() {}

    /** One line without a line end, as Apache's writes it. */
    static byte[] encode(Map<String, Map<String, String>> configTable) {
        return JSON.toJSONString(Map.of(CONFIG_TABLE, configTable)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Namespace → key → value, in order of names. Nulls, which Apache's leaves after a put without value, are dropped; a
     * number or truth value is taken as its text.
     */
    static Map<String, Map<String, String>> parse(byte[] content) throws BadContentException {
        try (JSONReader reader = JSONReader.of(decode(content))) {
            Map<String, Map<String, String>> table = document(reader);
            if (!reader.isEnd()) {
                throw new BadContentException("something follows the JSON");
            }
            return table;
        } catch (CharacterCodingException notText) {
            throw new BadContentException("it is not UTF-8");
        } catch (JSONException broken) {
            throw new BadContentException("it is no JSON: " + broken.getMessage());
        }
    }

    private static String decode(byte[] content) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(content))
                .toString();
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private static Map<String, Map<String, String>> document(JSONReader reader) throws BadContentException {
        Optional<Map<String, Map<String, String>>> table = Optional.empty();
        begin(reader);
        while (!reader.nextIfObjectEnd()) {
            if (name(reader).equals(CONFIG_TABLE)) {
                table = Optional.of(table(reader));
            } else {
                reader.skipValue();
            }
        }
        return table.orElseThrow(() -> new BadContentException("it has no " + CONFIG_TABLE));
    }

    private static Map<String, Map<String, String>> table(JSONReader reader) throws BadContentException {
        SortedMap<String, Map<String, String>> table = new TreeMap<>();
        begin(reader);
        while (!reader.nextIfObjectEnd()) {
            String namespace = name(reader);
            if (!reader.nextIfNull()) {
                table.put(namespace, values(reader));
            }
        }
        return table;
    }

    private static Map<String, String> values(JSONReader reader) throws BadContentException {
        SortedMap<String, String> values = new TreeMap<>();
        begin(reader);
        while (!reader.nextIfObjectEnd()) {
            String key = name(reader);
            if (!reader.nextIfNull()) {
                values.put(key, text(reader));
            }
        }
        return values;
    }

    private static void begin(JSONReader reader) throws BadContentException {
        if (!reader.nextIfObjectStart()) {
            throw new BadContentException("an object was expected at character " + reader.getOffset());
        }
    }

    private static String name(JSONReader reader) throws BadContentException {
        String name = reader.readFieldName();
        if (name == null) {
            throw new BadContentException("a name was expected at character " + reader.getOffset());
        }
        return name;
    }

    private static String text(JSONReader reader) throws BadContentException {
        String text = reader.isObject() || reader.isArray() ? null : reader.readString();
        if (text == null) {
            throw new BadContentException("a text was expected at character " + reader.getOffset());
        }
        return text;
    }
}
