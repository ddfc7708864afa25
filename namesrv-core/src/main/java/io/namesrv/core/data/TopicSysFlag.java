package io.namesrv.core.data;

/** The bits of a topic's system flag. */
public final class TopicSysFlag {
    public static final int UNIT = 1;
    public static final int UNIT_SUB = 1 << 1;

    private TopicSysFlag() {}

    public static boolean hasUnit(int sysFlag) {
        return (sysFlag & UNIT) == UNIT;
    }

    public static boolean hasUnitSub(int sysFlag) {
        return (sysFlag & UNIT_SUB) == UNIT_SUB;
    }
}
