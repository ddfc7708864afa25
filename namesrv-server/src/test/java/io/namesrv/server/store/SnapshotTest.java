package io.namesrv.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.namesrv.core.PauseClock;
import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.QueueData;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.TableLimits;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicQueue;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.core.route.RouteInfoManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written of the routes comes back, whenever the writing ends and whatever becomes of the files. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class SnapshotTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
    private static final ConnectionId CONNECTION = new ConnectionId(1);
    private static final Duration MAX_AGE = Duration.ofMinutes(60);

    @TempDir
    private Path home;

    private long millis = 1_000_000;
    private final RouteInfoManager routes = new RouteInfoManager(() -> millis);
    private final Steps steps = new Steps();

    /** Fails at a step, as if the process had ended there. */
    private static final class Steps implements SnapshotWriter.Probe {
        private int left = Integer.MAX_VALUE;
        private String at = "";
        private Runnable then = () -> {};

        @Override
        public void reached(SafeFile.Step step) throws IOException {
            reached(step.name());
        }

        @Override
        public void reached(SnapshotWriter.Step step) throws IOException {
            reached(step.name());
        }

        private void reached(String step) throws IOException {
            if (step.equals(at)) {
                at = "";
                then.run();
            }
            if (--left < 0) {
                throw new IOException("ended at " + step);
            }
        }
    }

    private SnapshotWriter writer() throws IOException {
        SnapshotDirectory directory = directory();
        routes.keepChanges(SnapshotWriter.CHANGES_MAX);
        boolean empty = directory.highest() == 0 && !Files.exists(directory.inc(0));
        return new SnapshotWriter(
                routes,
                directory,
                new SnapshotWriter.Options(Duration.ofMinutes(10), 100, "test"),
                List.of(),
                0,
                empty,
                () -> millis,
                clock(NOW),
                steps);
    }

    private SnapshotDirectory directory() {
        return new SnapshotDirectory(home.resolve("routeinfo"));
    }

    private static Clock clock(Instant instant) {
        return Clock.fixed(instant, ZoneOffset.UTC);
    }

    private Optional<RouteSnapshot> load() throws IOException {
        return new SnapshotLoader(directory(), MAX_AGE, clock(NOW)).load();
    }

    /** What another daemon would know of the files, as the answers it gives. */
    private String restored() throws IOException {
        RouteInfoManager other = new RouteInfoManager(() -> millis);
        load().ifPresent(snapshot -> other.restore(snapshot, 120_000));
        assertThat(other.invariantViolations()).isEmpty();
        return picture(other);
    }

    private static String picture(RouteInfoManager routes) {
        TreeMap<String, Object> topics = new TreeMap<>();
        routes.allTopicList().forEach(topic -> topics.put(topic, routes.pickupTopicRouteData(topic, false)));
        return routes.clusterInfo() + " " + topics;
    }

    private static Registration broker(int number, int topics, UnaryOperator<TopicTable> change) {
        List<TopicConfig> configs = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            configs.add(new TopicConfig("topic-" + number + "-" + i, 4, 4, number == 2 ? 4 : 7, 1));
            configs.add(new TopicConfig("shared-" + i, 4, 2, number == 2 ? 4 : 6, 0));
        }
        TopicTable table = new TopicTable(new DataVersion(0, 7, number), configs.size(), configs, Set.of(), List.of());
        return new Registration(
                "c" + number % 2,
                "b" + number,
                0,
                "10.0.0." + number + ":10911",
                "10.0.0." + number + ":10912",
                ActingMaster.ENABLED,
                "zone",
                120_000,
                change.apply(table),
                new FilterServers(true, List.of("f" + number)));
    }

    private void register(int number, int topics) {
        routes.registerBroker(broker(number, topics, table -> table), CONNECTION, false);
    }

    /** Long enough for all changes to be on the disk. */
    private void settle(SnapshotWriter writer) {
        look(writer, 20);
        look(writer, 1_000);
    }

    private void look(SnapshotWriter writer, long later) {
        millis += later;
        writer.run();
    }

    // ---- what comes back

    @Test
    void changes_come_back_a_second_after_they_were_made() throws Exception {
        SnapshotWriter writer = writer();
        look(writer, 0);
        register(1, 3);
        look(writer, 20);
        assertThat(restored()).isEqualTo(picture(new RouteInfoManager(() -> 0)));

        look(writer, 1_000);

        assertThat(restored()).isEqualTo(picture(routes));
        assertThat(names()).containsExactlyInAnyOrder("inc-0.log", "alive");
    }

    @Test
    void a_hundred_of_them_come_back_at_once() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 60);

        look(writer, 0);

        assertThat(restored()).isEqualTo(picture(routes));
    }

    @Test
    void all_of_it_comes_back_from_a_full_file() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 3);
        register(2, 5);
        routes.registerBroker(
                broker(
                        3,
                        2,
                        table -> new TopicTable(
                                table.dataVersion(),
                                table.size(),
                                table.topics(),
                                table.skipped(),
                                List.of(mapping(3)))),
                CONNECTION,
                false);
        routes.wipeWritePermOfBroker("b1", CONNECTION);
        routes.addWritePermOfBroker("b2", CONNECTION);

        writer.finish();

        assertThat(names()).containsExactlyInAnyOrder("full-1.json", "inc-1.log", "inc-0.log", "alive");
        assertThat(restored()).isEqualTo(picture(routes));
        RouteSnapshot loaded = load().orElseThrow();
        assertThat(loaded.mappings()).containsExactly(mapping(3));
        assertThat(loaded.members())
                .containsExactlyInAnyOrderElementsOf(routes.snapshot().members());
        assertThat(loaded.topics())
                .containsExactlyInAnyOrderElementsOf(routes.snapshot().topics().stream()
                        .map(topic -> new RouteSnapshot.Topic(
                                topic.topic(),
                                topic.queues().stream()
                                        .map(TopicQueue::asRestored)
                                        .toList()))
                        .toList());
    }

    private static TopicQueueMappingInfo mapping(int number) {
        return new TopicQueueMappingInfo(
                "shared-0", "__global__", 8, "b" + number, 5, false, new TreeMap<>(Map.of(0, 1, 7, 2)));
    }

    @Test
    void any_sequence_of_changes_comes_back() throws Exception {
        Random random = new Random(7);
        SnapshotWriter writer = writer();
        for (int round = 0; round < 300; round++) {
            int number = 1 + random.nextInt(5);
            switch (random.nextInt(8)) {
                case 0 ->
                    routes.unregisterBroker("c" + number % 2, "b" + number, "10.0.0." + number + ":10911", CONNECTION);
                case 1 -> routes.deleteTopic("shared-" + random.nextInt(3), CONNECTION);
                case 2 -> routes.wipeWritePermOfBroker("b" + number, CONNECTION);
                case 3 -> routes.addWritePermOfBroker("b" + number, CONNECTION);
                case 4 -> look(writer, 600_000);
                default -> register(number, random.nextInt(40));
            }
            if (random.nextInt(3) == 0) {
                settle(writer);
                assertThat(restored()).isEqualTo(picture(routes));
            }
        }
        assertThat(writer.errors()).isZero();
    }

    @Test
    void equal_queues_of_many_topics_share_lines() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1_500);

        settle(writer);

        assertThat(Files.readAllLines(directory().inc(0))).hasSizeLessThan(10);
        assertThat(restored()).isEqualTo(picture(routes));
    }

    @Test
    void of_queues_that_one_step_gives_to_a_topic_twice_the_last_come_back() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1);
        QueueData few = new QueueData("b1", 1, 1, 6, 0);
        QueueData many = new QueueData("b1", 9, 9, 6, 0);
        routes.registerTopic("twice", List.of(few, many, few), CONNECTION);
        routes.registerTopic("also-twice", List.of(many, few, many), CONNECTION);

        settle(writer);

        assertThat(restored()).isEqualTo(picture(routes));
    }

    @Test
    void of_the_pairs_the_present_and_the_former_one_are_kept() throws Exception {
        SnapshotWriter writer = writer();
        for (int i = 1; i <= 4; i++) {
            register(i, 1);
            look(writer, 600_000);
            look(writer, 1_000);
        }

        assertThat(names()).containsExactlyInAnyOrder("full-3.json", "inc-3.log", "full-4.json", "inc-4.log", "alive");
    }

    @Test
    void nothing_is_written_while_nothing_changes() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1);
        look(writer, 600_000);
        look(writer, 1_000);
        List<String> before = names();

        for (int i = 0; i < 10; i++) {
            register(1, 1);
            routes.signOfLife("c1", "10.0.0.1:10911");
            look(writer, 700_000);
        }
        writer.finish();

        assertThat(names()).isEqualTo(before);
    }

    @Test
    void so_many_changes_that_they_were_not_kept_are_answered_by_a_full_file() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1);
        settle(writer);
        routes.keepChanges(10);

        register(2, 50);
        settle(writer);
        look(writer, 1_000);

        assertThat(names()).contains("full-1.json");
        assertThat(restored()).isEqualTo(picture(routes));
    }

    // ---- ends in the middle

    @Test
    void an_end_after_any_step_leaves_the_former_state_or_the_new_one() throws Exception {
        for (int end = 0; ; end++) {
            Path fresh = Files.createDirectory(home.resolve("end" + end));
            SnapshotTest run = new SnapshotTest();
            run.home = fresh;
            if (!run.endsAt(end)) {
                assertThat(end).isGreaterThan(7);
                return;
            }
        }
    }

    /** Whether it ended before all was done. */
    private boolean endsAt(int end) throws Exception {
        SnapshotWriter writer = writer();
        register(1, 3);
        settle(writer);
        String first = restored();
        register(2, 3);
        String second = picture(routes);
        steps.left = end;

        settle(writer);
        String afterChanges = restored();
        assertThat(afterChanges).isIn(first, second);
        look(writer, 600_000);
        writer.finish();

        String afterFull = restored();
        assertThat(afterFull).isIn(first, second);
        if (afterChanges.equals(second)) {
            assertThat(afterFull).isEqualTo(second);
        }
        return steps.left < 0;
    }

    @Test
    void changes_during_a_full_file_are_in_both_pairs() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 3);
        look(writer, 600_000);
        look(writer, 1_000);
        register(2, 3);
        steps.at = "TEMPORARY_MADE";
        steps.then = () -> {
            register(3, 60); // so many that they are not left for later
            routes.unregisterBroker("c1", "b1", "10.0.0.1:10911", CONNECTION);
            routes.wipeWritePermOfBroker("b2", CONNECTION);
        };
        // Between the parts of a file that is long there are more looks; this one has but the last.
        look(writer, 600_000);
        look(writer, 20);
        look(writer, 1_000);

        assertThat(directory().fulls().get(0)).isEqualTo(2);
        assertThat(Files.size(directory().inc(2))).isPositive();
        assertThat(restored()).isEqualTo(picture(routes));
        Files.delete(directory().full(2));
        assertThat(restored()).isEqualTo(picture(routes));
    }

    @Test
    void what_cannot_be_written_is_written_once_it_can() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 3);
        steps.left = 0;
        settle(writer);
        assertThat(writer.errors()).isPositive();
        register(2, 3);
        steps.left = Integer.MAX_VALUE;

        look(writer, 5_000);
        look(writer, 5_000);

        assertThat(restored()).isEqualTo(picture(routes));
    }

    @Test
    void a_directory_that_cannot_be_made_costs_a_count_and_nothing_else() throws Exception {
        Files.writeString(home.resolve("routeinfo"), "in the way");
        SnapshotWriter writer = new SnapshotWriter(
                routes,
                directory(),
                new SnapshotWriter.Options(Duration.ofMinutes(10), 100, "test"),
                List.of(),
                0,
                true,
                () -> millis,
                clock(NOW),
                steps);
        register(1, 3);

        settle(writer);
        assertThat(writer.errors()).isEqualTo(1);
        look(writer, 5_000);

        assertThat(writer.errors()).isEqualTo(2);
    }

    // ---- bad files

    private SnapshotWriter twoPairs() throws IOException {
        SnapshotWriter writer = writer();
        register(1, 2);
        look(writer, 600_000);
        look(writer, 1_000);
        register(2, 2);
        look(writer, 600_000);
        register(3, 2);
        settle(writer);
        return writer;
    }

    private interface Damage {
        byte[] of(byte[] content);
    }

    private static final Map<String, Damage> DAMAGES = Map.of(
            "cut", content -> Arrays.copyOf(content, content.length / 2),
            "empty", content -> new byte[0],
            "flipped",
                    content -> {
                        content[content.length - 20] ^= 1;
                        return content;
                    },
            "header flipped",
                    content -> {
                        content[3] ^= 1;
                        return content;
                    },
            "foreign", content -> "#!/bin/sh\nexit 0\n".getBytes(StandardCharsets.UTF_8),
            "longer", content -> Arrays.copyOf(content, content.length + 3));

    @Test
    void a_bad_full_file_is_set_aside_and_the_former_pair_is_as_good() throws Exception {
        for (Map.Entry<String, Damage> damage : DAMAGES.entrySet()) {
            SnapshotTest run = new SnapshotTest();
            run.home = Files.createDirectory(home.resolve(damage.getKey().replace(' ', '-')));
            run.twoPairs();
            Path full = run.directory().full(2);
            Files.write(full, damage.getValue().of(Files.readAllBytes(full)));

            List<String> names = run.load().orElseThrow().members().stream()
                    .map(RouteSnapshot.Member::brokerName)
                    .toList();

            assertThat(names).as(damage.getKey()).contains("b1", "b2");
            assertThat(run.names()).as(damage.getKey()).anyMatch(name -> name.startsWith("full-2.json.bad-"));
            assertThat(run.names()).doesNotContain("full-2.json");
        }
    }

    @Test
    void with_nothing_good_the_tables_are_empty() throws Exception {
        twoPairs();
        for (long seq : directory().fulls()) {
            Files.writeString(directory().full(seq), "nonsense");
        }
        Files.delete(directory().inc(1));

        assertThat(load()).isEmpty();
        assertThat(directory().fulls()).isEmpty();
    }

    @Test
    void a_last_change_that_was_cut_off_is_left_out() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 2);
        settle(writer);
        String before = restored();
        register(2, 2);
        settle(writer);
        Path inc = directory().inc(0);
        byte[] content = Files.readAllBytes(inc);

        for (int cut = content.length - 1; cut > content.length - 60; cut--) {
            Files.write(inc, Arrays.copyOf(content, cut));
            assertThat(load()).isPresent();
        }

        assertThat(before).isNotEqualTo(restored()); // all but the last lines are there
        assertThat(names()).noneMatch(name -> name.contains(".bad-"));
    }

    @Test
    void changes_behind_a_bad_one_are_left_out_and_a_copy_is_set_aside() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 2);
        settle(writer);
        Path inc = directory().inc(0);
        long good = Files.size(inc);
        String before = restored();
        register(2, 2);
        settle(writer);
        byte[] content = Files.readAllBytes(inc);
        content[(int) good + 8] ^= 1;
        Files.write(inc, content);

        assertThat(restored()).isEqualTo(before);
        assertThat(names()).anyMatch(name -> name.startsWith("inc-0.log.bad-"));
        assertThat(names()).contains("inc-0.log");
    }

    @Test
    void a_line_that_is_missing_ends_the_replay() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 2);
        settle(writer);
        Path inc = directory().inc(0);
        List<String> lines = new ArrayList<>(Files.readAllLines(inc));
        lines.remove(2);
        Files.write(inc, lines);

        assertThat(load().orElseThrow().topics().size()).isLessThan(4);
    }

    @Test
    void a_file_of_a_newer_format_is_left_alone_and_the_former_pair_loaded() throws Exception {
        SnapshotWriter writer = twoPairs();
        Path newer = directory().full(7);
        Files.writeString(newer, "{\"format\":2,\"seq\":7}\nwhatever it holds");

        SnapshotLoader loader = new SnapshotLoader(directory(), MAX_AGE, clock(NOW));
        assertThat(loader.load()).isPresent();
        assertThat(loader.foreign()).containsExactly(7L);
        assertThat(loader.loaded()).isEqualTo(2);

        SnapshotWriter next = new SnapshotWriter(
                routes,
                directory(),
                new SnapshotWriter.Options(Duration.ofMinutes(10), 100, "test"),
                loader.foreign(),
                loader.loaded(),
                false,
                () -> millis,
                clock(NOW),
                steps);
        look(next, 1_000);
        register(4, 1);
        look(next, 600_000);
        look(next, 1_000);
        assertThat(writer.errors() + next.errors()).isZero();
        assertThat(names())
                .contains("full-7.json", "full-8.json", "full-9.json")
                .doesNotContain("full-1.json");
        assertThat(Files.readString(newer)).contains("whatever it holds");
    }

    @Test
    void members_of_later_versions_are_passed_over() throws Exception {
        Files.createDirectories(directory().path());
        byte[] payload =
                ("{\"groups\":[{\"cluster\":\"C1\",\"brokerName\":\"broker-a\",\"colour\":{\"a\":[1]},\"members\":[{\"id\":0,"
                                + "\"addr\":\"127.0.0.1:10911\",\"mood\":\"good\"}]}],\"topics\":[{\"topic\":\"T1\",\"queues\":"
                                + "[{\"brokerName\":\"broker-a\",\"read\":4,\"write\":4,\"perm\":6,\"declaredPerm\":6,\"wiped\":"
                                + "false,\"sysFlag\":0,\"x\":null}]}],\"more\":[{}]}")
                        .getBytes(StandardCharsets.UTF_8);
        String header = "{\"format\":1,\"version\":\"x\",\"seq\":1,\"savedAt\":1,\"length\":" + payload.length
                + ",\"crc32c\":\"" + SnapshotChanges.checksum(payload, 0, payload.length) + "\"}\n";
        Files.write(directory().full(1), header.getBytes(StandardCharsets.UTF_8));
        Files.write(directory().full(1), payload, StandardOpenOption.APPEND);
        directory().stamp(NOW.toEpochMilli());

        assertThat(restored()).contains("broker-a").contains("T1").contains("127.0.0.1:10911");
    }

    // ---- age

    @Test
    void what_is_too_old_or_of_the_future_is_not_loaded() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1);
        writer.finish();
        long now = NOW.toEpochMilli();
        Map<Long, Boolean> loaded = new TreeMap<>(Map.of(
                now,
                true,
                now - MAX_AGE.toMillis(),
                true,
                now - MAX_AGE.toMillis() - 1_000,
                false,
                now + 299_000,
                true,
                now + 301_000,
                false));

        loaded.forEach((alive, expected) -> {
            try {
                directory().stamp(alive);
                assertThat(load().isPresent()).as("%d", alive - now).isEqualTo(expected);
            } catch (IOException e) {
                fail(e);
            }
        });
    }

    @Test
    void without_a_stamp_the_time_of_the_file_counts() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 1);
        writer.finish();
        Files.delete(directory().path().resolve("alive"));
        for (Path file : List.of(directory().full(1), directory().inc(1))) {
            Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(7_200)));
        }
        assertThat(load()).isEmpty();
        Files.setLastModifiedTime(directory().full(1), FileTime.from(NOW));
        assertThat(load()).isPresent();
    }

    @Test
    void the_stamp_is_renewed_every_thirty_seconds() throws Exception {
        SnapshotWriter writer = writer();
        look(writer, 0);
        Path alive = directory().path().resolve("alive");
        Files.delete(alive);
        look(writer, 29_000);
        assertThat(alive).doesNotExist();

        look(writer, 1_000);

        assertThat(alive).hasContent(Long.toString(NOW.toEpochMilli()));
    }

    @Test
    void limits_hold_for_what_is_loaded_too() throws Exception {
        SnapshotWriter writer = writer();
        register(1, 10);
        writer.finish();
        RouteInfoManager small = new RouteInfoManager(
                new PauseClock(() -> millis), new TableLimits(3, 100, 10, 10, 10, 10, Long.MAX_VALUE));

        assertThat(small.restore(load().orElseThrow(), 1_000).skipped()).isEqualTo(17);
        assertThat(small.sizes().topics()).isEqualTo(3);
        assertThat(small.invariantViolations()).isEmpty();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory().path())) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
