package io.namesrv.remoting.netty;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many connections the system's limit of open files leaves room for. */
final class Descriptors {
    private static final int PERCENT = 85;

    /** Left for files, or a quarter of a limit so small that this would be most of it. */
    private static final int RESERVE = 64;

    private Descriptors() {}

    /** The room that there is now; no bound where the system knows none. */
    static int connections() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? connections(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount())
                : Integer.MAX_VALUE;
    }

    /**
     * The room under a limit.
     *
     * @param limit the most descriptors of the process
     * @param open those in use without any connection
     * @return at least 1
     */
    static int connections(long limit, long open) {
        long share = limit / 100 * PERCENT + limit % 100 * PERCENT / 100;
        long left = limit - open - Math.min(RESERVE, limit / 4);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.min(share, left)));
    }
}
