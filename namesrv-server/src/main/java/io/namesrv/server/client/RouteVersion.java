package io.namesrv.server.client;

/**
 * The version of a topic's route, which means something to the server alone that gave it. To another one it is sent as
 * "none", so that a caller may hold on to it whichever server answers next.
 *
 * @param server the server that gave it, {@code host:port} as it was named; empty for none
 * @param text opaque; "0" for none
 */
public record RouteVersion(String server, String text) {
    private static final String NO_VERSION = "0";

    /** No version yet: the answer has a whole route, and its version if the server knows such a thing. */
    public static final RouteVersion NONE = new RouteVersion("", NO_VERSION);

    /** What is sent to a server. */
    String textFor(String asked) {
        return asked.equals(server) ? text : NO_VERSION;
    }
}
