package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.HeaderCodec;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.MalformedHeaderException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Map;

/** A peer on a plain socket that says what it likes. */
final class Peer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    final Socket socket;
    private final DataInputStream in;

    Peer(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    Peer(InetSocketAddress server, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    static RemotingCommand request(int code, int opaque) {
        return RemotingCommand.request(code, Map.of()).withOpaque(opaque).withVersion(479);
    }

    Peer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Peer send(RemotingCommand request) throws IOException {
        return send(Wire.encode(request));
    }

    RemotingCommand receive() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        int headerLength = (frame[1] & 0xFF) << 16 | (frame[2] & 0xFF) << 8 | (frame[3] & 0xFF);
        byte[] header = Arrays.copyOfRange(frame, 4, 4 + headerLength);
        byte[] body = Arrays.copyOfRange(frame, 4 + headerLength, frame.length);
        try {
            return HeaderCodec.of(SerializeType.ofCode(frame[0]).orElseThrow(), HeaderLimits.DEFAULT)
                    .decode(header, Unpooled.wrappedBuffer(body));
        } catch (MalformedHeaderException e) {
            throw new IOException(e);
        }
    }

    RemotingCommand ask(int code, int opaque) throws IOException {
        return send(request(code, opaque)).receive();
    }

    /** Reads to the end; true if there was nothing more to read before it. */
    boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Reads and forgets all there is until the server ends the connection; tells how many bytes. */
    long drain() throws IOException {
        byte[] chunk = new byte[1 << 16];
        long sum = 0;
        try {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                sum += n;
            }
        } catch (EOFException | SocketException reset) {
            // as good as an end
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
