package io.namesrv.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.server.store.SafeFile.BadContentException;
import io.namesrv.server.store.SafeFile.Loaded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SafeFileTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2024-05-06T07:08:09Z"), ZoneOffset.UTC);

    @TempDir
    Path directory;

    private Path path;
    private SafeFile file;

    @BeforeEach
    void name() {
        path = directory.resolve("name");
        file = SafeFile.probed(path, CLOCK, step -> {});
    }

    @Test
    void what_was_written_is_read_and_the_former_content_is_kept_beside() throws Exception {
        file.write(bytes("one"));
        file.write(bytes("two"));
        file.write(bytes("three"));

        assertThat(file.readAsIs()).contains(bytes("three"));
        assertThat(names()).containsExactly("name", "name.prev");
        assertThat(directory.resolve("name.prev")).hasContent("two");
    }

    @Test
    void a_file_without_former_leaves_nothing_beside() throws Exception {
        SafeFile plain = SafeFile.withoutFormer(path);

        plain.write(bytes("one"));
        plain.write(bytes("two"));

        assertThat(path).hasContent("two");
        assertThat(names()).containsExactly("name");
    }

    @Test
    void a_new_file_is_for_its_owner_alone_and_so_is_a_new_directory() throws Exception {
        Path deep = directory.resolve("a/b/name");

        new SafeFile(deep).write(bytes("x"));

        assertThat(mode(deep)).isEqualTo("rw-------");
        assertThat(mode(directory.resolve("a"))).isEqualTo("rwx------");
        assertThat(mode(directory.resolve("a/b"))).isEqualTo("rwx------");
    }

    @Test
    void a_file_that_is_there_keeps_its_mode() throws Exception {
        Files.writeString(path, "one");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-r--"));

        file.write(bytes("two"));

        assertThat(mode(path)).isEqualTo("rw-rw-r--");
        assertThat(mode(directory.resolve("name.prev"))).isEqualTo("rw-rw-r--");
    }

    @Test
    void a_symbolic_link_stays_and_what_it_leads_to_is_written() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real")).resolve("file");
        Files.createSymbolicLink(directory.resolve("between"), Path.of("real", "file"));
        Files.createSymbolicLink(path, directory.resolve("between"));

        file.write(bytes("one"));
        file.write(bytes("two"));

        assertThat(path).isSymbolicLink().hasContent("two");
        assertThat(real).isRegularFile().hasContent("two");
        assertThat(real.resolveSibling("file.prev")).hasContent("one");
        assertThat(file.readAsIs()).contains(bytes("two"));
    }

    @Test
    void links_that_go_round_are_an_error() throws Exception {
        Files.createSymbolicLink(path, directory.resolve("other"));
        Files.createSymbolicLink(directory.resolve("other"), path);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file.write(bytes("x")))
                .withMessageContaining("too many symbolic links");
    }

    @Test
    void what_a_crashed_write_left_is_in_nobodys_way() throws Exception {
        Files.writeString(directory.resolve("name.tmp"), "half");
        Files.writeString(directory.resolve("name.prev.tmp"), "half");
        Files.writeString(path, "one");

        file.write(bytes("two"));

        assertThat(names()).containsExactly("name", "name.prev");
        assertThat(path).hasContent("two");
    }

    @Test
    void a_write_into_what_is_no_directory_fails_with_path_and_reason() throws Exception {
        Path regular = Files.writeString(directory.resolve("regular"), "x");
        Path below = regular.resolve("name");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new SafeFile(below).write(bytes("y")))
                .withMessage("cannot write " + below + ": " + regular + " is in the way");
        assertThat(regular).hasContent("x");
    }

    @Test
    void a_directory_in_place_of_the_file_is_not_overwritten() throws Exception {
        Files.createDirectory(path);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file.write(bytes("y")))
                .withMessageStartingWith("cannot write " + path);

        assertThat(path).isDirectory();
        assertThat(names()).containsExactly("name");
    }

    @Test
    void a_file_that_is_not_there_is_no_error() throws Exception {
        assertThat(file.readAsIs()).isEmpty();
        assertThat(file.read(SafeFileTest::good, ".bak")).isEmpty();
        assertThat(names()).isEmpty();
    }

    @Test
    void a_good_file_is_read_whatever_stands_beside_it() throws Exception {
        put("name", "good 1");
        put("name.prev", "bad");
        put("name.bak", "good 3");

        assertThat(file.read(SafeFileTest::good, ".bak")).contains(new Loaded<>("good 1", false));
        assertThat(names()).containsExactly("name", "name.bak", "name.prev");
    }

    @Test
    void a_bad_file_is_set_aside_and_the_former_one_read() throws Exception {
        put("name", "bad");
        put("name.prev", "good 2");
        put("name.bak", "good 3");

        assertThat(file.read(SafeFileTest::good, ".bak")).contains(new Loaded<>("good 2", true));
        assertThat(names()).containsExactly("name.bad-20240506-070809", "name.bak", "name.prev");
    }

    @Test
    void after_two_bad_files_the_backup_of_apaches_is_read() throws Exception {
        put("name", "");
        put("name.prev", "bad");
        put("name.bak", "good 3");

        assertThat(file.read(SafeFileTest::good, ".bak")).contains(new Loaded<>("good 3", true));
        assertThat(names()).containsExactly("name.bad-20240506-070809", "name.bak", "name.prev.bad-20240506-070809");
    }

    @Test
    void a_missing_file_is_read_from_the_former_one_as_apaches_may_leave_it_in_a_crash() throws Exception {
        put("name.bak", "good 3");

        assertThat(file.read(SafeFileTest::good, ".bak")).contains(new Loaded<>("good 3", true));
        assertThat(file.read(SafeFileTest::good)).isEmpty();
    }

    @Test
    void where_nothing_is_good_nothing_is_read_and_nothing_lost() throws Exception {
        put("name", "bad 1");
        put("name.prev", "bad 2");

        assertThat(file.read(SafeFileTest::good, ".bak")).isEmpty();
        assertThat(directory.resolve("name.bad-20240506-070809")).hasContent("bad 1");
        assertThat(directory.resolve("name.prev.bad-20240506-070809")).hasContent("bad 2");
    }

    @Test
    void bad_files_of_one_second_are_all_kept() throws Exception {
        for (String content : List.of("bad 1", "bad 2", "bad 3")) {
            put("name", content);
            file.read(SafeFileTest::good);
        }

        assertThat(names())
                .containsExactly(
                        "name.bad-20240506-070809", "name.bad-20240506-070809-2", "name.bad-20240506-070809-3");
    }

    @Test
    void a_file_that_cannot_be_read_is_an_error_and_not_taken_for_a_missing_one() throws Exception {
        Files.createDirectory(path);
        put("name.prev", "good 2");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file.read(SafeFileTest::good))
                .withMessageStartingWith("cannot read " + path + ": ");
    }

    private void put(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String good(byte[] content) throws BadContentException {
        return Optional.of(new String(content, UTF_8))
                .filter(text -> text.startsWith("good"))
                .orElseThrow(() -> new BadContentException("it is not good"));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
