package io.namesrv.server.store;

import io.namesrv.core.kv.KVConfigManager;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the key/value settings, one line of JSON in UTF-8 that Apache's NameServer reads and writes too:
 *
 * <pre>{@code {"configTable":{"ORDER_TOPIC_CONFIG":{"T1":"broker-a:4;broker-b:4"}}}}</pre>
 *
 * <p>Beside it {@code <name>.crc} holds the checksum of what this daemon wrote last, and that of what was there before,
 * since the two files can't change in one step. A file that fits neither was written by another program.
 */
public final class KVConfigFile implements KVConfigManager.Store {
    private static final Logger log = LoggerFactory.getLogger(KVConfigFile.class);

    private record Kept(Map<String, Map<String, String>> configTable, String checksum) {}

    private final Path path;
    private final SafeFile file;
    private final SafeFile checksums;

    /** The checksum of what the file holds, as far as this daemon knows. */
    private volatile String current = "";

    public KVConfigFile(Path path) {
        this.path = path;
        this.file = new SafeFile(path);
        this.checksums = SafeFile.withoutFormer(path.resolveSibling(path.getFileName() + ".crc"));
    }

    /**
     * The settings that are kept: namespace → key → value. Where the file is bad the one before it is taken, else the copy
     * that Apache's leaves; where none is good the table is empty, the bad file set aside, and an ERROR logged. A file that
     * isn't there is an empty table.
     *
     * @throws IOException if a file is there and can't be read
     */
    public Map<String, Map<String, String>> load() throws IOException {
        Optional<SafeFile.Loaded<Kept>> loaded = file.read(KVConfigFile::parse, SafeFile.APACHE_BACKUP);
        if (loaded.isEmpty()) {
            return Map.of();
        }
        current = loaded.get().value().checksum();
        if (!loaded.get().fallback()) {
            compareChecksum();
        }
        return loaded.get().value().configTable();
    }

    private static Kept parse(byte[] content) throws SafeFile.BadContentException {
        return new Kept(KVConfigJson.parse(content), checksum(content));
    }

    private void compareChecksum() throws IOException {
        Optional<byte[]> noted = checksums.readAsIs();
        if (noted.isPresent() && !new String(noted.get(), StandardCharsets.US_ASCII).contains(current)) {
            log.warn("key/value settings were changed by another program, taking them file={}", path);
        }
    }

    @Override
    public void save(Map<String, Map<String, String>> configTable) throws IOException {
        byte[] content = KVConfigJson.encode(configTable);
        String next = checksum(content);
        // First, so that the sync of the directory that ends the second write covers both.
        checksums.write((next + "\n" + current + "\n").getBytes(StandardCharsets.US_ASCII));
        file.write(content);
        current = next;
    }

    private static String checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return String.format("crc32c:%08x", crc.getValue());
    }
}
