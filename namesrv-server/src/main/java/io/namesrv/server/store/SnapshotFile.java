package io.namesrv.server.store;

import io.namesrv.core.data.RouteSnapshot;
import io.namesrv.core.data.RouteSnapshot.Member;
import io.namesrv.core.data.RouteSnapshot.Topic;
import io.namesrv.core.data.TopicQueueMappingInfo;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.server.store.SafeFile.BadContentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A full snapshot: one line with format, length and checksum of what follows, filled up with blanks, then the payload, one
 * JSON object with {@code groups}, {@code topics} and {@code mappings}.
 */
final class SnapshotFile {
    /** What this version reads and writes. */
    static final int FORMAT = 1;

    private static final int HEADER_LENGTH = 256;
    private static final int CHUNK = 64 << 10;

    /** What the first line says. */
    record Header(long format, long savedAt, long length, String checksum, int end) {}

    /** Something that is done every now and then while a file is written. */
    @FunctionalInterface
    interface Pause {
        void between() throws IOException;
    }

    private final FileChannel channel;
    private final Pause pause;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer buffer = ByteBuffer.allocate(2 * CHUNK);
    private long length;

    private SnapshotFile(FileChannel channel, Pause pause) {
        this.channel = channel;
        this.pause = pause;
    }

    // ---- writing

    /**
     * Writes a snapshot into an empty file.
     *
     * @param pause called after every 64 KiB or so
     */
    static void write(FileChannel channel, RouteSnapshot snapshot, long seq, String version, long savedAt, Pause pause)
            throws IOException {
        SnapshotFile file = new SnapshotFile(channel, pause);
        channel.position(HEADER_LENGTH);
        file.payload(snapshot);
        channel.position(0);
        file.put(file.header(seq, version, savedAt));
        file.flush();
    }

    private byte[] header(long seq, String version, long savedAt) {
        String json = new String(
                SnapshotJson.object(writer -> {
                    SnapshotJson.number(writer, "format", FORMAT);
                    SnapshotJson.text(writer, "version", version);
                    SnapshotJson.number(writer, "seq", seq);
                    SnapshotJson.number(writer, "savedAt", savedAt);
                    SnapshotJson.number(writer, "length", length);
                    SnapshotJson.text(writer, "crc32c", HexFormat.of().toHexDigits((int) checksum.getValue()));
                }),
                StandardCharsets.UTF_8);
        byte[] line = (json + " ".repeat(Math.max(0, HEADER_LENGTH - 1 - json.length())) + "\n")
                .getBytes(StandardCharsets.UTF_8);
        if (line.length != HEADER_LENGTH) {
            throw new IllegalStateException("the header of a snapshot has " + line.length + " bytes");
        }
        return line;
    }

    private void payload(RouteSnapshot snapshot) throws IOException {
        text("{\"groups\":[");
        String separator = "\n";
        for (List<Member> group : groups(snapshot.members())) {
            text(separator);
            add(group(group));
            separator = ",\n";
        }
        text("],\n\"topics\":[");
        separator = "\n";
        for (Topic topic : snapshot.topics()) {
            text(separator);
            add(SnapshotJson.topic(topic));
            separator = ",\n";
        }
        text("],\n\"mappings\":[");
        separator = "\n";
        for (TopicQueueMappingInfo mapping : snapshot.mappings()) {
            text(separator);
            add(SnapshotJson.object(writer -> SnapshotJson.mapping(writer, mapping)));
            separator = ",\n";
        }
        text("]}\n");
        flush();
    }

    private static Iterable<List<Member>> groups(List<Member> members) {
        Map<String, List<Member>> groups = new LinkedHashMap<>();
        for (Member member : members) {
            groups.computeIfAbsent(member.brokerName(), name -> new ArrayList<>())
                    .add(member);
        }
        return groups.values();
    }

    /** Flag and zone of a group are those of its smallest id. */
    private static byte[] group(List<Member> members) {
        Member smallest = members.stream()
                .min((one, other) -> Long.compare(one.brokerId(), other.brokerId()))
                .orElseThrow();
        return SnapshotJson.object(writer -> {
            SnapshotJson.group(
                    writer,
                    smallest.clusterName(),
                    smallest.brokerName(),
                    smallest.enableActingMaster(),
                    smallest.zoneName());
            writer.writeName("members");
            writer.writeColon();
            writer.startArray();
            for (int i = 0; i < members.size(); i++) {
                if (i > 0) {
                    writer.writeComma();
                }
                writer.startObject();
                SnapshotJson.member(writer, members.get(i));
                writer.endObject();
            }
            writer.endArray();
        });
    }

    private void text(String text) throws IOException {
        add(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void add(byte[] bytes) throws IOException {
        checksum.update(bytes);
        length += bytes.length;
        put(bytes);
        if (buffer.position() > CHUNK) {
            flush();
            pause.between();
        }
    }

    private void put(byte[] bytes) throws IOException {
        if (bytes.length > buffer.remaining()) {
            flush();
        }
        if (bytes.length > buffer.remaining()) {
            Disk.writeAll(channel, ByteBuffer.wrap(bytes));
        } else {
            buffer.put(bytes);
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        Disk.writeAll(channel, buffer);
        buffer.clear();
    }

    // ---- reading

    /** The first line of a file. */
    static Header header(byte[] content) throws BadContentException {
        int end = 0;
        while (end < content.length && content[end] != '\n') {
            end++;
        }
        if (end == content.length) {
            throw new BadContentException("it has no first line");
        }
        long savedAt = 0;
        long length = 0;
        String checksum = "";
        OptionalLong format = OptionalLong.empty();
        try {
            JsonCursor cursor = new JsonCursor(content, 0, end, SnapshotRow.MAX_DEPTH);
            cursor.beginObject();
            while (cursor.nextMember()) {
                switch (cursor.name()) {
                    case "format" -> format = OptionalLong.of(cursor.longValue());
                    case "savedAt" -> savedAt = cursor.longValue();
                    case "length" -> length = cursor.longValue();
                    case "crc32c" -> checksum = cursor.string();
                    default -> cursor.skip();
                }
            }
            cursor.end();
        } catch (JsonFormatException broken) {
            throw new BadContentException("its first line is no JSON: " + broken.getMessage());
        }
        if (format.isEmpty()) {
            throw new BadContentException("its first line names no format");
        }
        return new Header(format.getAsLong(), savedAt, length, checksum, end + 1);
    }

    /** Puts what a file of a format that is known holds into a draft. */
    static void read(byte[] content, Header header, SnapshotDraft draft) throws BadContentException {
        if (header.length() != content.length - header.end()) {
            throw new BadContentException(
                    "it has " + (content.length - header.end()) + " bytes where " + header.length() + " were written");
        }
        String checksum = SnapshotChanges.checksum(content, header.end(), content.length - header.end());
        if (!checksum.equals(header.checksum())) {
            throw new BadContentException("its checksum is wrong");
        }
        try {
            JsonCursor cursor = draft.cursor(content, header.end(), content.length - header.end());
            draft.addAll(cursor);
            cursor.end();
        } catch (JsonFormatException | ArithmeticException | NumberFormatException broken) {
            throw new BadContentException("it is not what was expected: " + broken.getMessage());
        }
    }
}
