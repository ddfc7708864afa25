package io.namesrv.server.store;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.RestoreReport;
import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.route.RouteInfoManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the routes over a restart: loads what was kept, writes what changes, on the thread that looks for it ({@link #run}),
 * and all of it once more when the daemon stops. A cache: without it, or with a bad one, the daemon runs as Apache's does, with empty tables until
 * its brokers have registered.
 */
public final class RouteSnapshots implements Runnable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RouteSnapshots.class);

    /** How often {@link #run} is to be called. */
    public static final Duration LOOK = Duration.ofMillis(20);

    /**
     * How the routes are kept.
     *
     * @param fullInterval from one full snapshot to the next, if anything was changed
     * @param changeThreshold rows that changed after which the changes go to the disk at once; after a second they do anyway
     * @param maxAge a snapshot is not loaded if the daemon was running for the last time before that
     */
    public record Settings(
            boolean enable, Path directory, Duration fullInterval, int changeThreshold, Duration maxAge) {}

    private static final SnapshotWriter.Probe NOBODY = new SnapshotWriter.Probe() {
        @Override
        public void reached(SafeFile.Step step) {}

        @Override
        public void reached(SnapshotWriter.Step step) {}
    };

    private final Settings settings;
    private final RouteInfoManager routes;
    private final HomeLock lock;
    private final Ticker ticker;
    private final String version;
    private volatile @Nullable SnapshotWriter writer;
    private volatile boolean serving;

    /**
     * Makes a keeper that does nothing yet but hold the lock.
     *
     * @param lock of the directory; if another daemon has it nothing is read or written here
     * @param ticker milliseconds that intervals are counted in
     * @param version of the daemon, for people who look into a file
     */
    public RouteSnapshots(Settings settings, RouteInfoManager routes, HomeLock lock, Ticker ticker, String version) {
        this.settings = settings;
        this.routes = routes;
        this.lock = lock;
        this.ticker = ticker;
        this.version = version;
    }

    /**
     * Loads what was kept, and from now on keeps what changes.
     *
     * @param brokerExpiredTime how long the brokers may take to confirm what was loaded
     * @return what was loaded, if something was
     */
    public Optional<RestoreReport> start(Duration brokerExpiredTime) {
        if (!settings.enable() || lock.refusal().isPresent()) {
            return Optional.empty();
        }
        SnapshotDirectory directory = new SnapshotDirectory(settings.directory());
        SnapshotLoader loader = new SnapshotLoader(directory, settings.maxAge(), Clock.systemUTC());
        Optional<RestoreReport> report = load(loader, brokerExpiredTime);
        routes.keepChanges(SnapshotWriter.CHANGES_MAX);
        SnapshotWriter made = new SnapshotWriter(
                routes,
                directory,
                new SnapshotWriter.Options(settings.fullInterval(), settings.changeThreshold(), version),
                loader.foreign(),
                loader.loaded(),
                isEmpty(directory),
                ticker,
                Clock.systemUTC(),
                NOBODY);
        writer = made;
        return report;
    }

    private Optional<RestoreReport> load(SnapshotLoader loader, Duration brokerExpiredTime) {
        long begun = System.nanoTime();
        try {
            Optional<RouteSnapshot> snapshot = loader.load();
            if (snapshot.isEmpty()) {
                return Optional.empty();
            }
            RestoreReport report = routes.restore(snapshot.get(), brokerExpiredTime.toMillis());
            log.info(
                    "loaded route snapshot dir={} brokers={} topics={} skipped={} ms={}; they stay for seconds={} unless their"
                            + " brokers register",
                    settings.directory(),
                    report.brokers(),
                    report.topics(),
                    report.skipped(),
                    (System.nanoTime() - begun) / 1_000_000,
                    brokerExpiredTime.toSeconds());
            return Optional.of(report);
        } catch (IOException | RuntimeException failed) {
            log.error(
                    "route snapshot cannot be read, starting with empty tables dir={} reason={}",
                    settings.directory(),
                    Disk.reason(failed));
            return Optional.empty();
        }
    }

    private static boolean isEmpty(SnapshotDirectory directory) {
        try {
            return directory.highest() == 0 && !Files.exists(directory.inc(0));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Looks whether something is to be written, and writes it. */
    @Override
    public void run() {
        SnapshotWriter current = writer;
        if (current != null) {
            current.run();
        }
    }

    /** The port is open: from now on there is something to be kept at a stop. */
    public void serving() {
        serving = true;
    }

    /** The lock of the directory. */
    public HomeLock lock() {
        return lock;
    }

    /** How often something could not be written. */
    public long errors() {
        SnapshotWriter current = writer;
        return current == null ? 0 : current.errors();
    }

    /** Whether writes have failed, and none has succeeded since. */
    public boolean fails() {
        SnapshotWriter current = writer;
        return current != null && current.fails();
    }

    /** Whether routes are kept. */
    public boolean isOn() {
        return writer != null;
    }

    /** Wall milliseconds of the last write that succeeded; 0 if there was none. */
    public long lastSuccess() {
        SnapshotWriter current = writer;
        return current == null ? 0 : current.lastSuccess();
    }

    /** Writes all once more, and gives the lock back. */
    @Override
    public void close() throws IOException {
        SnapshotWriter current = writer;
        if (current != null && serving) {
            current.finish();
        }
        lock.close();
    }
}
