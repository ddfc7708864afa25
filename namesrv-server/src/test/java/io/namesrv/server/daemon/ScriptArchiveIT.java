package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class data archive that the build leaves in the tree. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptArchiveIT {
    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException {
        assumeFalse(Boolean.getBoolean("skipArchive"));
        scripts = new Scripts(home);
    }

    @Test
    void a_start_takes_its_classes_from_the_archive() throws Exception {
        assertThat(classesOfTheArchive()).isGreaterThan(1000);
    }

    /** Jars are told by their place and time: this is how a tree is found that was moved or changed. */
    @Test
    void an_archive_of_other_jars_is_passed_over_in_silence() throws Exception {
        scripts.copiedTo(home.resolve("copy"));

        assertThat(classesOfTheArchive()).isZero();
    }

    /** Such a one ends JDK 17 with a SIGBUS. */
    @Test
    void an_archive_that_was_cut_short_is_passed_over_in_silence() throws Exception {
        Path archive = scripts.copiedTo(home.resolve("copy")).tree().resolve("lib/namesrv.jsa");
        byte[] whole = Files.readAllBytes(archive);
        Files.delete(archive);
        Files.write(archive, Arrays.copyOf(whole, 1_000_000));

        assertThat(classesOfTheArchive()).isZero();
    }

    @Test
    void what_is_no_archive_is_passed_over_in_silence() throws Exception {
        Path archive = scripts.copiedTo(home.resolve("copy")).tree().resolve("lib/namesrv.jsa");
        Files.delete(archive);
        Files.writeString(archive, "no archive");
        Files.writeString(Path.of(archive + ".length"), Files.size(archive) + "\n");

        assertThat(classesOfTheArchive()).isZero();
    }

    /** Starts the daemon, which must have no complaint, and counts. */
    private long classesOfTheArchive() throws IOException, InterruptedException {
        Path classes = home.resolve("classes");
        scripts.with("JAVA_OPT_EXT", "-Xlog:class+load:file=" + classes);
        try (Launched launched = scripts.start("sh", "mqnamesrv")) {
            launched.awaitStarted();
            launched.terminate();

            assertThat(launched.end().err()).isEmpty();
        }
        try (var lines = Files.lines(classes)) {
            return lines.filter(line -> line.endsWith("shared objects file (top)"))
                    .count();
        }
    }
}
