package io.namesrv.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KVConfigFileTest {
    private static final Map<String, Map<String, String>> ORDERS =
            Map.of("ORDER_TOPIC_CONFIG", Map.of("T1", "broker-a:4;broker-b:4"));

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("namesrv/kvConfig.json");
    }

    @Test
    void the_file_is_one_line_as_apaches_writes_it() throws Exception {
        new KVConfigFile(path).save(ORDERS);

        assertThat(Files.readString(path))
                .isEqualTo("{\"configTable\":{\"ORDER_TOPIC_CONFIG\":{\"T1\":\"broker-a:4;broker-b:4\"}}}");
    }

    @Test
    void what_was_saved_is_loaded() throws Exception {
        KVConfigFile file = new KVConfigFile(path);

        file.save(ORDERS);
        file.save(Map.of("ORDER_TOPIC_CONFIG", Map.of()));

        assertThat(new KVConfigFile(path).load()).isEqualTo(Map.of("ORDER_TOPIC_CONFIG", Map.of()));
        assertThat(names()).containsExactly("kvConfig.json", "kvConfig.json.crc", "kvConfig.json.prev");
    }

    @Test
    void a_file_that_is_not_there_is_an_empty_table() throws Exception {
        assertThat(new KVConfigFile(path).load()).isEmpty();
    }

    @Test
    void a_cut_file_is_set_aside_and_the_one_before_it_loaded() throws Exception {
        KVConfigFile file = new KVConfigFile(path);
        file.save(ORDERS);
        file.save(Map.of("NS", Map.of("k", "v")));
        byte[] whole = Files.readAllBytes(path);

        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));

            assertThat(new KVConfigFile(path).load()).as("cut to %d", length).isEqualTo(ORDERS);
            assertThat(path).as("cut to %d", length).doesNotExist();
        }
        assertThat(names().stream().filter(name -> name.contains(".bad-"))).hasSize(whole.length);
    }

    @Test
    void a_save_after_a_bad_file_overwrites_neither_it_nor_the_good_one() throws Exception {
        new KVConfigFile(path).save(ORDERS);
        Files.move(path, directory.resolve("namesrv/kvConfig.json.prev"));
        Files.writeString(path, "{\"configTable\":{\"OLD\"");
        KVConfigFile file = new KVConfigFile(path);

        file.load();
        file.save(Map.of("NEW", Map.of("k", "v")));

        assertThat(directory.resolve("namesrv/kvConfig.json.prev")).content().contains("ORDER_TOPIC_CONFIG");
        assertThat(names().stream().filter(name -> name.startsWith("kvConfig.json.bad-")))
                .singleElement()
                .satisfies(name ->
                        assertThat(directory.resolve("namesrv").resolve(name)).hasContent("{\"configTable\":{\"OLD\""));
    }

    @Test
    void the_backup_of_apaches_is_the_last_to_be_tried() throws Exception {
        put("kvConfig.json", "");
        put("kvConfig.json.bak", "{\"configTable\":{\"A\":{\"k\":\"v\"}}}");

        assertThat(new KVConfigFile(path).load()).isEqualTo(Map.of("A", Map.of("k", "v")));
    }

    @Test
    void where_no_copy_is_good_the_table_is_empty_and_the_bad_file_kept() throws Exception {
        put("kvConfig.json", "{");

        assertThat(new KVConfigFile(path).load()).isEmpty();
        assertThat(names()).singleElement().asString().startsWith("kvConfig.json.bad-");
    }

    @Test
    void a_file_that_cannot_be_read_ends_the_start() throws Exception {
        Files.createDirectories(path);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new KVConfigFile(path).load())
                .withMessageStartingWith("cannot read " + path);
    }

    @Test
    void a_save_that_fails_leaves_what_was_kept() throws Exception {
        KVConfigFile file = new KVConfigFile(path);
        file.save(ORDERS);
        Files.createDirectories(directory.resolve("namesrv/kvConfig.json.tmp/in/the/way"));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file.save(Map.of()))
                .withMessageStartingWith("cannot write " + path);

        assertThat(new KVConfigFile(path).load()).isEqualTo(ORDERS);
    }

    @Test
    void the_checksum_of_this_content_and_of_the_former_stand_beside_the_file() throws Exception {
        KVConfigFile file = new KVConfigFile(path);

        file.save(ORDERS);
        String first = crc();
        file.save(Map.of());
        String second = crc();

        assertThat(first).matches("crc32c:[0-9a-f]{8}\n\n");
        assertThat(second).matches("crc32c:[0-9a-f]{8}\n" + first.strip() + "\n");
    }

    @Test
    void a_file_of_another_program_is_taken() throws Exception {
        new KVConfigFile(path).save(ORDERS);
        put("kvConfig.json", "{\n  \"configTable\" : {\"A\" : {\"k\" : \"by hand\"}}\n}\n");

        assertThat(new KVConfigFile(path).load()).isEqualTo(Map.of("A", Map.of("k", "by hand")));
        assertThat(path).exists();
    }

    private String crc() throws IOException {
        return Files.readString(directory.resolve("namesrv/kvConfig.json.crc"), StandardCharsets.UTF_8);
    }

    private void put(String name, String content) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path.resolveSibling(name), content);
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(path.getParent())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
