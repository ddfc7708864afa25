package io.namesrv.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DocsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "..").normalize();
    private static final List<String> MODULES = List.of("namesrv-core", "namesrv-remoting", "namesrv-server");
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Test|IT))(?:\\.(\\w+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"architecture", "client", "deviations", "faults", "field-report", "operate", "reliability"})
    void every_test_that_a_document_names_is_there(String document) throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();

        Matcher named = NAMED_TEST.matcher(Files.readString(ROOT.resolve("docs/" + document + ".md")));
        while (named.find()) {
            String source = sources.getOrDefault(named.group(1), "");
            boolean there =
                    !source.isEmpty() && (named.group(2) == null || source.contains("void " + named.group(2) + "("));
            if (!there) {
                missing.add(named.group());
            }
        }

        assertThat(missing).isEmpty();
    }

    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                files.filter(file -> file.toString().matches(".*(Test|IT)\\.java"))
                        .forEach(file ->
                                sources.put(file.getFileName().toString().replace(".java", ""), read(file)));
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
