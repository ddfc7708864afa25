package io.namesrv.server;

import io.namesrv.server.store.SafeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file by which {@code mqshutdown} finds the daemon. Read-only homes are common, so a failure is a warning only. */
final class PidFile implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PidFile.class);

    private final Path path;
    private final SafeFile file;
    private final byte[] content;
    private boolean written;

    private PidFile(Path path) {
        this.path = path;
        this.file = SafeFile.withoutFormer(path);
        this.content = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Writes this process's id there. */
    static PidFile write(Path path) {
        PidFile pidFile = new PidFile(path);
        try {
            pidFile.file.write(pidFile.content);
            pidFile.written = true;
        } catch (IOException failed) {
            log.warn("no pid file, mqshutdown will not find this process: {}", failed.getMessage());
        }
        return pidFile;
    }

    /** Takes the file away, unless another process has written its own id there since. */
    @Override
    public void close() throws IOException {
        Optional<byte[]> there = written ? file.readAsIs() : Optional.empty();
        if (there.isPresent() && Arrays.equals(there.get(), content)) {
            Files.deleteIfExists(path);
        }
    }
}
