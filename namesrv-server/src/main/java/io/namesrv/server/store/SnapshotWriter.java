package io.namesrv.server.store;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.RouteChange;
import io.namesrv.core.data.RouteChanges;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.route.RouteInfoManager;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the routes on the disk, as changes after a full snapshot. {@link #run} looks whether something is to be done, and
 * does it; whoever changes the routes never waits for it.
 *
 * <p>While a full file is written the changes go on to the former pair, and those that it does not hold into the file of
 * changes beside it, before it gets its name: whenever the process ends, one pair is whole.
 *
 * <p>What fails is tried again later; it costs a line in the log and a count.
 */
final class SnapshotWriter implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(SnapshotWriter.class);

    private static final long HEAP = Runtime.getRuntime().maxMemory();

    /** Most rows whose changes are kept in memory for the disk; with more of them all is written anew. */
    static final int CHANGES_MAX = (int) Math.min(200_000, HEAP / 4096);

    private static final long APPEND_AFTER_MILLIS = 1_000;
    private static final long STAMP_MILLIS = 30_000;
    private static final long RETRY_MILLIS = 5_000;

    /** A full file may need all that a disk has left. */
    private static final long FULL_RETRY_MILLIS = 30_000;

    private static final long INC_LINES_MAX = 10_000;
    private static final long INC_BYTES_MAX = 16 << 20;
    private static final long UNSAVED_BYTES_MAX = Math.min(64 << 20, HEAP / 32);

    /**
     * A full snapshot takes at most this part of the time, so that a storm of changes is not answered by one of files; of one
     * that alone will make the disk current again, half is enough.
     */
    private static final int FULL_SHARE = 10;

    private static final int NEEDED_FULL_SHARE = 2;

    /** How much is kept, and how often. */
    record Options(Duration fullInterval, int changeThreshold, String version) {}

    /** What an append has done so far; a full file has the steps of {@link SafeFile}. */
    enum Step {
        APPENDED,
        SYNCED,
        FULL_WRITTEN,
        OLD_DELETED
    }

    /** Told after each step; a test stops there. */
    interface Probe extends SafeFile.Probe {
        void reached(Step step) throws IOException;
    }

    private final RouteInfoManager routes;
    private final SnapshotDirectory directory;
    private final Options options;
    private final List<Long> foreign;
    private final Ticker ticker;
    private final Clock clock;
    private final Probe probe;

    /** The pair that is being written to. */
    private long seq;

    private long incLines;
    private long incBytes;
    private @Nullable FileChannel inc;

    /** Changes that could not be appended yet. */
    private SnapshotChanges unsaved = new SnapshotChanges(0);

    /** Whether the pair on the disk can be added to: it is of this process, and no change was lost since. */
    private boolean appendable;

    private boolean changedSinceFull;

    /** Whether no change was lost since a full file was begun. */
    private boolean complete;

    private long pendingSince;
    private boolean pending;
    private long lastFullAt;
    private long nextFullAt;
    private long neededFullAt;
    private long nextStampAt;
    private long retryAt;
    private volatile boolean failing;
    private final AtomicLong errors = new AtomicLong();
    private volatile long lastSuccess;

    /**
     * Makes a writer.
     *
     * @param foreign numbers of files that must stay
     * @param loaded the number of the pair that the tables come from; 0 if they are empty
     * @param addsToEmpty whether the directory holds nothing, so that changes may be counted from the empty tables
     */
    SnapshotWriter(
            RouteInfoManager routes,
            SnapshotDirectory directory,
            Options options,
            List<Long> foreign,
            long loaded,
            boolean addsToEmpty,
            Ticker ticker,
            Clock clock,
            Probe probe) {
        this.routes = routes;
        this.directory = directory;
        this.options = options;
        this.foreign = foreign;
        this.seq = loaded;
        this.appendable = addsToEmpty;
        this.changedSinceFull = !addsToEmpty;
        this.ticker = ticker;
        this.clock = clock;
        this.probe = probe;
        long now = ticker.millis();
        this.lastFullAt = now;
        this.nextFullAt = now;
        this.neededFullAt = now;
        this.nextStampAt = now;
        this.retryAt = now;
    }

    /** Whether the last write failed. */
    boolean fails() {
        return failing;
    }

    /** How often something could not be written. */
    long errors() {
        return errors.get();
    }

    /** Wall milliseconds of the last success; 0 before the first. */
    long lastSuccess() {
        return lastSuccess;
    }

    /** One look. */
    @Override
    public synchronized void run() {
        long now = ticker.millis();
        if (now - retryAt < 0) {
            return;
        }
        try {
            if (isAppendDue(now)) {
                append();
            }
            if (isFullDue(now)) {
                writeFull();
            }
            if (now - nextStampAt >= 0 && isCurrent()) {
                directory.stamp(clock.millis());
                nextStampAt = now + STAMP_MILLIS;
                succeeded();
            }
        } catch (IOException | RuntimeException failed) {
            failed(now, failed);
        }
    }

    /** The last of all: whatever has changed since the last full file goes into one. */
    synchronized void finish() {
        try {
            if (changedSinceFull || routes.pendingChanges() > 0) {
                writeFull();
            }
            if (isCurrent()) {
                directory.stamp(clock.millis());
            }
        } catch (IOException | RuntimeException failed) {
            failed(ticker.millis(), failed);
        } finally {
            closeInc();
        }
    }

    /** Whether the disk has what was to be kept: only then the daemon is noted as running, or old routes would pass for new. */
    private boolean isCurrent() {
        return appendable && unsaved.length() == 0;
    }

    private boolean isAppendDue(long now) {
        int changes = routes.pendingChanges();
        if (changes == 0 && unsaved.length() == 0) {
            pending = false;
            return false;
        }
        if (!pending) {
            pending = true;
            pendingSince = now;
        }
        return unsaved.length() > 0
                || changes >= options.changeThreshold()
                || now - pendingSince >= APPEND_AFTER_MILLIS;
    }

    private boolean isFullDue(long now) {
        if (now - (appendable ? nextFullAt : neededFullAt) < 0 || !changedSinceFull) {
            return false;
        }
        return !appendable
                || incLines > INC_LINES_MAX
                || incBytes > INC_BYTES_MAX
                || now - lastFullAt >= options.fullInterval().toMillis();
    }

    // ---- changes

    private void append() throws IOException {
        take(null, 0);
        save();
    }

    /**
     * Moves what has changed into the lines that are to be appended.
     *
     * @param beside takes the changes after {@code version} too, if given
     */
    private void take(@Nullable SnapshotChanges beside, long version) {
        RouteChanges drained = routes.drainChanges();
        pending = false;
        if (drained.lost()) {
            abandonPair();
            changedSinceFull = true;
            return;
        }
        try {
            for (RouteChange change : drained.changes()) {
                changedSinceFull = true;
                if (appendable) {
                    unsaved.add(change);
                }
                if (beside != null && change.version() > version) {
                    beside.add(change);
                }
            }
        } catch (RuntimeException broken) {
            abandonPair(); // a change is missing
            throw broken;
        }
        if (unsaved.length() > UNSAVED_BYTES_MAX || (beside != null && beside.length() > UNSAVED_BYTES_MAX)) {
            abandonPair();
        }
    }

    private void abandonPair() {
        complete = false;
        appendable = false;
        unsaved = new SnapshotChanges(0);
        closeInc();
    }

    private void save() throws IOException {
        if (!appendable || unsaved.length() == 0) {
            return;
        }
        FileChannel channel = inc;
        if (channel == null) {
            channel = openInc(seq);
            channel.truncate(incBytes); // half of what could not be written
            channel.position(incBytes);
            inc = channel;
        }
        try {
            Disk.writeAll(channel, ByteBuffer.wrap(unsaved.bytes()));
            probe.reached(Step.APPENDED);
            channel.force(false);
        } catch (IOException failed) {
            closeInc();
            throw failed;
        }
        incBytes += unsaved.length();
        incLines = unsaved.last();
        unsaved = new SnapshotChanges(incLines);
        probe.reached(Step.SYNCED);
        succeeded();
    }

    private FileChannel openInc(long number) throws IOException {
        Path file = directory.inc(number);
        Disk.makeDirectories(directory.path());
        Disk.createIfMissing(file);
        Disk.syncDirectory(directory.path());
        return FileChannel.open(file, StandardOpenOption.WRITE);
    }

    private void closeInc() {
        FileChannel channel = inc;
        inc = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException failed) {
                log.warn("cannot close file file={} reason={}", directory.inc(seq), Disk.reason(failed));
            }
        }
    }

    // ---- full snapshots

    private void writeFull() throws IOException {
        long begun = ticker.millis();
        append();
        RouteSnapshot snapshot = routes.snapshot();
        long next = Math.max(directory.highest(), seq) + 1;
        SnapshotChanges beside = new SnapshotChanges(0);
        complete = true;
        SafeFile.writtenOnce(directory.full(next), probe).write(channel -> {
            SnapshotFile.write(
                    channel, snapshot, next, options.version(), clock.millis(), () -> goOn(beside, snapshot));
            goOn(beside, snapshot);
            writeBeside(next, beside);
        });
        probe.reached(Step.FULL_WRITTEN);
        long former = seq;
        closeInc();
        seq = next;
        appendable = complete;
        incLines = beside.last();
        incBytes = beside.length();
        unsaved = new SnapshotChanges(incLines);
        changedSinceFull = incLines > 0 || !complete;
        directory.deleteOlderThan(former, foreign);
        directory.deleteLeftOvers();
        probe.reached(Step.OLD_DELETED);
        long now = ticker.millis();
        lastFullAt = now;
        nextFullAt = now + Math.max(APPEND_AFTER_MILLIS, FULL_SHARE * (now - begun));
        neededFullAt = now + Math.max(APPEND_AFTER_MILLIS, NEEDED_FULL_SHARE * (now - begun));
        succeeded();
        log.debug("wrote route snapshot file={} ms={}", directory.full(next), now - begun);
    }

    /** In the middle of a full file: what changes meanwhile is kept no later than ever. */
    private void goOn(SnapshotChanges beside, RouteSnapshot snapshot) throws IOException {
        if (isAppendDue(ticker.millis())) {
            take(complete ? beside : null, snapshot.version());
            save();
        }
    }

    /** The changes that the full file does not hold, before it gets its name. */
    private void writeBeside(long number, SnapshotChanges beside) throws IOException {
        try (FileChannel channel = openInc(number)) {
            channel.truncate(0);
            Disk.writeAll(channel, ByteBuffer.wrap(beside.bytes()));
            channel.force(true);
        }
    }

    // ---- how it went

    private void succeeded() {
        lastSuccess = clock.millis();
        if (failing) {
            failing = false;
            log.info("route snapshots are written again dir={}", directory.path());
        }
    }

    private void failed(long now, Exception failure) {
        errors.incrementAndGet();
        retryAt = now + RETRY_MILLIS;
        nextFullAt = now + FULL_RETRY_MILLIS;
        neededFullAt = nextFullAt;
        closeInc();
        if (!failing) {
            failing = true;
            log.warn(
                    "route snapshot cannot be written, going on without; it is tried again dir={} reason={}",
                    directory.path(),
                    Disk.reason(failure));
        }
    }
}
