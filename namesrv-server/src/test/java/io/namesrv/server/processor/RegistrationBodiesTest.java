package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.server.config.NamesrvConfig.Names;
import io.namesrv.server.processor.RegistrationBodies.Body;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RegistrationBodiesTest {
    private static final int V4_9_7 = 407;
    private static final int V5_3_3 = 479;
    private static final long MAX_INFLATED = 4 << 20;

    private static final CountingAdmission ROOM = new CountingAdmission(0, "");

    private final RegistrationBodies bodies =
            new RegistrationBodies(new NameRules(new Names(false, 512, 255, 255, 255)), 32, 64, 1000);
    private final CompressedRegistration compressed = new CompressedRegistration(bodies, MAX_INFLATED);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Body read(String json) {
        return bodies.wrapped(utf8(json), ROOM.growth());
    }

    private static TopicTable table(DataVersion version, int size, TopicConfig... topics) {
        return new TopicTable(version, size, List.of(topics), Set.of(), List.of());
    }

    // ---- JSON

    @Test
    void a_body_as_5_3_3_sends_it_is_read_bare_number_keys_included() {
        Body body = read("{\"filterServerList\":[\"10.0.0.9:1\"],\"topicConfigSerializeWrapper\":{"
                + "\"dataVersion\":{\"counter\":3,\"stateVersion\":2,\"timestamp\":1700000000000},"
                + "\"mappingDataVersion\":{\"counter\":0,\"stateVersion\":0,\"timestamp\":1},"
                + "\"topicConfigTable\":{\"T1\":{\"attributes\":{},\"order\":false,\"perm\":6,\"readQueueNums\":4,"
                + "\"topicFilterType\":\"SINGLE_TAG\",\"topicName\":\"T1\",\"topicSysFlag\":1,\"writeQueueNums\":8}},"
                + "\"topicQueueMappingDetailMap\":{},"
                + "\"topicQueueMappingInfoMap\":{\"T1\":{\"bname\":\"b\",\"currIdMap\":{0:0,1:1},\"dirty\":true,"
                + "\"epoch\":7,\"scope\":\"__global__\",\"topic\":\"T1\",\"totalQueues\":4}}}}");

        TopicQueueMappingInfo mapping =
                new TopicQueueMappingInfo("T1", "__global__", 4, "b", 7, true, new TreeMap<>(Map.of(0, 0, 1, 1)));
        assertThat(body)
                .isEqualTo(new Body(
                        new TopicTable(
                                new DataVersion(2, 1700000000000L, 3),
                                1,
                                List.of(new TopicConfig("T1", 4, 8, 6, 1)),
                                Set.of(),
                                List.of(mapping)),
                        new FilterServers(true, List.of("10.0.0.9:1"))));
    }

    @Test
    void a_body_before_3_0_11_is_the_table_alone_and_says_nothing_of_filter_servers() {
        Body body = bodies.bare(
                utf8("{\"dataVersion\":{\"counter\":1,\"timestamp\":2},"
                        + "\"topicConfigTable\":{\"T1\":{\"topicName\":\"T1\"}}}"),
                ROOM.growth());

        assertThat(body)
                .isEqualTo(new Body(
                        table(new DataVersion(0, 2, 1), 1, new TopicConfig("T1", 16, 16, 6, 0)),
                        FilterServers.UNSTATED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"topicConfigSerializeWrapper\":null,\"filterServerList\":null}",
                "{\"topicConfigSerializeWrapper\":{\"dataVersion\":null,\"topicConfigTable\":null,\"topicQueueMappingInfoMap\":null}}",
                "{\"topicConfigSerializeWrapper\":{\"dataVersion\":{\"counter\":null}}}",
                "{\"unknown\":{\"a\":[1,2,{\"b\":null}]}}"
            })
    void null_counts_as_missing_everywhere(String json) {
        assertThat(read(json)).isEqualTo(Body.NONE);
    }

    @Test
    void a_topic_goes_by_its_name_not_by_its_key_and_entries_without_one_are_passed_over() {
        TopicTable table = read("{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{"
                        + "\"key\":{\"topicName\":\"name\"},\"gone\":null,\"nameless\":{\"perm\":6}}}}")
                .table();

        assertThat(table.topics()).containsExactly(new TopicConfig("name", 16, 16, 6, 0));
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void a_bad_topic_is_passed_over_and_remembered_and_its_neighbours_stay() {
        TopicTable table = read("{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{"
                        + "\"a\":{\"topicName\":\"many\",\"readQueueNums\":65537},"
                        + "\"b\":{\"topicName\":\"line\\nbreak\"},"
                        + "\"c\":{\"topicName\":\"perm\",\"perm\":-1},"
                        + "\"d\":{\"topicName\":\"good\"}}}}")
                .table();

        assertThat(table.topics()).containsExactly(new TopicConfig("good", 16, 16, 6, 0));
        assertThat(table.skipped()).containsExactlyInAnyOrder("many", "line\nbreak", "perm");
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void a_topic_with_a_number_beyond_32_bits_is_passed_over() {
        TopicTable table = read("{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{"
                        + "\"a\":{\"topicName\":\"large\",\"perm\":99999999999},"
                        + "\"b\":{\"topicName\":\"flag\",\"topicSysFlag\":2147483648},"
                        + "\"c\":{\"topicName\":\"huge\",\"readQueueNums\":1e300},"
                        + "\"d\":{\"topicName\":\"good\",\"perm\":6.0,\"readQueueNums\":\"4\"}}}}")
                .table();

        assertThat(table.topics()).containsExactly(new TopicConfig("good", 4, 16, 6, 0));
        assertThat(table.skipped()).containsExactlyInAnyOrder("large", "flag", "huge");
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void null_in_a_mapping_counts_as_missing_too() {
        TopicTable table = read("{\"topicConfigSerializeWrapper\":{\"topicQueueMappingInfoMap\":{"
                        + "\"T\":{\"topic\":\"T\",\"bname\":\"b\",\"scope\":null,\"currIdMap\":{0:null,1:2}}}}}")
                .table();

        assertThat(table.mappings())
                .containsExactly(
                        new TopicQueueMappingInfo("T", "__global__", 0, "b", 0, false, new TreeMap<>(Map.of(1, 2))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{not json",
                "{} trailing",
                "{\"topicConfigSerializeWrapper\":[]}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":[]}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":[]}}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":5}}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":{\"topicName\":{}}}}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":{\"topicName\":\"a\",\"perm\":1.5}}}}",
                "{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{\"a\":{\"topicName\":\"a\",\"perm\":\"x\"}}}}",
                "{\"topicConfigSerializeWrapper\":{\"dataVersion\":{\"counter\":1e999999999}}}",
                "{\"topicConfigSerializeWrapper\":{\"topicQueueMappingInfoMap\":{\"a\":{\"currIdMap\":{\"x\":1}}}}}",
                "{\"filterServerList\":{}}"
            })
    void what_cannot_be_read_is_refused_whole(String json) {
        assertThatExceptionOfType(JsonFormatException.class).isThrownBy(() -> read(json));
    }

    @Test
    void a_registration_has_a_greatest_number_of_topics() {
        StringBuilder topics = new StringBuilder();
        for (int i = 0; i <= 1000; i++) {
            topics.append(i == 0 ? "" : ",").append("\"t").append(i).append("\":null");
        }

        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> read("{\"topicConfigSerializeWrapper\":{\"topicConfigTable\":{" + topics + "}}}"))
                .withMessageContaining("topicsPerBrokerMax");
    }

    // ---- the compressed form

    private static byte[] inflated(
            String dataVersion, List<String> topics, String filterServers, List<String> mappings) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            block(out, dataVersion);
            out.writeInt(topics.size());
            for (String topic : topics) {
                block(out, topic);
            }
            block(out, filterServers);
            if (!mappings.contains("absent")) {
                out.writeInt(mappings.size());
                for (String mapping : mappings) {
                    block(out, mapping);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static void block(DataOutputStream out, String text) throws IOException {
        byte[] bytes = utf8(text);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] deflate(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, new Deflater(Deflater.BEST_COMPRESSION))) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void the_compressed_body_captured_from_5_3_3_is_read() {
        byte[] body = HexFormat.of()
                .parseHex(
                        "78da636060b0a8564ace2fcd2b492d52b232d6512a2e492c490d4b2d2acecccf53b232d0512ac9cc4d050ae6162859"
                                + "199a1b20402d03030323108b85182a9800a19942b0a79fbb8f6b7c88a3bb42354896293a1648320000676b1842");

        assertThat(CompressedRegistration.looksCompressed(body)).isTrue();
        assertThat(compressed.read(body, V5_3_3, ROOM.growth()))
                .isEqualTo(new Body(
                        table(new DataVersion(0, 1700000000000L, 3), 1, new TopicConfig("T1", 4, 4, 6, 0)),
                        FilterServers.NONE));
    }

    @Test
    void mappings_follow_since_5_0_0_only() {
        byte[] without = deflate(inflated("{}", List.of("T1 1 2 6 SINGLE_TAG"), "[\"f:1\"]", List.of("absent")));
        byte[] with = deflate(inflated(
                "{}",
                List.of("T1 1 2 6 MULTI_TAG {\"a\":\"b c\"}"),
                "[]",
                List.of("{\"topic\":\"T1\",\"bname\":\"b\",\"totalQueues\":2,\"currIdMap\":{\"1\":0}}")));

        assertThat(compressed.read(without, V4_9_7, ROOM.growth()).filterServers())
                .isEqualTo(new FilterServers(true, List.of("f:1")));
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> compressed.read(without, V5_3_3, ROOM.growth()));
        assertThat(compressed.read(with, V5_3_3, ROOM.growth()).table())
                .isEqualTo(new TopicTable(
                        DataVersion.NONE,
                        1,
                        List.of(new TopicConfig("T1", 1, 2, 6, 0)),
                        Set.of(),
                        List.of(new TopicQueueMappingInfo(
                                "T1", "__global__", 2, "b", 0, false, new TreeMap<>(Map.of(1, 0))))));
    }

    @Test
    void a_topic_with_too_few_fields_or_no_numbers_is_passed_over() {
        byte[] body = deflate(inflated(
                "{}",
                List.of("short 1 2 6", "words a b c SINGLE_TAG", "x".repeat(70_000), "good 1 2 6 SINGLE_TAG"),
                "[]",
                List.of()));

        TopicTable table = compressed.read(body, V5_3_3, ROOM.growth()).table();

        assertThat(table.topics()).containsExactly(new TopicConfig("good", 1, 2, 6, 0));
        assertThat(table.size()).isEqualTo(4);
    }

    @Test
    void empty_blocks_for_version_and_filter_servers_are_none() {
        byte[] body = deflate(inflated("", List.of("T1 1 2 6 SINGLE_TAG"), "", List.of()));

        assertThat(compressed.read(body, V5_3_3, ROOM.growth()))
                .isEqualTo(new Body(table(DataVersion.NONE, 1, new TopicConfig("T1", 1, 2, 6, 0)), FilterServers.NONE));
    }

    @Test
    void every_cut_of_a_compressed_body_is_refused() {
        byte[] body = deflate(inflated("{}", List.of("T1 1 2 6 SINGLE_TAG", "T2 1 2 6 SINGLE_TAG"), "[]", List.of()));
        for (int length = 0; length < body.length; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            assertThatExceptionOfType(JsonFormatException.class)
                    .as("cut to %d of %d", length, body.length)
                    .isThrownBy(() -> compressed.read(cut, V5_3_3, ROOM.growth()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"7fffffff", "7ffffff0", "19000000", "ffffffff", "80000000"})
    void lengths_that_are_only_claimed_are_refused_without_being_believed(String length) {
        byte[] body = deflate(HexFormat.of().parseHex(length + "7b7d"));

        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> compressed.read(body, V5_3_3, ROOM.growth()));
    }

    @Test
    void a_body_inflates_to_no_more_than_its_bounds() {
        byte[] filler = new byte[8 << 20];
        byte[] head = inflated("{}", List.of(), "[]", List.of());
        System.arraycopy(head, 0, filler, 0, 6);
        filler[9] = 1; // one topic, whose text is said to have 7 MiB
        filler[11] = 0x70;
        byte[] bomb = deflate(filler);

        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> compressed.read(bomb, V5_3_3, ROOM.growth()))
                .withMessageContaining("inflates to more");
    }

    @Test
    void what_a_body_inflates_to_is_charged_and_stops_where_there_is_no_room() {
        byte[] body = inflatedAndDeflated(100_000);
        CountingAdmission room = new CountingAdmission(120_000, "");
        CountingAdmission.Growth enough = room.growth();
        CountingAdmission.Growth tooLittle = room.growth();

        compressed.read(body, V4_9_7, enough);

        assertThat(enough.bytes()).isGreaterThan(100_000).isLessThan(101_000);
        assertThatExceptionOfType(NoRoomException.class)
                .isThrownBy(() -> compressed.read(body, V4_9_7, tooLittle))
                .satisfies(full -> assertThat(full.held()).isEqualTo(tooLittle.bytes()))
                .satisfies(full -> assertThat(full.getStackTrace()).isEmpty());
        enough.close();
        tooLittle.close();
        assertThat(room.total()).isZero();
    }

    /** One topic whose text has so many bytes. */
    private static byte[] inflatedAndDeflated(int bytes) {
        return deflate(inflated("{}", List.of("t".repeat(bytes)), "[]", List.of()));
    }

    @Test
    void what_is_made_of_a_body_is_charged_for_it_may_be_many_times_as_much() {
        StringBuilder topics = new StringBuilder("\"t\":null");
        StringBuilder ids = new StringBuilder("\"0\":0");
        for (int i = 1; i < 900; i++) {
            topics.append(",\"")
                    .append(i)
                    .append("\":{\"topicName\":\"")
                    .append(i)
                    .append("\"}");
            ids.append(",").append(i).append(":1");
        }
        for (String table : List.of(
                "\"topicConfigTable\":{" + topics + "}",
                "\"topicQueueMappingInfoMap\":{\"t\":{\"topic\":\"t\",\"currIdMap\":{" + ids + "}}}")) {
            byte[] body = utf8("{\"topicConfigSerializeWrapper\":{" + table + "}}");
            CountingAdmission room = new CountingAdmission(64 << 10, "");
            try (CountingAdmission.Growth growth = room.growth()) {
                assertThatExceptionOfType(NoRoomException.class).isThrownBy(() -> bodies.wrapped(body, growth));
            }
            try (CountingAdmission.Growth growth = new CountingAdmission(256 << 10, "").growth()) {
                bodies.wrapped(body, growth);
                assertThat(growth.bytes()).isGreaterThan(64 << 10);
            }
        }
    }

    @Test
    void of_a_route_the_last_queues_of_each_broker_count_and_there_are_so_many_brokers() {
        assertThat(bodies.queuesOfRoute(utf8("{\"queueDatas\":[{\"brokerName\":\"a\",\"perm\":2},"
                        + "{\"brokerName\":\"b\",\"perm\":4},{\"brokerName\":\"a\",\"perm\":6}]}")))
                .extracting(QueueData::brokerName, QueueData::perm)
                .containsExactly(tuple("a", 6), tuple("b", 4));

        StringBuilder many = new StringBuilder("{}");
        for (int i = 0; i < 10_000; i++) {
            many.append(",{\"brokerName\":\"").append(i).append("\"}");
        }
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> bodies.queuesOfRoute(utf8("{\"queueDatas\":[" + many + "]}")))
                .withMessage("queueDatas of more than 10000 brokers");
    }

    @Test
    void a_few_filter_servers_are_kept_and_no_more() {
        StringBuilder many = new StringBuilder("\"f:0\"");
        for (int i = 1; i < 1000; i++) {
            many.append(",\"f:").append(i).append('"');
        }

        assertThat(read("{\"filterServerList\":[" + many + "]}").filterServers().addresses())
                .hasSize(64);
    }

    @Test
    void numbers_may_have_as_many_digits_as_the_setting_says() {
        RegistrationBodies few = new RegistrationBodies(new NameRules(new Names(false, 512, 255, 255, 255)), 32, 5, 10);

        assertThat(few.dataVersion(utf8("{\"counter\":12345}")).counter()).isEqualTo(12345);
        assertThatExceptionOfType(JsonFormatException.class)
                .isThrownBy(() -> few.dataVersion(utf8("{\"counter\":123456}")));
    }

    @Test
    void no_mutation_of_a_body_does_worse_than_be_refused() {
        byte[] json = utf8(
                "{\"filterServerList\":[\"a\"],\"topicConfigSerializeWrapper\":{\"dataVersion\":{\"counter\":1},"
                        + "\"topicConfigTable\":{\"T\":{\"topicName\":\"T\",\"perm\":6}},"
                        + "\"topicQueueMappingInfoMap\":{\"T\":{\"topic\":\"T\",\"bname\":\"b\",\"currIdMap\":{0:1}}}}}");
        byte[] blocks = inflated("{}", List.of("T 1 2 6 SINGLE_TAG {}"), "[]", List.of("{\"topic\":\"T\"}"));
        Random random = new Random(41);
        for (int round = 0; round < 1_500; round++) {
            byte[] badJson = mutate(json, random);
            byte[] badBlocks = deflate(mutate(blocks, random));
            byte[] badStream = mutate(deflate(blocks), random);

            tolerate(() -> bodies.wrapped(badJson, ROOM.growth()));
            tolerate(() -> compressed.read(badBlocks, V5_3_3, ROOM.growth()));
            tolerate(() -> compressed.read(badStream, V5_3_3, ROOM.growth()));
        }
    }

    private static byte[] mutate(byte[] good, Random random) {
        byte[] bad = good.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
        }
        return bad;
    }

    private static void tolerate(Runnable reading) {
        try {
            reading.run();
        } catch (JsonFormatException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
