package io.namesrv.server.daemon;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A broker's own port: hears what the daemon sends of its own accord. */
final class Ear implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final BlockingQueue<Frame> heard = new LinkedBlockingQueue<>();

    Ear() throws IOException {
        Thread thread = new Thread(this::listen, "ear-" + listening.getLocalPort());
        thread.setDaemon(true);
        thread.start();
    }

    private void listen() {
        while (!listening.isClosed()) {
            try (Socket socket = listening.accept();
                    DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()))) {
                while (true) {
                    heard.add(Frame.read(in));
                }
            } catch (IOException ended) {
                // The next connection, unless this is the end.
            }
        }
    }

    /** The address to register. */
    String addr() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** The next frame, waited for; its opaque, which nobody needs, is left out. */
    Frame next() throws InterruptedException {
        Frame frame = heard.poll(10, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("nothing was sent to " + addr());
        }
        return frame.withoutOpaque();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
