package io.namesrv.server.config;

import io.namesrv.server.config.ConfigSections.Section;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The files that show every setting, rendered from the declarations. {@link ConfigDocsTest} compares them;
 * {@code mvn test -pl namesrv-server -am -Dtest=ConfigDocsTest -Dsurefire.failIfNoSpecifiedTests=false -DwriteConfigDocs=true}
 * writes them anew.
 */
final class ConfigDocs {
    private static final int COLUMNS = 110;

    private ConfigDocs() {}

    /** The files below the root of the project, with what they should hold. */
    static Map<String, String> files() {
        return Map.of("conf/namesrv.properties", properties(), "docs/configuration.md", markdown());
    }

    static String read(Path root, String file) throws IOException {
        Path path = root.resolve(file);
        return Files.exists(path) ? Files.readString(path, StandardCharsets.UTF_8) : "";
    }

    static void write(Path root) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue(), StandardCharsets.UTF_8);
        }
    }

    private static String properties() {
        StringBuilder out = new StringBuilder("""
                # Settings of the name server: every key, commented out at its default.
                # Java properties syntax, UTF-8: in a value, a backslash is written \\\\. See docs/configuration.md.
                """);
        for (Section section : ConfigSections.SECTIONS) {
            out.append("\n\n### ").append(section.title()).append('\n');
            for (ConfigKey<?> key : section.keys()) {
                out.append('\n');
                comment(key.doc() + note(key), out);
                out.append('#')
                        .append(key.name())
                        .append('=')
                        .append(key.defaultText())
                        .append('\n');
            }
        }
        return out.toString();
    }

    private static String note(ConfigKey<?> key) {
        String range = range(key);
        String atRunTime = key.updatable() ? "may change at run time" : "";
        String between = range.isEmpty() || atRunTime.isEmpty() ? "" : "; ";
        String note = range + between + atRunTime;
        return note.isEmpty() ? "" : " [" + note + "]";
    }

    /** What a range adds to the type; nothing where it is every value of the type. */
    private static String range(ConfigKey<?> key) {
        String range = key.type().name().equals("bool") ? "" : key.type().range();
        String most = ".." + Integer.MAX_VALUE;
        if (range.equals(Integer.MIN_VALUE + most)) {
            return "";
        }
        return range.endsWith(most) ? range.replace(most, " or more") : range;
    }

    private static void comment(String text, StringBuilder out) {
        StringBuilder line = new StringBuilder("#");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > COLUMNS) {
                out.append(line).append('\n');
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        out.append(line).append('\n');
    }

    private static String markdown() {
        StringBuilder out = new StringBuilder(INTRODUCTION);
        for (Section section : ConfigSections.SECTIONS) {
            out.append("\n## ").append(section.title()).append("\n\n");
            out.append("| key | type | default | range | at run time | meaning |\n");
            out.append("| --- | --- | --- | --- | --- | --- |\n");
            section.keys().forEach(key -> row(key, out));
        }
        return out.append(TLS).toString();
    }

    private static void row(ConfigKey<?> key, StringBuilder out) {
        String byDefault = key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
        String property = key.defaultProperty()
                .map(name -> " Default from the system property `" + name + "`.")
                .filter(text -> !key.doc().contains(key.defaultProperty().orElse("")))
                .orElse("");
        out.append("| `").append(key.name()).append("` | ").append(key.type().name());
        out.append(" | ").append(byDefault).append(" | ").append(range(key));
        out.append(" | ").append(key.updatable() ? "yes" : "no");
        out.append(" | ").append(key.doc().replace("|", "\\|")).append(property).append(" |\n");
    }

    /** System properties and a file of their own, as Apache's programs have them; read by {@link TlsSettings}. */
    private static final String TLS = """

            ## TLS

            TLS is spoken on the same port, set up as in Apache's programs: by system properties
            (`JAVA_OPT_EXT=-Dtls.server.mode=enforcing`), over which the file named by `tls.config.file` is laid, but for
            the first two. TLS 1.3 and 1.2 are spoken. The files of keys and certificates are looked at twice a second: new
            ones are taken for new connections, if they fit each other; else the former ones stay in force. Files that cannot
            be used at the start end it (exit code 253).

            | key | default | meaning |
            | --- | --- | --- |
            | `tls.server.mode` | `permissive` | `disabled`: TLS connections are closed; `permissive`: both are served; `enforcing`: plain ones are closed |
            | `tls.enable` | `false` | whether connections that the daemon makes itself (notices to brokers) use TLS |
            | `tls.config.file` | `/etc/rocketmq/tls.properties` | a properties file with the keys below; skipped if it is not there |
            | `tls.test.mode.enable` | `true` | a certificate made at start, and any peer trusted; the keys below are not read |
            | `tls.server.keyPath`, `tls.server.keyPassword`, `tls.server.certPath` | | private key (PEM, PKCS#8), its password, certificate chain (PEM) |
            | `tls.server.need.client.auth` | `none` | whether clients show certificates: `none`, `optional`, `require` |
            | `tls.server.authClient`, `tls.server.trustCertPath` | `false` | whether their certificates are checked, and against which authorities (PEM; without it those of the JVM) |
            | `tls.client.keyPath`, `tls.client.keyPassword`, `tls.client.certPath` | | the same for connections that the daemon makes |
            | `tls.client.authServer`, `tls.client.trustCertPath` | `false` | whether it checks the certificates of brokers |
            """;

    private static final String INTRODUCTION = """
            # Configuration

            <!-- Rendered from ConfigKeys by ConfigDocsTest, which fails if this file differs. -->

            ## Where a value comes from

            The first of these that has a value wins:

            1. the system property `namesrv.<key>` (`JAVA_OPT_EXT=-Dnamesrv.listenPort=9877`);
            2. the environment variable `NAMESRV_CONF_<KEY>`, the key in upper snake (`NAMESRV_CONF_LISTEN_PORT`);
            3. what was changed at run time before, see below;
            4. the properties file: the one given with `-c`, else `conf/namesrv.properties` of the home if it is there;
            5. the default.

            `mqnamesrv -p` prints every setting with its source and ends.

            The file is in Java properties syntax and in UTF-8; one that is not UTF-8 is read as ISO 8859-1, as Apache's
            NameServer reads all files. `${user.home}` in a path stands for the home directory of the user. A value that
            is none of its key's ends the start with a message that names the key, the value, what was expected, and the
            source. A key that nobody knows is a warning with the name that was probably meant; it is kept, and shown with
            the others. Keys of Apache's clients and of its controller, as a shared file holds them, are kept without a
            warning. What is shown of a key that sounds like a password is `***`. A limit of 0 is switched off, with a
            warning. The start says in one line what the limits may cost in memory together; a default that does not fit
            is scaled down, one that is set and does not ends the start.

            ## Changing settings at run time

            `mqadmin updateNamesrvConfig -n 127.0.0.1:9876 -k orderMessageEnable -v true` changes keys marked "yes" below,
            and takes effect at once. A request that names any other key is refused with code 16, a value that is none
            of its key's with code 1; in both cases nothing of the request is done. `mqadmin getNamesrvConfig` shows what
            is in force.

            A change is on disk before it is answered: in the file at `configStorePath`, which is the `-c` file if one was
            given. That file keeps its other lines and its comments; what it held before is beside it as `.prev`. At the
            next start the changes are there again: they are part of the `-c` file, or, where `configStorePath` is
            another file, those of its keys that may change at run time are laid over the properties file.

            ## Files

            A file is replaced as a whole: written aside, synced, renamed, so that neither a crash nor a loss of power
            leaves half a file. A new file can be read by its owner alone (0600); one that is there keeps its mode. If
            `kvConfigPath`, or a `configStorePath` other than the `-c` file, is found damaged at the start, it is moved
            to `<name>.bad-<time>`, and `<name>.prev` or Apache's `<name>.bak` is read in its place. A file that is there
            and can't be read ends the start.

            `kvConfig.json.crc` holds the checksum of the key/value file as the daemon wrote it. Editing `kvConfig.json` by
            hand, or with Apache's NameServer, while the daemon is stopped is fine: it is read, with a warning.
            """;
}
