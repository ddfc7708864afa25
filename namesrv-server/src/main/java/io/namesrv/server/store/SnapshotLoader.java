package io.namesrv.server.store;

import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.server.store.SafeFile.BadContentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what the directory of snapshots holds: the newest full file that is good, and the changes after it as far as they
 * are. What is bad is set aside under another name, and the former pair taken instead.
 */
final class SnapshotLoader {
    private static final Logger log = LoggerFactory.getLogger(SnapshotLoader.class);

    /** How far a clock may have been set back. */
    private static final Duration FUTURE = Duration.ofMinutes(5);

    private static final int FIRST_LINE_MAX = 4096;

    /** Where loading takes longer, it says how far it is. */
    private static final long PROGRESS_NANOS = 1_000_000_000;

    private final SnapshotDirectory directory;
    private final Duration maxAge;
    private final Clock clock;
    private final List<Long> foreign = new ArrayList<>();
    private long loaded;
    private long shownAt = System.nanoTime();

    SnapshotLoader(SnapshotDirectory directory, Duration maxAge, Clock clock) {
        this.directory = directory;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /** The numbers of the files that are of a newer format, and must be left alone. */
    List<Long> foreign() {
        return List.copyOf(foreign);
    }

    /** The number of the pair that was loaded; 0 if that is the changes since the empty tables, or none was. */
    long loaded() {
        return loaded;
    }

    /**
     * The routes as they were last; absent if nothing is kept, or nothing that is good or young enough.
     *
     * @throws IOException if a file is there and can't be read
     */
    Optional<RouteSnapshot> load() throws IOException {
        List<Long> fulls = directory.fulls();
        if (fulls.isEmpty() && !Files.exists(directory.inc(0))) {
            return Optional.empty();
        }
        noteForeign(fulls);
        if (!isYoungEnough(fulls)) {
            return Optional.empty();
        }
        boolean anyBad = false;
        for (long seq : fulls) {
            if (foreign.contains(seq)) {
                continue;
            }
            SnapshotDraft draft = new SnapshotDraft(this::showProgress);
            try {
                readFull(seq, draft);
                replay(seq, draft);
                loaded = seq;
                return Optional.of(draft.finish());
            } catch (BadContentException bad) {
                anyBad = true;
                setAside(directory.full(seq), Files::move, bad);
            } catch (IOException unreadable) {
                anyBad = true;
                log.error(
                        "route snapshot cannot be read file={} reason={}",
                        directory.full(seq),
                        Disk.reason(unreadable));
            }
        }
        if (Files.exists(directory.inc(0))) {
            SnapshotDraft draft = new SnapshotDraft(this::showProgress);
            replay(0, draft);
            return Optional.of(draft.finish());
        }
        if (anyBad) {
            log.error("no good route snapshot, starting with empty tables dir={}", directory.path());
        }
        return Optional.empty();
    }

    private void showProgress(int topics) {
        long now = System.nanoTime();
        if (now - shownAt > PROGRESS_NANOS) {
            shownAt = now;
            log.info("loading route snapshot dir={} topics so far={}", directory.path(), topics);
        }
    }

    private boolean isYoungEnough(List<Long> fulls) throws IOException {
        OptionalLong alive = directory.lastAlive();
        long last = alive.isPresent() ? alive.getAsLong() : lastChange(fulls);
        Duration age = Duration.ofMillis(clock.millis() - last);
        if (age.compareTo(maxAge) <= 0 && age.compareTo(FUTURE.negated()) >= 0) {
            return true;
        }
        log.info(
                "route snapshot not loaded, the daemon was running too long ago dir={} ageSeconds={} maxAgeSeconds={}",
                directory.path(),
                age.toSeconds(),
                maxAge.toSeconds());
        return false;
    }

    /** When a file was written last, for a directory without a note of when the daemon was running. */
    private long lastChange(List<Long> fulls) throws IOException {
        long last = 0;
        for (Path file : List.of(
                directory.full(fulls.isEmpty() ? 0 : fulls.get(0)),
                directory.inc(fulls.isEmpty() ? 0 : fulls.get(0)))) {
            if (Files.exists(file)) {
                last = Math.max(last, Files.getLastModifiedTime(file).toMillis());
            }
        }
        return last;
    }

    /** Finds the files of a newer format, by their first lines. */
    private void noteForeign(List<Long> fulls) {
        for (long seq : fulls) {
            try (InputStream in = Files.newInputStream(directory.full(seq))) {
                long format = SnapshotFile.header(in.readNBytes(FIRST_LINE_MAX)).format();
                if (format > SnapshotFile.FORMAT) {
                    foreign.add(seq);
                    log.warn(
                            "route snapshot of a newer format left alone file={} format={} known={}",
                            directory.full(seq),
                            format,
                            SnapshotFile.FORMAT);
                }
            } catch (IOException | BadContentException bad) {
                // Whoever reads it whole will say so.
            }
        }
    }

    private void readFull(long seq, SnapshotDraft draft) throws IOException, BadContentException {
        byte[] content = content(directory.full(seq));
        log.info("loading route snapshot file={} bytes={}", directory.full(seq), content.length);
        SnapshotFile.read(content, SnapshotFile.header(content), draft);
    }

    /** What this daemon writes is smaller than this part of its heap, whatever its tables hold. */
    private static byte[] content(Path file) throws IOException {
        long most = Math.min(
                Integer.MAX_VALUE - 8, (long) (0.42 * Runtime.getRuntime().maxMemory()));
        try {
            if (Files.size(file) > most) {
                throw new IOException("it is too large for this heap: " + Files.size(file) + " bytes");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException none) {
            return new byte[0];
        }
    }

    /** Applies the changes since a full file, up to the first that is bad: a crash may have cut the last one off. */
    private void replay(long seq, SnapshotDraft draft) {
        Path file = directory.inc(seq);
        try {
            byte[] content = content(file);
            int start = 0;
            for (long n = 1; start < content.length; n++) {
                int end = start;
                while (end < content.length && content[end] != '\n') {
                    end++;
                }
                if (end == content.length) {
                    log.info("last change of route snapshot was cut off file={} line={}", file, n);
                    return;
                }
                apply(content, start, end, n, draft);
                start = end + 1;
            }
            log.info("applied changes of route snapshot file={} bytes={}", file, content.length);
        } catch (BadContentException bad) {
            // A copy: the lines before the bad one are needed until the next full file is on the disk.
            log.warn("changes of route snapshot end early file={} reason={}", file, bad.getMessage());
            setAside(file, Files::copy, bad);
        } catch (IOException unreadable) {
            log.warn("changes of route snapshot cannot be read file={} reason={}", file, Disk.reason(unreadable));
        }
    }

    private static void apply(byte[] content, int start, int end, long n, SnapshotDraft draft)
            throws BadContentException {
        int json = end - start - SnapshotChanges.CHECKSUM_DIGITS - 1;
        if (json <= 0 || !SnapshotChanges.isChecksum(content, start, json)) {
            throw new BadContentException("the checksum of line " + n + " is wrong");
        }
        try {
            draft.apply(draft.cursor(content, start, json), n);
        } catch (JsonFormatException | ArithmeticException | NumberFormatException broken) {
            throw new BadContentException("line " + n + " is not what was expected: " + broken.getMessage());
        }
    }

    private void setAside(Path file, SafeFile.Mover mover, BadContentException bad) {
        try {
            log.error(
                    "set bad route snapshot aside file={} as={} reason={}",
                    file,
                    SafeFile.setAside(file, clock, mover),
                    bad.getMessage());
        } catch (IOException stuck) {
            log.error("bad route snapshot stays where it is file={} reason={}", file, Disk.reason(stuck));
        }
    }
}
