package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.SerializeType;
import java.time.Duration;

/**
 * How a {@link RemotingClient} asks.
 *
 * @param connectTimeout the longest a connection may take to be made, and once more for its TLS handshake
 * @param idle how long a connection is kept over which nothing comes or goes and nobody waits for an answer
 * @param pendingMax requests without an answer to one server; one beyond is not sent
 * @param answerMax bytes of an answer's frame, its four length bytes included; the connection is closed at sight of more
 * @param serializeType the form of the headers
 * @param protocolVersion our release number
 * @param nativeTransport epoll where it is available
 */
public record ClientOptions(
        Duration connectTimeout,
        Duration idle,
        int pendingMax,
        int answerMax,
        SerializeType serializeType,
        int protocolVersion,
        boolean nativeTransport) {
    /** 3 s to connect, a minute idle, 256 pending to a server, answers of 16 MiB; JSON, 5.3.3. */
    public static final ClientOptions DEFAULT = new ClientOptions(
            Duration.ofSeconds(3), Duration.ofMinutes(1), 256, 1 << 24, SerializeType.JSON, 479, true);

    public ClientOptions {
        require(connectTimeout.toMillis() > 0, "connectTimeout", connectTimeout);
        require(idle.toMillis() > 0, "idle", idle);
        require(pendingMax > 0, "pendingMax", pendingMax);
        require(answerMax > 0, "answerMax", answerMax);
    }

    private static void require(boolean fits, String name, Object found) {
        if (!fits) {
            throw new IllegalArgumentException(name + ": " + found + " (expected: more than 0)");
        }
    }

    /** The same with this limit of pending requests. */
    public ClientOptions withPendingMax(int other) {
        return new ClientOptions(
                connectTimeout, idle, other, answerMax, serializeType, protocolVersion, nativeTransport);
    }

    /** The same with this limit of an answer's bytes. */
    public ClientOptions withAnswerMax(int other) {
        return new ClientOptions(
                connectTimeout, idle, pendingMax, other, serializeType, protocolVersion, nativeTransport);
    }

    /** The same with connections that are kept so long. */
    public ClientOptions withIdle(Duration other) {
        return new ClientOptions(
                connectTimeout, other, pendingMax, answerMax, serializeType, protocolVersion, nativeTransport);
    }

    /** The same with this form of headers. */
    public ClientOptions withSerializeType(SerializeType other) {
        return new ClientOptions(connectTimeout, idle, pendingMax, answerMax, other, protocolVersion, nativeTransport);
    }
}
