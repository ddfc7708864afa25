package io.namesrv.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class HomeLockTest {
    @TempDir
    private Path home;

    @Test
    void the_first_writes_and_the_second_does_not_until_the_first_has_ended() throws Exception {
        Path file = home.resolve("data/kvConfig.json");
        try (HomeLock first = HomeLock.take(file, "kvConfigPath", "nothing is written here")) {
            assertThat(first.refusal()).isEmpty();
            try (HomeLock second = HomeLock.take(file, "kvConfigPath", "nothing is written here")) {
                assertThat(second.refusal())
                        .contains("process " + ProcessHandle.current().pid() + " uses " + file
                                + " too: nothing is written here; set kvConfigPath to one of this daemon's own, or stop the"
                                + " other one and start this one again");
            }
        }

        try (HomeLock third = HomeLock.take(file, "kvConfigPath", "nothing is written here")) {
            assertThat(third.refusal()).isEmpty();
        }
    }

    @Test
    void the_file_of_the_lock_is_its_owners_and_holds_the_process_id() throws Exception {
        Path file = home.resolve("data/kvConfig.json");
        try (HomeLock lock = HomeLock.take(file, "kvConfigPath", "nothing is written here")) {
            assertThat(lock.refusal()).isEmpty();
            Path lockFile = home.resolve("data/kvConfig.json.lock");
            assertThat(lockFile)
                    .hasContent(Long.toString(ProcessHandle.current().pid()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lockFile)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lockFile.getParent())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void two_names_of_one_file_have_one_lock() throws Exception {
        Path file = Files.createDirectory(home.resolve("data")).resolve("kvConfig.json");
        Path link = Files.createSymbolicLink(home.resolve("link.json"), file);
        try (HomeLock first = HomeLock.take(file, "kvConfigPath", "nothing is written here");
                HomeLock second = HomeLock.take(link, "kvConfigPath", "nothing is written here")) {
            assertThat(first.refusal()).isEmpty();
            assertThat(second.refusal()).isPresent();
        }
    }

    @Test
    void what_an_earlier_process_left_is_no_lock() throws Exception {
        Path file = home.resolve("kvConfig.json");
        Files.writeString(home.resolve("kvConfig.json.lock"), "12345678901\n");

        try (HomeLock lock = HomeLock.take(file, "kvConfigPath", "nothing is written here")) {
            assertThat(lock.refusal()).isEmpty();
        }
    }

    @Test
    void where_none_can_be_made_there_is_none_and_nothing_is_refused() throws Exception {
        Path inTheWay = Files.writeString(home.resolve("data"), "a file where the directory would be");

        try (HomeLock lock =
                HomeLock.take(inTheWay.resolve("kvConfig.json"), "kvConfigPath", "nothing is written here")) {
            assertThat(lock.refusal()).isEmpty();
        }
    }
}
