package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ROCKETMQ (binary) form of a header. All numbers are big-endian.
 *
 * <pre>
 * bytes   field
 * 2       code, int16
 * 1       language
 * 2       version, int16
 * 4       opaque, int32
 * 4       flag, int32
 * 4 + n   remark: int32 length in bytes, UTF-8; length 0 = none
 * 4 + n   ext fields: int32 length of the whole block, then pairs up to its end:
 *           2 + n   name: int16 length, UTF-8
 *           4 + n   value: int32 length, UTF-8
 * </pre>
 *
 * <p>A name or value of length 0 is null, and a field with either is the same as one that isn't there: an empty string
 * cannot be sent. Lengths are compared with what is left before anything is made of them; nothing may follow the block.
 */
final class RocketMQHeaderCodec implements HeaderCodec {
    private final HeaderLimits limits;

    RocketMQHeaderCodec(HeaderLimits limits) {
        this.limits = limits;
    }

    @Override
    public RemotingCommand decode(byte[] header, ByteBuf body) throws MalformedHeaderException {
        ByteBuffer in = ByteBuffer.wrap(header);
        if (in.remaining() < 2 + 1 + 2 + 4 + 4) {
            throw new MalformedHeaderException("binary header: only " + header.length + " bytes");
        }
        int code = in.getShort();
        LanguageCode language = LanguageCode.ofCode(in.get() & 0xFF);
        int version = in.getShort();
        int opaque = in.getInt();
        int flag = in.getInt();
        String remark = text(in, length(in, "remark"));
        int block = length(in, "ext fields");
        if (block != in.remaining()) {
            throw new MalformedHeaderException("binary header: bytes behind the ext fields");
        }
        FieldCollector fields = new FieldCollector(limits);
        while (in.hasRemaining()) {
            readField(in, fields);
        }
        return RemotingCommand.received(
                SerializeType.ROCKETMQ, code, language, version, opaque, flag, remark, fields, body);
    }

    private static void readField(ByteBuffer in, FieldCollector fields) throws MalformedHeaderException {
        if (in.remaining() < 2) {
            throw new MalformedHeaderException("binary header: a field is cut short");
        }
        int nameLength = in.getShort();
        check(nameLength, in, "field name");
        String name = text(in, nameLength);
        String value = text(in, length(in, "field value"));
        if (name != null) {
            fields.put(name, value);
        }
    }

    /** Reads a length of four bytes and believes it only if so much is there. */
    private static int length(ByteBuffer in, String what) throws MalformedHeaderException {
        if (in.remaining() < 4) {
            throw new MalformedHeaderException("binary header: the length of the " + what + " is cut short");
        }
        int length = in.getInt();
        check(length, in, what);
        return length;
    }

    private static void check(int length, ByteBuffer in, String what) throws MalformedHeaderException {
        if (length < 0 || length > in.remaining()) {
            throw new MalformedHeaderException(
                    "binary header: " + what + " of " + length + " bytes where " + in.remaining() + " are left");
        }
    }

    private static @Nullable String text(ByteBuffer in, int length) throws MalformedHeaderException {
        if (length == 0) {
            return null;
        }
        try {
            String text = Utf8.decode(in.array(), in.arrayOffset() + in.position(), length);
            in.position(in.position() + length);
            return text;
        } catch (CharacterCodingException e) {
            throw new MalformedHeaderException("binary header: not UTF-8");
        }
    }

    @Override
    public void encode(RemotingCommand command, ByteBuf out) {
        out.writeShort(command.code());
        out.writeByte(command.language().code());
        out.writeShort(command.version());
        out.writeInt(command.opaque());
        out.writeInt(command.flag());
        write(out, command.remark().orElse(""));
        int block = out.writerIndex();
        out.writeInt(0);
        for (Map.Entry<String, String> field : command.extFields().entrySet()) {
            out.writeShort(ByteBufUtil.utf8Bytes(field.getKey()));
            ByteBufUtil.writeUtf8(out, field.getKey());
            write(out, field.getValue());
        }
        out.setInt(block, out.writerIndex() - block - 4);
    }

    private static void write(ByteBuf out, String text) {
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        out.setInt(lengthAt, ByteBufUtil.writeUtf8(out, text));
    }
}
