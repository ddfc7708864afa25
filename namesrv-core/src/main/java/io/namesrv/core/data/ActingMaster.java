package io.namesrv.core.data;

/** What a registration says about a slave acting as master. */
public enum ActingMaster {
    /** Nothing: a broker of 4.x, which the rules call old. */
    UNSAID,
    DISABLED,
    ENABLED
}
