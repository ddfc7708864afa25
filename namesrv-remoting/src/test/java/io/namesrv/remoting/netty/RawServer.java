package io.namesrv.remoting.netty;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a plain socket that does what a test says with each connection. */
final class RawServer implements AutoCloseable {
    /** What happens to a connection; it is closed afterwards. */
    @FunctionalInterface
    interface Script {
        void run(Socket socket, DataInputStream in) throws Exception;
    }

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final Script script;

    RawServer(Script script) throws IOException {
        this.script = script;
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    int connections() {
        return accepted.size();
    }

    /** Reads one request whole; its number. */
    static int request(DataInputStream in) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        String header = new String(frame, StandardCharsets.UTF_8);
        return Integer.parseInt(header.replaceAll("(?s).*\"opaque\":(-?\\d+).*", "$1"));
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                accepted.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // by the test
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.run(socket, new DataInputStream(socket.getInputStream()));
        } catch (IOException ended) {
            // by the client or the test
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }
}
