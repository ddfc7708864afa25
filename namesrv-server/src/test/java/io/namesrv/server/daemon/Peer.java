package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A peer of the daemon on a raw socket. One thread at a time. */
final class Peer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int ANSWER = 1;

    private final Socket socket;
    private final DataInputStream in;
    private final Map<Integer, Request> unanswered = new HashMap<>();
    private int lastOpaque = 1000;

    Peer(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Sends a request and waits for its answer, which has to be the next. */
    Reply ask(Request request) throws IOException {
        int opaque = send(request);
        return receive(Map.of(opaque, 0)).get(0);
    }

    /** Sends requests in one write and waits for their answers, in whichever order; gives them in that of the requests. */
    List<Reply> askAll(List<Request> requests) throws IOException {
        Map<Integer, Integer> places = new HashMap<>();
        List<Request> stamped = new ArrayList<>();
        for (Request request : requests) {
            stamped.add(request.opaque(++lastOpaque));
            places.put(lastOpaque, places.size());
        }
        write(stamped);
        return receive(places);
    }

    /** Sends a request. */
    int send(Request request) throws IOException {
        write(List.of(request.opaque(++lastOpaque)));
        return lastOpaque;
    }

    /** Sends a request with the opaque that it has. */
    void sendAsIs(Request request) throws IOException {
        write(List.of(request));
    }

    /** Sends requests in one write. */
    void sendAll(List<Request> requests) throws IOException {
        write(requests.stream().map(request -> request.opaque(++lastOpaque)).toList());
    }

    private void write(List<Request> requests) throws IOException {
        requests.forEach(request -> unanswered.put(request.opaque(), request));
        writeRaw(Request.bytes(out -> {
            for (Request request : requests) {
                out.write(request.frame());
            }
        }));
    }

    /** Lets the answer to a request come that is written raw. */
    void expect(Request request) {
        unanswered.put(request.opaque(), request);
    }

    void writeRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private List<Reply> receive(Map<Integer, Integer> places) throws IOException {
        Reply[] replies = new Reply[places.size()];
        for (int left = places.size(); left > 0; left--) {
            Frame answer = Frame.read(in);
            Request request = unanswered.remove(answer.opaque());
            assertThat(places).containsKey(answer.opaque());
            assertThat(request).isNotNull();
            replies[places.get(answer.opaque())] = checked(answer, request);
        }
        return List.of(replies);
    }

    /** The next answer, whichever request it belongs to. */
    Reply next() throws IOException {
        Frame answer = Frame.read(in);
        Request request = unanswered.remove(answer.opaque());
        assertThat(request).as("the request of " + answer).isNotNull();
        return checked(answer, request);
    }

    /** So many answers; all are read before the first is looked at. */
    List<Reply> next(int number, Runnable whenRead) throws IOException {
        List<byte[]> frames = new ArrayList<>(number);
        while (frames.size() < number) {
            frames.add(Frame.readBytes(in));
        }
        whenRead.run();
        List<Reply> replies = new ArrayList<>(number);
        for (byte[] bytes : frames) {
            Frame answer = Frame.of(bytes);
            Request request = unanswered.remove(answer.opaque());
            assertThat(request).as("the request of " + answer).isNotNull();
            replies.add(checked(answer, request));
        }
        return replies;
    }

    /** All answers up to the end of the connection. */
    List<Reply> rest() throws IOException {
        List<Reply> replies = new ArrayList<>();
        while (true) {
            try {
                replies.add(next());
            } catch (EOFException | SocketException ended) {
                return replies;
            }
        }
    }

    /** What every answer has, whatever it says: the form and number of its request, and who we are. */
    private static Reply checked(Frame answer, Request request) {
        Frame expected = new Frame(
                request.form(),
                answer.code(),
                "JAVA",
                Request.V5_3_3,
                request.opaque(),
                ANSWER,
                answer.remark(),
                answer.fields(),
                answer.body());
        assertThat(answer).isEqualTo(expected);
        return Reply.of(answer);
    }

    /** Waits for the daemon to end this connection. */
    boolean isEnded() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    /** Ends the connection without taking leave, as a process that is killed with data on its way. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
