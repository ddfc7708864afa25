package io.namesrv.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.namesrv.server.daemon.Launched.End;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JVM as the environment asks for it, in the words of ten years. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ScriptJvmIT {
    /** What Apache's runserver.sh itself passes to Java 8. */
    private static final String JAVA_8_OPTIONS = "-server -Xms512m -Xmx512m -Xmn256m -XX:MetaspaceSize=128m"
            + " -XX:MaxMetaspaceSize=320m -XX:PermSize=128m -XX:MaxPermSize=320m"
            + " -XX:+UseConcMarkSweepGC -XX:+UseCMSCompactAtFullCollection -XX:CMSInitiatingOccupancyFraction=70"
            + " -XX:+CMSParallelRemarkEnabled -XX:SoftRefLRUPolicyMSPerMB=0 -XX:+CMSClassUnloadingEnabled"
            + " -XX:SurvivorRatio=8 -XX:-UseParNewGC -Xloggc:HOME/rmq_srv_gc_%p_%t.log -XX:+PrintGCDetails"
            + " -XX:+PrintGCDateStamps -XX:+UseGCLogFileRotation -XX:NumberOfGCLogFiles=5 -XX:GCLogFileSize=30m"
            + " -XX:-OmitStackTraceInFastThrow -XX:-UseLargePages -Djava.ext.dirs=/jre/lib/ext:/lib";

    @TempDir
    private Path home;

    private Scripts scripts;

    @BeforeEach
    void setUp() throws IOException, URISyntaxException {
        scripts = new Scripts(home).with("CLASSPATH", ourClasses());
    }

    private static String ourClasses() throws URISyntaxException {
        return Path.of(ShownJvm.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    private ShownJvm show() throws IOException, InterruptedException {
        End end = runShown();
        assertThat(end.exitCode()).as(end.toString()).isZero();
        return ShownJvm.read(end.out());
    }

    private End runShown() throws IOException, InterruptedException {
        return scripts.run("sh", "runserver.sh", ShownJvm.class.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_OPT", "JAVA_OPT_EXT"})
    void the_daemon_takes_the_options_of_java_8(String variable) throws Exception {
        scripts.withMore(variable, JAVA_8_OPTIONS.replace("HOME", home.toString()));

        try (Launched launched = scripts.start("sh", "mqnamesrv")) {
            launched.awaitStarted();
            launched.terminate();

            assertThat(launched.end().exitCode()).isZero();
            assertThat(launched.err())
                    .contains("runserver.sh: dropped -Djava.ext.dirs=/jre/lib/ext:/lib: Java 9 and later refuse it\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:+UseConcMarkSweepGC",
                "-XX:+UseParNewGC -XX:+UseConcMarkSweepGC",
                "-XX:+UseParallelGC -XX:+UseParallelOldGC",
                "-Djava.endorsed.dirs=/lib",
                "-d64 -Xincgc -XX:+AggressiveOpts -XX:+UnlockExperimentalVMOptions -XX:+UseCGroupMemoryLimitForHeap",
                "-Xverify:none -verbose:gc -XX:+PrintGCApplicationStoppedTime -XX:+PrintAdaptiveSizePolicy",
                "-Xmn2g",
                "-Xms2g",
                "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC"
            })
    void a_jvm_takes(String options) throws Exception {
        scripts.with("JAVA_OPT_EXT", options);

        assertThat(show().maxHeap()).isPositive();
    }

    @Test
    void java_opt_stands_before_ours_and_java_opt_ext_behind() throws Exception {
        scripts.withMore("JAVA_OPT", "-Dshown=first -Xmx300m").with("JAVA_OPT_EXT", "-Dshown=last");
        ShownJvm ours = show();
        scripts.with("JAVA_OPT_EXT", "-Xmx300m -Dshown=*");
        ShownJvm theirs = show();

        assertThat(ours.shown()).isEqualTo("last");
        assertThat(ours.maxHeap()).isNotEqualTo(300);
        assertThat(theirs.shown()).isEqualTo("*");
        assertThat(theirs.maxHeap()).isEqualTo(300);
    }

    @Test
    void heap_opts_take_the_place_of_our_heap() throws Exception {
        scripts.with("HEAP_OPTS", "-Xmx320m -Djava.ext.dirs=/lib");

        assertThat(show().maxHeap()).isEqualTo(320);
    }

    @Test
    void java_heap_size_is_the_size_of_our_heap() throws Exception {
        scripts.with("JAVA_HEAP_SIZE", "304m");

        assertThat(show().maxHeap()).isEqualTo(304);
    }

    @Test
    void of_several_collectors_the_last_is_taken() throws Exception {
        scripts.withMore("JAVA_OPT", "-XX:+UseG1GC")
                .with("HEAP_OPTS", "-XX:+UseSerialGC")
                .with("JAVA_OPT_EXT", "-XX:+UseParallelGC");
        End end = runShown();

        assertThat(end.err()).isEqualTo("""
                        runserver.sh: dropped -XX:+UseG1GC: the collector is -XX:+UseParallelGC
                        runserver.sh: dropped -XX:+UseSerialGC: the collector is -XX:+UseParallelGC
                        """);
        assertThat(ShownJvm.read(end.out()).collectors()).isEqualTo("PS MarkSweep,PS Scavenge");
    }

    @Test
    void a_collector_that_the_jvm_reads_from_the_environment_itself_is_the_last() throws Exception {
        scripts.with("JAVA_OPT_EXT", "-XX:+UseParallelGC").with("JAVA_TOOL_OPTIONS", "-XX:+UseSerialGC");

        assertThat(show().collectors()).isEqualTo("Copy,MarkSweepCompact");
    }

    @Test
    void the_class_path_of_the_environment_stands_behind_our_jars() throws Exception {
        String[] classPath = show().classPath().split(":");

        assertThat(classPath[0]).startsWith(scripts.tree() + "/lib/namesrv-core-");
        assertThat(classPath).endsWith(ourClasses());
    }

    @Test
    void without_java_home_or_with_a_wrong_one_the_java_of_the_path_is_taken() throws Exception {
        End unset = scripts.without("JAVA_HOME").run("sh", "mqnamesrv", "-V");
        End wrong = scripts.with("JAVA_HOME", "/no/such").run("sh", "mqnamesrv", "-V");

        assertThat(unset).isEqualTo(new End(0, wrong.out(), ""));
        assertThat(wrong.err())
                .isEqualTo("runserver.sh: JAVA_HOME is /no/such, but there is no /no/such/bin/java;"
                        + " using the java on the PATH\n");
        assertThat(wrong.exitCode()).isZero();
    }

    @Test
    void an_old_java_is_refused_in_words() throws Exception {
        Path jdk = home.resolve("jdk8");
        Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
        Files.copy(scripts.bin().resolve("mqnamesrv"), java);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"1.8.0_392\"\n");

        End end = scripts.with("JAVA_HOME", jdk.toString()).run("sh", "mqnamesrv");

        assertThat(end)
                .isEqualTo(new End(
                        1,
                        "",
                        "runserver.sh: Java 17 or later is needed, but " + java + " is 1.8.0_392 (set JAVA_HOME)\n"));
    }
}
