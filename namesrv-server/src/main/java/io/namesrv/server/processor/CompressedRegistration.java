package io.namesrv.server.processor;

import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.server.processor.RegistrationBodies.Body;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the compressed form of a registration's body, a zlib stream of
 *
 * <pre>
 * int32 n, n bytes        data version as JSON
 * int32 topics
 *   topics times:         int32 n, n bytes: name readQueues writeQueues perm filterType[ attributes]
 * int32 n, n bytes        filter servers as a JSON array
 * since release 5.0.0:
 * int32 mappings
 *   mappings times:       int32 n, n bytes: one mapping of a static topic as JSON
 * </pre>
 *
 * It carries no system flags. NameServer 4.9.7 fails the whole body at a topic that has not exactly five fields; here
 * one with fewer is passed over, and what is more is attributes, which no NameServer reads.
 */
final class CompressedRegistration {
    /** Caller's version from which on mappings follow: 5.0.0. */
    private static final int SINCE_MAPPINGS = 413;

    private static final int DATA_VERSION_MAX = 4 << 10;
    private static final int TOPIC_MAX = 64 << 10;
    private static final int FILTER_SERVERS_MAX = 1 << 20;
    private static final int MAPPING_MAX = 4 << 20;
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final int FIELDS = 5;

    private final RegistrationBodies bodies;
    private final long maxInflated;

    /**
     * Makes a reader.
     *
     * @param maxInflated most bytes that a body may inflate to
     */
    CompressedRegistration(RegistrationBodies bodies, long maxInflated) {
        this.bodies = bodies;
        this.maxInflated = maxInflated;
    }

    /** Whether a body looks like a zlib stream; 5.x brokers compress it and say that they do not. */
    static boolean looksCompressed(byte[] body) {
        return body.length > 0 && body[0] == 0x78;
    }

    /** Reads a body; what it inflates to, and what is made of that, is charged as it comes. */
    Body read(byte[] body, int callerVersion, CountingAdmission.Growth growth) {
        try (InflatedBlocks blocks = new InflatedBlocks(body, maxInflated, growth)) {
            TopicTableBuilder table = bodies.builder(growth);
            table.dataVersion(bodies.dataVersion(blocks.block(DATA_VERSION_MAX, "data version")));
            for (int left = blocks.count("topics"); left > 0; left--) {
                readTopic(blocks, table);
            }
            List<String> filterServers = bodies.filterServers(blocks.block(FILTER_SERVERS_MAX, "filter servers"));
            if (callerVersion >= SINCE_MAPPINGS) {
                for (int left = blocks.count("mappings"); left > 0; left--) {
                    table.add(bodies.mapping(blocks.block(MAPPING_MAX, "mapping"), table::countMappedQueue));
                }
            }
            blocks.end();
            return new Body(table.build(), new FilterServers(true, filterServers));
        }
    }

    private static void readTopic(InflatedBlocks blocks, TopicTableBuilder table) {
        int length = blocks.count("topic");
        if (length > TOPIC_MAX) {
            blocks.pass(length);
            table.skip();
            return;
        }
        String[] fields = BLANK.split(utf8(blocks.bytes(length)), FIELDS + 1);
        if (fields.length < FIELDS) {
            table.skip();
            return;
        }
        try {
            table.add(new TopicConfig(
                    fields[0],
                    Integer.parseInt(fields[1]),
                    Integer.parseInt(fields[2]),
                    Integer.parseInt(fields[3]),
                    0));
        } catch (NumberFormatException e) {
            table.skip();
        }
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new JsonFormatException("a topic is not UTF-8");
        }
    }
}
