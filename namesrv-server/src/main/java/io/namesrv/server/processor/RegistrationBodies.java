package io.namesrv.server.processor;

import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.json.SharedTexts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that brokers send: the bodies of a registration, of a data version query and of a topic's own
 * registration. Null counts as missing
 * everywhere, unknown members are passed over; what is not JSON, or of another type than expected, is a {@link
 * JsonFormatException}.
 */
final class RegistrationBodies {
    /** Queues of a topic that says nothing of them, as in NameServer 4.9.7 and 5.3.3. */
    private static final int DEFAULT_QUEUES = 16;
    /** Filter servers of a broker that are kept; there are a few, where there are any. */
    private static final int FILTER_SERVERS_MAX = 64;

    /** Brokers of a topic in a 217; there are not more of them in one name server, as a rule. */
    private static final int QUEUE_DATAS_MAX = 10_000;

    private static final String TOPIC_NAME = "topicName";

    /** Permission of a topic that says nothing of it: read and write. */
    private static final int DEFAULT_PERM = 6;

    /**
     * What a registration's body holds.
     *
     * @param table the topic table
     * @param filterServers the filter servers
     */
    record Body(TopicTable table, FilterServers filterServers) {
        /** No body at all. */
        static final Body NONE = new Body(TopicTable.NONE, FilterServers.NONE);
        /** No body at all of a broker before release 3.0.11. */
        static final Body UNSTATED = new Body(TopicTable.NONE, FilterServers.UNSTATED);
    }

    private final NameRules rules;
    private final int jsonMaxDepth;
    private final int jsonMaxNumberLength;
    private final int topicsMax;

    /**
     * Makes a reader.
     *
     * @param jsonMaxDepth most levels of nesting
     * @param jsonMaxNumberLength most digits of a number
     * @param topicsMax most topics of one registration
     */
    RegistrationBodies(NameRules rules, int jsonMaxDepth, int jsonMaxNumberLength, int topicsMax) {
        this.rules = rules;
        this.jsonMaxDepth = jsonMaxDepth;
        this.jsonMaxNumberLength = jsonMaxNumberLength;
        this.topicsMax = topicsMax;
    }

    private JsonCursor cursor(byte[] text) {
        return new JsonCursor(text, 0, text.length, jsonMaxDepth, jsonMaxNumberLength, JsonCursor.MAX_EXPONENT_LENGTH);
    }

    /** For a whole table, in which the same names come again and again. */
    private JsonCursor tableCursor(byte[] text) {
        return JsonCursor.sharing(new SharedTexts(), text, 0, text.length, jsonMaxDepth, jsonMaxNumberLength);
    }

    /** A collector of the topics of one body, in which bad ones are passed over and counted. */
    TopicTableBuilder builder(CountingAdmission.Growth growth) {
        return new TopicTableBuilder(rules, topicsMax, growth);
    }

