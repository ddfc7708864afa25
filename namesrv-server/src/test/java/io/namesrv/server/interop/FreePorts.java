package io.namesrv.server.interop;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for programs that cannot be told to let the system choose. */
final class FreePorts {
    /** Below what systems hand out to outgoing connections. */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> HANDED_OUT = new HashSet<>();

    private FreePorts() {}

    /** A port for a server that takes one and is started on it more than once; never the same twice. */
    static int forServer() {
        return forBroker();
    }

    /** A port that is free together with the second one below it and the next one above it; never the same twice. */
    static synchronized int forBroker() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST) / 4 * 4;
            if (!HANDED_OUT.contains(port) && isFree(port - 2) && isFree(port) && isFree(port + 1)) {
                HANDED_OUT.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free ports between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
