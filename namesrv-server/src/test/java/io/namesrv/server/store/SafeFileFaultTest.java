package io.namesrv.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.namesrv.server.store.SafeFile.BadContentException;
import io.namesrv.server.store.SafeFile.Loaded;
import io.namesrv.server.store.SafeFile.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write that ends between any two of its steps, by a crash of the process or by a failure it lives to see. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SafeFileFaultTest {
    /** The process is gone: nothing that the write would still have done is done. */
    private static final class Crash extends Error {}

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void a_crash_after_any_step_leaves_the_old_content_or_the_new(Step last) throws Exception {
        Path path = directory.resolve("name");
        new SafeFile(path).write(bytes("good old"));

        assertThatExceptionOfType(Crash.class)
                .isThrownBy(() -> crashing(path, last).write(bytes("good new")));

        assertThat(path).hasContent(last == Step.REPLACED ? "good new" : "good old");
        assertThat(read(path)).map(Loaded::fallback).contains(false);
        new SafeFile(path).write(bytes("good next"));
        assertThat(path).hasContent("good next");
        assertThat(names()).containsExactly("name", "name.prev");
    }

    @ParameterizedTest
    @EnumSource
    void a_crash_after_any_step_leaves_a_former_content_to_fall_back_to(Step last) throws Exception {
        Path path = directory.resolve("name");
        new SafeFile(path).write(bytes("good older"));
        new SafeFile(path).write(bytes("good old"));

        assertThatExceptionOfType(Crash.class)
                .isThrownBy(() -> crashing(path, last).write(bytes("good new")));
        Files.delete(path);
        Files.writeString(path, "cut");

        assertThat(read(path))
                .map(Loaded::value)
                .hasValueSatisfying(value -> assertThat(value).isIn("good older", "good old"));
    }

    @ParameterizedTest
    @EnumSource
    void a_first_write_that_crashes_leaves_no_half_a_file(Step last) throws Exception {
        Path path = directory.resolve("new/name");
        if (last == Step.FORMER_LINKED || last == Step.FORMER_KEPT) {
            return; // there is no former file
        }

        assertThatExceptionOfType(Crash.class)
                .isThrownBy(() -> crashing(path, last).write(bytes("good new")));

        assertThat(read(path).map(Loaded::value))
                .isEqualTo(last == Step.REPLACED ? Optional.of("good new") : Optional.empty());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLACED")
    void a_failure_after_any_step_leaves_the_old_content_and_nothing_beside(Step last) throws Exception {
        Path path = directory.resolve("name");
        new SafeFile(path).write(bytes("good older"));
        new SafeFile(path).write(bytes("good old"));
        SafeFile failing = SafeFile.probed(path, Clock.systemUTC(), step -> {
            if (step == last) {
                throw new IOException("No space left on device");
            }
        });

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> failing.write(bytes("good new")))
                .withMessage("cannot write " + path + ": No space left on device");

        assertThat(path).hasContent("good old");
        assertThat(names()).containsExactly("name", "name.prev");
    }

    @Test
    void a_write_that_reads_back_differently_fails() throws Exception {
        Path path = directory.resolve("name");
        new SafeFile(path).write(bytes("good old"));
        SafeFile replaced = SafeFile.probed(path, Clock.systemUTC(), step -> {
            if (step == Step.TEMPORARY_MADE) {
                Path temporary = directory.resolve("name.tmp");
                Files.delete(temporary);
                Files.createSymbolicLink(temporary, Path.of("/dev/null"));
            }
        });

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> replaced.write(bytes("good new")))
                .withMessageStartingWith("cannot write " + path);
        assertThat(path).hasContent("good old");
        assertThat(names()).containsExactly("name");
    }

    private static SafeFile crashing(Path path, Step last) {
        return SafeFile.probed(path, Clock.systemUTC(), step -> {
            if (step == last) {
                throw new Crash();
            }
        });
    }

    private static Optional<Loaded<String>> read(Path path) throws IOException {
        return new SafeFile(path).read(content -> {
            String text = new String(content, UTF_8);
            if (!text.startsWith("good ")) {
                throw new BadContentException("it is not good");
            }
            return text;
        });
    }

    private List<String> names() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