    /**
     * The body since release 3.0.11: the topic table in a wrapper, filter servers beside it.
     *
     * @param growth charged with what is made of it
     * @throws NoRoomException if there is no room for that
     */
    Body wrapped(byte[] body, CountingAdmission.Growth growth) {
        JsonCursor json = tableCursor(body);
        TopicTableBuilder table = builder(growth);
        List<String> filterServers = new ArrayList<>();
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "topicConfigSerializeWrapper" -> wrapper(json, table);
                case "filterServerList" -> filterServers(json, filterServers);
                default -> json.skip();
            }
        }
        json.end();
        return new Body(table.build(), new FilterServers(true, filterServers));
    }

    /** The body before release 3.0.11: the topic table alone, which says nothing of filter servers. */
    Body bare(byte[] body, CountingAdmission.Growth growth) {
        JsonCursor json = tableCursor(body);
        TopicTableBuilder table = builder(growth);
        wrapper(json, table);
        json.end();
        return new Body(table.build(), FilterServers.UNSTATED);
    }

    private void wrapper(JsonCursor json, TopicTableBuilder table) {
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "dataVersion" -> table.dataVersion(dataVersion(json));
                case "topicConfigTable" -> topics(json, table);
                case "topicQueueMappingInfoMap" -> mappings(json, table);
                default -> json.skip();
            }
        }
    }

    /** The topics by name; the name counts that stands within each. */
    private static void topics(JsonCursor json, TopicTableBuilder table) {
        TopicForms forms = new TopicForms();
        json.beginObject();
        while (json.passToMember()) {
            if (json.tryNull()) {
                table.skip();
            } else {
                TopicConfig known = forms.read(json);
                table.add(known == null ? topic(json, forms) : known);
            }
        }
    }

    /** A topic, read without any form. */
    static TopicConfig topic(JsonCursor json) {
        return numbers(json, TOPIC_NAME, DEFAULT_QUEUES, DEFAULT_PERM);
    }

    private static TopicConfig topic(JsonCursor json, TopicForms forms) {
        int from = json.position();
        TopicConfig topic = topic(json);
        forms.learn(json.text(), from, json.position(), topic);
        return topic;
    }

    /**
     * A topic's numbers on a broker; what bears the name differs between a registration and a route. A number that is too
     * large becomes {@link NameRules#NO_NUMBER}, so that it breaks the rules of its topic and not the whole body.
     */
    private static TopicConfig numbers(JsonCursor json, String nameMember, int queues, int perm) {
        String name = "";
        int read = queues;
        int write = queues;
        int bits = perm;
        int sysFlag = 0;
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "readQueueNums" -> read = number(json);
                case "writeQueueNums" -> write = number(json);
                case "perm" -> bits = number(json);
                case "topicSysFlag" -> sysFlag = number(json);
                default -> {
                    if (json.name().equals(nameMember)) {
                        name = json.stringOrText();
                    } else {
                        json.skip();
                    }
                }
            }
        }
        return new TopicConfig(name, read, write, bits, sysFlag);
    }

    private static int number(JsonCursor json) {
        long plain = json.tryPlainInteger();
        if (plain != JsonCursor.NOT_PLAIN) {
            return plain == (int) plain ? (int) plain : NameRules.NO_NUMBER;
        }
        String text = json.stringOrText();
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException unusual) {
            return unusualNumber(text);
        }
    }

    /** A whole number that is written as 6.0, or beyond 32 bits. */
    private static int unusualNumber(String text) {
        try {
            BigDecimal number = new BigDecimal(text).stripTrailingZeros();
            if (number.scale() <= 0) {
                boolean fits = number.compareTo(BigDecimal.valueOf(number.intValue())) == 0;
                return fits ? number.intValue() : NameRules.NO_NUMBER;
            }
        } catch (NumberFormatException none) {
            // said below, as for a fraction
        }
        throw new JsonFormatException("malformed JSON: an integer is expected in a topic");
    }

    private static void mappings(JsonCursor json, TopicTableBuilder table) {
        json.beginObject();
        while (json.nextMember()) {
            if (!json.tryNull()) {
                table.add(StaticTopics.mapping(json, table::countMappedQueue));
            }
        }
    }

    /**
     * The queues of a route, which is the body of 217; all else in it is passed over. Of several for one broker the last
     * one counts.
     */
    List<QueueData> queuesOfRoute(byte[] body) {
        JsonCursor json = cursor(body);
        Map<String, QueueData> queues = new LinkedHashMap<>();
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            if (json.name().equals("queueDatas")) {
                queues(json, queues);
            } else {
                json.skip();
            }
        }
        json.end();
        return List.copyOf(queues.values());
    }

    private static void queues(JsonCursor json, Map<String, QueueData> into) {
        json.beginArray();
        while (json.nextElement()) {
            if (!json.tryNull()) {
                TopicConfig queue = numbers(json, "brokerName", 0, 0);
                into.put(queue.topicName(), queue.queuesOn(queue.topicName()));
                if (into.size() > QUEUE_DATAS_MAX) {
                    throw new JsonFormatException("queueDatas of more than " + QUEUE_DATAS_MAX + " brokers");
                }
            }
        }
    }

    private void filterServers(JsonCursor json, List<String> into) {
        json.beginArray();
        while (json.nextElement()) {
            if (json.tryNull()) {
                continue;
            }
            String filterServer = json.stringOrText();
            if (into.size() < FILTER_SERVERS_MAX && rules.text(filterServer).isEmpty()) {
                into.add(filterServer);
            }
        }
    }

    // ---- parts of the compressed form

    /** A data version on its own; no text is none. */
    DataVersion dataVersion(byte[] text) {
        if (text.length == 0) {
            return DataVersion.NONE;
        }
        JsonCursor json = cursor(text);
        DataVersion version = json.tryNull() ? DataVersion.NONE : dataVersion(json);
        json.end();
        return version;
    }

    /** A list of filter servers on its own; no text is none. */
    List<String> filterServers(byte[] text) {
        if (text.length == 0) {
            return List.of();
        }
        JsonCursor json = cursor(text);
        List<String> filterServers = new ArrayList<>();
        if (!json.tryNull()) {
            filterServers(json, filterServers);
        }
        json.end();
        return filterServers;
    }

    /**
     * A mapping of a static topic on its own.
     *
     * @param queue told of each of its queues
     */
    TopicQueueMappingInfo mapping(byte[] text, Runnable queue) {
        JsonCursor json = cursor(text);
        TopicQueueMappingInfo mapping = StaticTopics.mapping(json, queue);
        json.end();
        return mapping;
    }

    private static DataVersion dataVersion(JsonCursor json) {
        long counter = 0;
        long stateVersion = 0;
        long timestamp = 0;
        json.beginObject();
        while (json.nextMember()) {
            if (json.tryNull()) {
                continue;
            }
            switch (json.name()) {
                case "counter" -> counter = json.longValue();
                case "stateVersion" -> stateVersion = json.longValue();
                case "timestamp" -> timestamp = json.longValue();
                default -> json.skip();
            }
        }
        return new DataVersion(stateVersion, timestamp, counter);
    }
}
