package io.namesrv.server.config;

import io.namesrv.server.store.SafeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A properties file of settings: the one an operator wrote, or the one that keeps what was changed at run time. */
final class SettingsFile {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /**
     * What a file holds.
     *
     * @param charset UTF-8, or ISO 8859-1, in which Apache's reads all files, if the bytes are no UTF-8
     */
    record Content(String text, Charset charset, SortedMap<String, String> values) {
        static final Content EMPTY = new Content("", StandardCharsets.UTF_8, Collections.emptySortedMap());

        static Content of(byte[] bytes) throws PropertiesText.MalformedException {
            String text;
            Charset charset = StandardCharsets.UTF_8;
            try {
                text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException notUtf8) {
                charset = StandardCharsets.ISO_8859_1;
                text = new String(bytes, charset);
            }
            if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
                text = text.substring(1);
            }
            return new Content(text, charset, Collections.unmodifiableSortedMap(PropertiesText.parse(text)));
        }
    }

    private final Path path;
    private final SafeFile file;

    SettingsFile(Path path) {
        this.path = path;
        this.file = new SafeFile(path);
    }

    /**
     * The content of a file that has to be there and has to be right: one that an operator wrote is never set aside, nor
     * is an older one taken for it.
     */
    Content readStrictly() throws ConfigException {
        try {
            byte[] bytes = file.readAsIs()
                    .orElseThrow(() -> new ConfigException("cannot read the settings of " + path + ": no such file"));
            return Content.of(bytes);
        } catch (PropertiesText.MalformedException broken) {
            throw new ConfigException(path + ": " + broken.getMessage(), broken);
        } catch (IOException unreadable) {
            throw new ConfigException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    /** What was changed at run time and kept; a bad file is set aside, and the one before it taken. */
    Content readKept() throws ConfigException {
        try {
            return file.read(SettingsFile::parseKept, SafeFile.APACHE_BACKUP)
                    .map(SafeFile.Loaded::value)
                    .orElse(Content.EMPTY);
        } catch (IOException unreadable) {
            throw new ConfigException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    private static Content parseKept(byte[] bytes) throws SafeFile.BadContentException {
        try {
            return Content.of(bytes);
        } catch (PropertiesText.MalformedException broken) {
            throw new SafeFile.BadContentException(String.valueOf(broken.getMessage()));
        }
    }

    /**
     * Puts some values into the file. What else it holds stays, comments and keys of others too.
     *
     * @throws IOException if that failed; the file is as it was
     */
    void save(Map<String, String> changes) throws IOException {
        try {
            Content former = Content.of(file.readAsIs().orElse(new byte[0]));
            byte[] edited = PropertiesText.edit(former.text(), changes).getBytes(former.charset());
            SortedMap<String, String> expected = new TreeMap<>(former.values());
            expected.putAll(changes);
            if (!Content.of(edited).values().equals(expected)) {
                throw new IOException(path + " would not read back as it is meant");
            }
            file.write(edited);
        } catch (PropertiesText.MalformedException broken) {
            throw new IOException(path + ": " + broken.getMessage(), broken);
        }
    }
}
