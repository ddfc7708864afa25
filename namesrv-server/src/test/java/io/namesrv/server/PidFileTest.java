package io.namesrv.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PidFileTest {
    @TempDir
    Path directory;

    @Test
    void it_holds_the_process_id_until_the_stop() throws IOException {
        Path path = directory.resolve("made/namesrv.pid");

        PidFile pidFile = PidFile.write(path);

        assertThat(path).hasContent(Long.toString(ProcessHandle.current().pid()));
        pidFile.close();
        assertThat(path).doesNotExist();
    }

    @Test
    void the_file_of_another_process_stays() throws IOException {
        Path path = directory.resolve("namesrv.pid");
        PidFile pidFile = PidFile.write(path);
        Files.writeString(path, "1\n");

        pidFile.close();

        assertThat(path).hasContent("1");
    }

    @Test
    void one_that_cannot_be_written_is_no_failure() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "in the way");

        PidFile pidFile = PidFile.write(file.resolve("namesrv.pid"));

        assertThat(file).hasContent("in the way");
        pidFile.close();
    }
}
