package io.namesrv.remoting.netty;

/**
 * Where a server listens and what its sockets are like.
 *
 * @param bindAddress host name or address to listen on
 * @param port TCP port; 0 lets the system choose
 * @param backlog how many connections may wait to be accepted
 * @param selectorThreads I/O threads
 * @param nativeTransport epoll where it is available, else and elsewhere NIO
 * @param sendBuffer SO_SNDBUF in bytes; 0 = the system's default
 * @param receiveBuffer SO_RCVBUF in bytes; 0 = the system's default
 * @param highWaterMark bytes of unsent answers at which reading from a connection stops
 * @param lowWaterMark bytes of unsent answers below which it goes on
 * @param pooledBuffers whether network buffers are kept for reuse
 */
public record SocketOptions(
        String bindAddress,
        int port,
        int backlog,
        int selectorThreads,
        boolean nativeTransport,
        int sendBuffer,
        int receiveBuffer,
        int highWaterMark,
        int lowWaterMark,
        boolean pooledBuffers) {
    /** All addresses, port 9876, three threads, water marks of 1 MiB and 256 KiB, all else as the system has it. */
    public static final SocketOptions DEFAULT =
            new SocketOptions("0.0.0.0", 9876, 1024, 3, true, 0, 0, 1 << 20, 256 << 10, true);

    public SocketOptions {
        require(port >= 0 && port <= 65535, "port", port, "0..65535");
        require(backlog > 0, "backlog", backlog, "1 or more");
        require(selectorThreads > 0, "selectorThreads", selectorThreads, "1 or more");
        require(sendBuffer >= 0, "sendBuffer", sendBuffer, "0 or more");
        require(receiveBuffer >= 0, "receiveBuffer", receiveBuffer, "0 or more");
        require(lowWaterMark > 0 && lowWaterMark <= highWaterMark, "lowWaterMark", lowWaterMark, "1..highWaterMark");
    }

    /** The same on another address and port. */
    public SocketOptions listeningOn(String address, int newPort) {
        return new SocketOptions(
                address,
                newPort,
                backlog,
                selectorThreads,
                nativeTransport,
                sendBuffer,
                receiveBuffer,
                highWaterMark,
                lowWaterMark,
                pooledBuffers);
    }

    private static void require(boolean fits, String name, int found, String expected) {
        if (!fits) {
            throw new IllegalArgumentException(name + ": " + found + " (expected: " + expected + ")");
        }
    }
}
