package io.namesrv.server.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in the directory of the snapshots: {@code full-<seq>.json}, {@code inc-<seq>.log} with the changes since that
 * full file ({@code inc-0.log}: since the empty tables), and {@code alive}, the time at which the daemon was running last.
 */
final class SnapshotDirectory {
    private static final Pattern NAME =
            Pattern.compile("(?:(full)-(0|[1-9][0-9]{0,17})\\.json|(inc)-(0|[1-9][0-9]{0,17})\\.log)");

    /** What an end in the middle of a write leaves. */
    private static final Pattern LEFT_OVER = Pattern.compile("full-[0-9]+\\.json\\" + SafeFile.TEMPORARY);

    private final Path path;
    private final SafeFile alive;

    SnapshotDirectory(Path path) {
        this.path = path;
        this.alive = SafeFile.withoutFormer(path.resolve("alive"));
    }

    Path path() {
        return path;
    }

    Path full(long seq) {
        return path.resolve("full-" + seq + ".json");
    }

    Path inc(long seq) {
        return path.resolve("inc-" + seq + ".log");
    }

    /** The numbers of the full files, the newest first. */
    List<Long> fulls() throws IOException {
        return numbers("full");
    }

    /** The greatest number that is in use; 0 if none is. */
    long highest() throws IOException {
        return Math.max(
                fulls().stream().findFirst().orElse(0L),
                numbers("inc").stream().findFirst().orElse(0L));
    }

    private List<Long> numbers(String kind) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                int group = kind.equals("full") ? 1 : 3;
                if (name.matches() && name.group(group) != null) {
                    numbers.add(Long.parseLong(name.group(group + 1)));
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        numbers.sort(Collections.reverseOrder());
        return numbers;
    }

    /** Takes away what ends in the middle of a write have left. */
    void deleteLeftOvers() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (LEFT_OVER.matcher(String.valueOf(file.getFileName())).matches()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Takes the pairs away that are older than this one; those of a newer format stay. */
    void deleteOlderThan(long seq, List<Long> foreign) throws IOException {
        for (String kind : List.of("full", "inc")) {
            for (long number : numbers(kind)) {
                if (number < seq && !foreign.contains(number)) {
                    Files.deleteIfExists(kind.equals("full") ? full(number) : inc(number));
                }
            }
        }
    }

    /** Notes that the daemon is running, at this wall time in milliseconds. */
    void stamp(long wallMillis) throws IOException {
        alive.write((wallMillis + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** When the daemon was running last; absent if nobody has noted that. */
    OptionalLong lastAlive() throws IOException {
        String text = alive.readAsIs()
                .map(content -> new String(content, StandardCharsets.US_ASCII).strip())
                .orElse("");
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
