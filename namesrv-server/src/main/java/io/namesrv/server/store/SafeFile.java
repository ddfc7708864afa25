package io.namesrv.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is replaced as a whole: whatever happens meanwhile, a reader finds the former content or the new one.
 *
 * <p>The new content goes to {@code name.tmp} in the same directory and to the disk, the former file stays as
 * {@code name.prev}, {@code name.tmp} is renamed to {@code name}, and the directory is synced. A new file has mode 0600,
 * one that is there keeps its mode; a directory that is made has mode 0700. Where {@code name} is a symbolic link all
 * this happens beside the file it leads to, and the link stays.
 *
 * <p>Not for several threads, or several processes, that write at the same time.
 */
public final class SafeFile {
    /** The ending of the copy that Apache's NameServer leaves of a file before it overwrites it. */
    public static final String APACHE_BACKUP = ".bak";

    static final String PREVIOUS = ".prev";
    static final String TEMPORARY = ".tmp";
    private static final String PREVIOUS_TEMPORARY = ".prev.tmp";

    private static final Logger log = LoggerFactory.getLogger(SafeFile.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /** Makes a value of what a file holds. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * The value of a content.
         *
         * @throws BadContentException if it is not what such a file holds, as when it was cut off
         */
        T parse(byte[] content) throws BadContentException;
    }

    /** A file does not hold what it should; the message says why. */
    public static final class BadContentException extends Exception {
        public BadContentException(String message) {
            super(message);
        }
    }

    /**
     * What was read.
     *
     * @param fallback whether they come from an older copy, since the file itself is bad or gone
     */
    public record Loaded<T>(T value, boolean fallback) {}

    /** What a write has done so far. */
    enum Step {
        DIRECTORY_MADE,
        TEMPORARY_MADE,
        TEMPORARY_WRITTEN,
        FORMER_LINKED,
        FORMER_KEPT,
        REPLACED
    }

    /** Fills a new, empty file with its content. */
    @FunctionalInterface
    interface Content {
        void writeTo(FileChannel channel) throws IOException;
    }

    /** Told after each step of a write; a test stops there. */
    @FunctionalInterface
    interface Probe {
        void reached(Step step) throws IOException;
    }

    private final Path path;
    private final boolean keepsFormer;
    private final boolean syncs;
    private final Clock clock;
    private final Probe probe;

    /** The file of that path, which need not be there; its former content is kept at each write. */
    public SafeFile(Path path) {
        this(path, true, true, Clock.systemUTC(), step -> {});
    }

    private SafeFile(Path path, boolean keepsFormer, boolean syncs, Clock clock, Probe probe) {
        this.path = path;
        this.keepsFormer = keepsFormer;
        this.syncs = syncs;
        this.clock = clock;
        this.probe = probe;
    }

    /**
     * The same for a file that is only a hint: its former content is not kept, and after a loss of power it may hold that
     * again, though never half of anything.
     */
    public static SafeFile withoutFormer(Path path) {
        return new SafeFile(path, false, false, Clock.systemUTC(), step -> {});
    }

    /** The same for a file that is written once, under a name that no other has had. */
    static SafeFile writtenOnce(Path path, Probe probe) {
        return new SafeFile(path, false, true, Clock.systemUTC(), probe);
    }

    static SafeFile probed(Path path, Clock clock, Probe probe) {
        return new SafeFile(path, true, true, clock, probe);
    }

    /**
     * Replaces the content. Returns once the new one would survive a loss of power.
     *
     * @throws IOException if that failed, with the path and the reason in the message; the file holds what it held, and
     *     nothing is left beside it
     */
    public void write(byte[] content) throws IOException {
        replace(temporary -> Disk.fill(temporary, content, Disk.mode(target())));
    }

    /** The same for a content that is not held in memory; it is not read back. */
    void write(Content content) throws IOException {
        replace(temporary -> Disk.fill(temporary, content, Disk.mode(target())));
    }

    private interface Filler {
        void fill(Path temporary) throws IOException;
    }

