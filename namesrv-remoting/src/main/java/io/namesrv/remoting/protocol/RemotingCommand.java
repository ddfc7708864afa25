package io.namesrv.remoting.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One frame, decoded: a request or its answer. Immutable; a {@code with…} method gives a changed copy that takes over
 * the body.
 *
 * <p><b>Whose is the body?</b> That of a received command lies on the heap and needs no release. An answer owns one
 * reference of its body, which may be a shared buffer ({@code retainedDuplicate()} of a cached one); it is given up when the frame
 * is written, or by {@link #release()} when the answer is dropped. Both happen inside this module: who makes an answer
 * and returns it has done its duty.
 */
public final class RemotingCommand {
    /** Flag bit: this is an answer. */
    public static final int FLAG_RESPONSE = 1;
    /** Flag bit: a request that wants no answer. */
    public static final int FLAG_ONEWAY = 2;

    private final SerializeType serializeType;
    private final int code;
    private final LanguageCode language;
    private final int version;
    private final int opaque;
    private final int flag;
    private final @Nullable String remark;
    private final Map<String, String> extFields;
    private final ByteBuf body;
    private final @Nullable CommandException defect;

    private RemotingCommand(
            SerializeType serializeType,
            int code,
            LanguageCode language,
            int version,
            int opaque,
            int flag,
            @Nullable String remark,
            Map<String, String> extFields,
            ByteBuf body,
            @Nullable CommandException defect) {
        this.serializeType = serializeType;
        this.code = code;
        this.language = language;
        this.version = version;
        this.opaque = opaque;
        this.flag = flag;
        this.remark = remark;
        this.extFields = extFields;
        this.body = body;
        this.defect = defect;
    }

    /** What a codec read. A version below 0 becomes 0: the original's handler of 103 breaks at one. */
    static RemotingCommand received(
            SerializeType type,
            int code,
            LanguageCode language,
            int version,
            int opaque,
            int flag,
            @Nullable String remark,
            FieldCollector fields,
            ByteBuf body) {
        int known = Math.max(version, 0);
        CommandException defect = fields.defect(code);
        return new RemotingCommand(type, code, language, known, opaque, flag, remark, fields.fields(), body, defect);
    }

    /** A request in JSON form with opaque, version and flag 0 and no body. */
    public static RemotingCommand request(int code, Map<String, String> extFields) {
        return plain(code, null, copy(extFields), Unpooled.EMPTY_BUFFER);
    }

    /** An answer of code 0 without a body. */
    public static RemotingCommand success() {
        return success(Unpooled.EMPTY_BUFFER);
    }

    /** An answer of code 0 with a body; the array is used as it is and must not change. */
    public static RemotingCommand success(byte[] body) {
        return success(Unpooled.wrappedBuffer(body));
    }

    /** An answer of code 0 that takes over one reference of its body. */
    public static RemotingCommand success(ByteBuf body) {
        return plain(ResponseCode.SUCCESS, null, Map.of(), body);
    }

    /** An answer that says no. A long remark is cut, and its control characters but line breaks are escaped. */
    public static RemotingCommand error(int code, String remark) {
        return plain(code, PeerText.fitRemark(remark), Map.of(), Unpooled.EMPTY_BUFFER);
    }

    private static RemotingCommand plain(
            int code, @Nullable String remark, Map<String, String> extFields, ByteBuf body) {
        return new RemotingCommand(SerializeType.JSON, code, LanguageCode.JAVA, 0, 0, 0, remark, extFields, body, null);
    }

    /** The request code, or in an answer the response code. */
    public int code() {
        return code;
    }

    /** What the sender says it is written in. */
    public LanguageCode language() {
        return language;
    }

    /** The sender's release number, 0 or more; see the thresholds 37, 401 and 413. */
    public int version() {
        return version;
    }

    /** The sender's number of this request, any {@code int}; an answer has that of its request. */
    public int opaque() {
        return opaque;
    }

    /** The bits {@link #FLAG_RESPONSE} and {@link #FLAG_ONEWAY}, and any others the sender set. */
    public int flag() {
        return flag;
    }

    /** The text for a person, mostly with an error. */
    public Optional<String> remark() {
        return Optional.ofNullable(remark);
    }

    /** The header fields in their order on the wire, unmodifiable. */
    public Map<String, String> extFields() {
        return extFields;
    }

    /** The header fields, to be read by type. */
    public ExtFields fields() {
        return ExtFields.of(extFields);
    }

    /** The body; a buffer without bytes when there is none. Its indices are not to be moved. */
    public ByteBuf body() {
        return body;
    }

    /** The body as an array, which must not be changed; empty when there is none. */
    public byte[] bodyBytes() {
        return ByteBufUtil.getBytes(body, body.readerIndex(), body.readableBytes(), false);
    }

    /** The form of the header: of a request the one it came in, and so that of its answer. */
    public SerializeType serializeType() {
        return serializeType;
    }

    /** Whether this is an answer. */
    public boolean isResponse() {
        return (flag & FLAG_RESPONSE) != 0;
    }

    /** Whether the sender wants no answer. */
    public boolean isOneway() {
        return (flag & FLAG_ONEWAY) != 0;
    }

    /** Why this request cannot be carried out though its header could be read: a limit on its fields is broken. */
    public Optional<CommandException> defect() {
        return Optional.ofNullable(defect);
    }

    /** Gives up the body of an answer that is not going to be written. */
    public void release() {
        body.release();
    }

    /** The same with one more field, or one changed. */
    public RemotingCommand withExtField(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(extFields);
        more.put(name, value);
        return withFields(Collections.unmodifiableMap(more));
    }

    /** The same with these fields in place of its own. */
    public RemotingCommand withExtFields(Map<String, String> fields) {
        return withFields(copy(fields));
    }

    /** The same with this body; the array is used as it is. */
    public RemotingCommand withBody(byte[] newBody) {
        return new RemotingCommand(
                serializeType,
                code,
                language,
                version,
                opaque,
                flag,
                remark,
                extFields,
                Unpooled.wrappedBuffer(newBody),
                defect);
    }

    /** The same without fields, remark and body: what an answer to it needs. */
    public RemotingCommand withoutContent() {
        return new RemotingCommand(
                serializeType, code, language, version, opaque, flag, null, Map.of(), Unpooled.EMPTY_BUFFER, null);
    }

    /** The same from a sender of this release. */
    public RemotingCommand withVersion(int newVersion) {
        return stamped(serializeType, newVersion, opaque, flag);
    }

    /** The same under another number. */
    public RemotingCommand withOpaque(int newOpaque) {
        return stamped(serializeType, version, newOpaque, flag);
    }

    /** The same with these flag bits and no others. */
    public RemotingCommand withFlag(int newFlag) {
        return stamped(serializeType, version, opaque, newFlag);
    }

    /** The same in another form. */
    public RemotingCommand withSerializeType(SerializeType newType) {
        return stamped(newType, version, opaque, flag);
    }

    /** This as the answer to a request: its number and form, the answer bit alone, and our release. */
    public RemotingCommand answering(RemotingCommand request, int ourVersion) {
        return answering(request.serializeType, request.opaque, ourVersion);
    }

    /** This as the answer to a request of this form and number. */
    RemotingCommand answering(SerializeType form, int number, int ourVersion) {
        return stamped(form, ourVersion, number, FLAG_RESPONSE);
    }

    /** Without the text of its fields and body. */
    @Override
    public String toString() {
        return "RemotingCommand[code=" + code + ", opaque=" + opaque + ", flag=" + flag + ", version=" + version + ", "
                + serializeType + ", fields=" + extFields.size() + ", body=" + body.readableBytes() + "]";
    }

    private RemotingCommand withFields(Map<String, String> fields) {
        return new RemotingCommand(serializeType, code, language, version, opaque, flag, remark, fields, body, defect);
    }

    private RemotingCommand stamped(SerializeType newType, int newVersion, int newOpaque, int newFlag) {
        return new RemotingCommand(
                newType, code, language, newVersion, newOpaque, newFlag, remark, extFields, body, defect);
    }

    private static Map<String, String> copy(Map<String, String> fields) {
        return fields.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
}
