package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;

/** One of the two forms of a header: bytes from and to a command. Stateless but for its limits; for any thread. */
public sealed interface HeaderCodec permits JsonHeaderCodec, RocketMQHeaderCodec {
    /** The codec of a form. */
    static HeaderCodec of(SerializeType type, HeaderLimits limits) {
        return switch (type) {
            case JSON -> new JsonHeaderCodec(limits);
            case ROCKETMQ -> new RocketMQHeaderCodec(limits);
        };
    }

    /**
     * Reads a whole header.
     *
     * @param header exactly the bytes of the header
     * @param body what follows it in the frame, kept by the command as it is
     * @return the command, possibly with a {@link RemotingCommand#defect()}
     * @throws MalformedHeaderException when there is no telling what the peer wants
     */
    RemotingCommand decode(byte[] header, ByteBuf body) throws MalformedHeaderException;

    /** Appends the header of a command, without its length, to a buffer. */
    void encode(RemotingCommand command, ByteBuf out);
}
