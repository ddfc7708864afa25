package io.namesrv.core.data;

/** The bits of a topic's permission on a broker. */
public final class PermName {
    /** Topics may be created after this one's example; carried by {@code TBW102}. */
    public static final int INHERIT = 1;

    public static final int WRITE = 1 << 1;
    public static final int READ = 1 << 2;
    /** Priority topics, 5.x. */
    public static final int PRIORITY = 1 << 3;

    /** The greatest permission there is. */
    public static final int MAX = INHERIT | WRITE | READ | PRIORITY;

    private PermName() {}

    public static int withoutWrite(int perm) {
        return perm & ~WRITE;
    }
}
