package io.namesrv.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The single steps that {@link SafeFile} is made of, where the system has modes and links and where it has none. */
final class Disk {
    private static final Logger log = LoggerFactory.getLogger(Disk.class);

    private static final Set<PosixFilePermission> OWNER_FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_DIRECTORY = PosixFilePermissions.fromString("rwx------");

    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    private Disk() {}

    /** The path that a symbolic link leads to in the end, whether or not something is there; other paths as they are. */
    static Path followLinks(Path path) throws IOException {
        Path file = path;
        for (int links = 0; Files.isSymbolicLink(file); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            file = file.resolveSibling(Files.readSymbolicLink(file));
        }
        return file;
    }

    /** Makes a directory that only the owner may enter, and what is missing above it; one that is there is left alone. */
    static void makeDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            makeDirectories(parent);
        }
        try {
            Files.createDirectory(directory, attributes(directory, OWNER_DIRECTORY));
        } catch (FileAlreadyExistsException taken) {
            if (!Files.isDirectory(directory)) {
                throw taken;
            }
        }
        if (parent != null) {
            syncDirectory(parent);
        }
    }

    /** Makes an empty file for the owner alone, in place of what an earlier write may have left there. */
    static void create(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, attributes(file, OWNER_FILE));
    }

    /** Makes an empty file for the owner alone unless something is there. */
    static void createIfMissing(Path file) throws IOException {
        try {
            Files.createFile(file, attributes(file, OWNER_FILE));
        } catch (FileAlreadyExistsException there) {
            // what was wanted
        }
    }

    /** Writes the content, sets the mode, and syncs. */
    static void fill(Path file, SafeFile.Content content, Set<PosixFilePermission> mode) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            content.writeTo(channel);
            if (hasModes(file)) {
                Files.setPosixFilePermissions(file, mode);
            }
            channel.force(true);
        }
    }

    /** Writes the content, sets the mode, syncs, and reads back what the disk was given. */
    static void fill(Path file, byte[] content, Set<PosixFilePermission> mode) throws IOException {
        fill(file, channel -> writeAll(channel, ByteBuffer.wrap(content)), mode);
        if (!Arrays.equals(Files.readAllBytes(file), content)) {
            throw new IOException("it does not read back as it was written");
        }
    }

    static void writeAll(FileChannel channel, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            channel.write(content);
        }
    }

    /** The mode of a file, or that of a new one. */
    static Set<PosixFilePermission> mode(Path file) throws IOException {
        return hasModes(file) && Files.exists(file) ? Files.getPosixFilePermissions(file) : OWNER_FILE;
    }

    /** Gives a file a second name; where the system can't, the second name gets a copy. */
    static void linkOrCopy(Path file, Path link) throws IOException {
        try {
            Files.createLink(link, file);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            create(link);
            fill(link, Files.readAllBytes(file), mode(file));
        }
    }

    /**
     * Brings the names in a directory to the disk. Some file systems can't; the change is whole all the same, but may be
     * lost with the power, so this only warns.
     */
    static void syncDirectory(Path directory) {
        if (!hasModes(directory)) {
            return; // Windows: a directory cannot be opened
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException failed) {
            log.warn("cannot sync directory directory={} reason={}", directory, reason(failed));
        }
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> mode) {
        return hasModes(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(mode)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasModes(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Why a step failed, in words; the message of many of these exceptions is only a path. */
    static String reason(Exception failed) {
        if (failed instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failed instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failed instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is in the way";
        }
        if (failed instanceof FileSystemLoopException) {
            return "too many symbolic links";
        }
        if (failed instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return String.valueOf(failed.getMessage());
    }
}
