package io.namesrv.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which of several daemons writes to a file: the one that holds the lock of {@code name.lock} beside it, which the
 * system takes from it when it ends, however it does. The file of the lock holds its process id, and stays.
 *
 * <p>Where the directory cannot be written there is no lock, and no refusal: writing will fail by itself.
 */
public final class HomeLock implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HomeLock.class);
    private static final String LOCK = ".lock";

    private final @Nullable FileChannel held;
    private final Optional<String> refusal;

    private HomeLock(@Nullable FileChannel held, Optional<String> refusal) {
        this.held = held;
        this.refusal = refusal;
    }

    /**
     * Takes the lock of a file, or finds out who has it.
     *
     * @param key the setting that names the file
     * @param otherwise what does not happen here if another daemon has the lock
     */
    public static HomeLock take(Path file, String key, String otherwise) {
        try {
            Path target = Disk.followLinks(file.toAbsolutePath());
            Path lock = target.resolveSibling(target.getFileName() + LOCK);
            Path directory = lock.getParent();
            if (directory != null) {
                Disk.makeDirectories(directory);
            }
            return take(lock, file, key, otherwise);
        } catch (IOException failed) {
            log.warn(
                    "no lock file: another daemon over the same files would not be noticed file={} reason={}",
                    file,
                    Disk.reason(failed));
            return new HomeLock(null, Optional.empty());
        }
    }

    /** No lock, for files that are not used. */
    public static HomeLock none() {
        return new HomeLock(null, Optional.empty());
    }

    private static HomeLock take(Path lock, Path file, String key, String otherwise) throws IOException {
        if (!Files.exists(lock)) {
            Disk.createIfMissing(lock);
        }
        FileChannel channel = FileChannel.open(lock, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (isLocked(channel)) {
                channel.truncate(0);
                channel.write(
                        ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
                return new HomeLock(channel, Optional.empty());
            }
            String text = "process " + holder(channel) + " uses " + file + " too: " + otherwise + "; set " + key
                    + " to one of this daemon's own, or stop the other one and start this one again";
            channel.close();
            return new HomeLock(null, Optional.of(text));
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return false;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(32);
        channel.read(content, 0);
        String pid = new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII).strip();
        return pid.matches("[0-9]+") ? pid : "of another host or user";
    }

    /** Says in one line of the log what the locks that could not be had are about. */
    public static void warn(List<HomeLock> locks) {
        String refusals = locks.stream().flatMap(lock -> lock.refusal.stream()).collect(Collectors.joining("; "));
        if (!refusals.isEmpty()) {
            log.warn("{}", refusals);
        }
    }

    /** Why nothing is to be written: another daemon does, and what to do about it; empty if this one writes. */
    public Optional<String> refusal() {
        return refusal;
    }

    /** Gives the lock back. */
    @Override
    public void close() throws IOException {
        if (held != null) {
            held.close();
        }
    }
}
