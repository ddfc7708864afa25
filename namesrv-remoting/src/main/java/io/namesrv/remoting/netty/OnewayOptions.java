package io.namesrv.remoting.netty;

import io.namesrv.remoting.protocol.SerializeType;
import java.time.Duration;

/**
 * How an {@link OnewaySender} sends.
 *
 * @param inFlightMax requests that may be on their way at a time; one beyond is dropped
 * @param connectionsMax addresses to which a connection is kept at a time; a request to one beyond is dropped
 * @param connectTimeout the longest a connection may take to be made
 * @param sendTimeout the longest a request may take to be handed to the network once there is a connection
 * @param idle how long a connection that is not used is kept
 * @param serializeType the form of the headers
 * @param protocolVersion our release number
 * @param nativeTransport epoll where it is available
 */
public record OnewayOptions(
        int inFlightMax,
        int connectionsMax,
        Duration connectTimeout,
        Duration sendTimeout,
        Duration idle,
        SerializeType serializeType,
        int protocolVersion,
        boolean nativeTransport) {
    /** 256 in flight, 1024 connections, 3 s to connect, 300 ms to send, two minutes idle; JSON, 5.3.3. */
    public static final OnewayOptions DEFAULT = new OnewayOptions(
            256,
            1024,
            Duration.ofSeconds(3),
            Duration.ofMillis(300),
            Duration.ofMinutes(2),
            SerializeType.JSON,
            479,
            true);
}
