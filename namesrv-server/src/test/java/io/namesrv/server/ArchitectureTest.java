package io.namesrv.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import org.jspecify.annotations.NullMarked;

/** The arrows and rules of the house, over the classes of all three modules. */
@AnalyzeClasses(packages = "io.namesrv", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule the_core_knows_the_jdk_alone = classes()
            .that()
            .resideInAPackage("io.namesrv.core..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.namesrv.core..", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule the_remoting_knows_neither_core_nor_server = noClasses()
            .that()
            .resideInAPackage("io.namesrv.remoting..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.namesrv.core..", "io.namesrv.server..");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("io.namesrv.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule null_is_checked_in_every_package = classes()
            .should(be(describe(
                    "in a @NullMarked package", type -> type.getPackage().isAnnotatedWith(NullMarked.class))));

    /** Whoever needs another jar of netty-all adds it to {@code src/main/assembly/tree.xml} and its packages here. */
    @ArchTest
    static final ArchRule only_the_netty_jars_that_are_packed_are_used =
            noClasses().should().dependOnClassesThat(inNettyJarsThatAreNotPacked());

    @ArchTest
    static final ArchRule only_the_command_line_and_the_build_print = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.namesrv.server.NamesrvStartup")
            .and()
            .resideOutsideOfPackages("io.namesrv.server.cli..", "io.namesrv.server.archive..")
            .should(ACCESS_STANDARD_STREAMS);

    @ArchTest
    static final ArchRule the_wall_clock_is_a_clock_handed_in = noClasses()
            .should()
            .accessTargetWhere(method(System.class, "currentTimeMillis").or(method(Instant.class, "now")));

    @ArchTest
    static final ArchRule slf4j_is_the_only_logging =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..");

    /** A call or a method reference. */
    private static DescribedPredicate<JavaAccess<?>> method(Class<?> owner, String name) {
        return target(owner(type(owner))).and(target(name(name))).as("is %s.%s", owner.getSimpleName(), name);
    }

    private static DescribedPredicate<JavaClass> inNettyJarsThatAreNotPacked() {
        return resideInAPackage("io.netty..")
                .and(not(resideInAnyPackage(
                        "io.netty.bootstrap",
                        "io.netty.buffer..",
                        "io.netty.channel",
                        "io.netty.channel.embedded",
                        "io.netty.channel.epoll",
                        "io.netty.channel.group",
                        "io.netty.channel.internal",
                        "io.netty.channel.local",
                        "io.netty.channel.nio",
                        "io.netty.channel.pool",
                        "io.netty.channel.socket..",
                        "io.netty.channel.unix",
                        "io.netty.handler.codec",
                        "io.netty.handler.codec.haproxy",
                        "io.netty.handler.codec.http",
                        "io.netty.handler.flow",
                        "io.netty.handler.flush",
                        "io.netty.handler.ipfilter",
                        "io.netty.handler.logging",
                        "io.netty.handler.ssl",
                        "io.netty.handler.ssl.util",
                        "io.netty.handler.stream",
                        "io.netty.handler.timeout",
                        "io.netty.handler.traffic",
                        "io.netty.resolver",
                        "io.netty.util..")))
                .as("are in a Netty jar that is not packed");
    }
}
