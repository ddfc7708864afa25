package io.namesrv.remoting.tls;

import java.util.Locale;

/** Whether TLS and plain connections are served ({@code tls.server.mode}). */
public enum TlsMode {
    /** A TLS connection is closed. */
    DISABLED,
    /** Both are served, on the same port. */
    PERMISSIVE,
    /** A plain connection is closed. */
    ENFORCING;

    /** The mode of a name in any case; any other name is permissive, as in Apache's programs. */
    public static TlsMode ofName(String name) {
        for (TlsMode mode : values()) {
            if (mode.name().equals(name.strip().toUpperCase(Locale.ROOT))) {
                return mode;
            }
        }
        return PERMISSIVE;
    }
}