    private void replace(Filler filler) throws IOException {
        Path file = target();
        Path temporary = beside(file, TEMPORARY);
        try {
            Disk.makeDirectories(directory(file));
            probe.reached(Step.DIRECTORY_MADE);
            Disk.create(temporary);
            probe.reached(Step.TEMPORARY_MADE);
            filler.fill(temporary);
            probe.reached(Step.TEMPORARY_WRITTEN);
            if (keepsFormer && Files.exists(file)) {
                keepFormer(file);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            probe.reached(Step.REPLACED);
        } catch (IOException | RuntimeException failed) {
            remove(temporary, failed);
            throw new IOException("cannot write " + path + ": " + Disk.reason(failed), failed);
        }
        if (syncs) {
            Disk.syncDirectory(directory(file));
        }
    }

    /** Makes {@code name.prev} the former file; at no moment is there none if there was one. */
    private void keepFormer(Path file) throws IOException {
        Path link = beside(file, PREVIOUS_TEMPORARY);
        Files.deleteIfExists(link);
        try {
            Disk.linkOrCopy(file, link);
            probe.reached(Step.FORMER_LINKED);
            Files.move(link, beside(file, PREVIOUS), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            // Renaming one name of a file to another of the same file does nothing.
            Files.deleteIfExists(link);
        }
        probe.reached(Step.FORMER_KEPT);
    }

    private static void remove(Path temporary, Exception cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException alsoFailed) {
            cause.addSuppressed(alsoFailed);
        }
    }

    /**
     * The content as it is; absent if there is no such file.
     *
     * @throws IOException if it is there and can't be read, with the path and the reason in the message
     */
    public Optional<byte[]> readAsIs() throws IOException {
        return content(target());
    }

    /**
     * What the file holds, or if it is bad or gone, what {@code name.prev} holds, or else the first good one of
     * {@code name} with the further endings. A bad file is moved aside to {@code name.bad-<time>} and logged as an ERROR;
     * nothing is ever deleted. Absent if no file is good.
     *
     * @throws IOException if a file is there and can't be read, or a bad one not be moved: to go on would be to overwrite
     *     later what nobody has looked at
     */
    public <T> Optional<Loaded<T>> read(Parser<T> parser, String... furtherEndings) throws IOException {
        Path file = target();
        List<String> endings = new ArrayList<>(List.of("", PREVIOUS));
        endings.addAll(Arrays.asList(furtherEndings));
        boolean anyBad = false;
        for (String ending : endings) {
            Path candidate = beside(file, ending);
            Optional<byte[]> content = content(candidate);
            if (content.isEmpty()) {
                continue;
            }
            try {
                T value = parser.parse(content.get());
                boolean fallback = !ending.isEmpty();
                if (fallback) {
                    log.warn("read older copy of file file={} copy={}", file, candidate);
                }
                return Optional.of(new Loaded<>(value, fallback));
            } catch (BadContentException bad) {
                log.error(
                        "set bad file aside file={} as={} reason={}", candidate, setAside(candidate), bad.getMessage());
                anyBad = true;
            }
        }
        if (anyBad) {
            log.error("no good copy of file, starting without its content file={}", file);
        }
        return Optional.empty();
    }

    private Path target() throws IOException {
        try {
            return Disk.followLinks(path);
        } catch (IOException endless) {
            throw new IOException("cannot follow " + path + ": " + Disk.reason(endless), endless);
        }
    }

    private static Optional<byte[]> content(Path file) throws IOException {
        try {
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new IOException("cannot read " + file + ": " + Disk.reason(unreadable), unreadable);
        }
    }

    private Path setAside(Path bad) throws IOException {
        return setAside(bad, clock, Files::move);
    }

    /** How a bad file gets its other name. */
    @FunctionalInterface
    interface Mover {
        Path move(Path from, Path to) throws IOException;
    }

    /** Gives a bad file the name {@code name.bad-<time>}, or a copy of it. */
    static Path setAside(Path bad, Clock clock, Mover mover) throws IOException {
        String ending = ".bad-" + TIME.format(clock.instant());
        for (int number = 1; ; number++) {
            Path aside = beside(bad, number == 1 ? ending : ending + "-" + number);
            try {
                return mover.move(bad, aside);
            } catch (FileAlreadyExistsException taken) {
                // Two within a second: the next number.
            } catch (IOException stuck) {
                throw new IOException("cannot move bad file " + bad + " aside: " + Disk.reason(stuck), stuck);
            }
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    private static Path directory(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }
}
