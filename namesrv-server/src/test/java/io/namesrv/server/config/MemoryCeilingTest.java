package io.namesrv.server.config;

import static io.namesrv.server.config.Fixtures.loaded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MemoryCeilingTest {
    private static final long MIB = 1 << 20;
    private static final Pattern HEAP = Pattern.compile("heap (\\d+) of (\\d+) \\(base");

    @TempDir
    Path home;

    @Test
    void where_there_is_room_the_defaults_stay_and_one_line_is_the_sum() throws Exception {
        LoadedConfig loaded = loaded(home);

        MemoryCeiling.Fitted fitted = MemoryCeiling.fit(loaded, 4096 * MIB, 1024 * MIB);

        assertThat(fitted.loaded().config()).isEqualTo(loaded.config());
        assertThat(fitted.lines())
                .singleElement()
                .asString()
                .startsWith("memory ceiling in MiB: heap 1440 of 4096 (base 104, connectionsMax 59, ")
                .contains("; direct memory 583 of 1024 (base 32, ");
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 96, 256, 512, 1024})
    void defaults_are_scaled_down_until_the_sum_fits(int heap) throws Exception {
        MemoryCeiling.Fitted fitted = MemoryCeiling.fit(loaded(home), heap * MIB, heap * MIB);

        String sum = fitted.lines().get(fitted.lines().size() - 1);
        Matcher found = HEAP.matcher(sum);
        assertThat(found.find()).as(sum).isTrue();
        assertThat(Integer.parseInt(found.group(1))).isLessThanOrEqualTo(Integer.parseInt(found.group(2)));
        NamesrvConfig config = fitted.loaded().config();
        assertThat(config.shared().connectionsMax()).isBetween(100, 20_000);
        assertThat(config.stored().tables().bytes()).isBetween(4 * MIB, 512 * MIB);
        assertThat(config.limits().bodyMaxDecompressed()).isPositive().isLessThan((int)
                config.shared().registrationInFlightMax());
        assertThat(fitted.lines()).hasSizeGreaterThan(1);
        assertThat(fitted.loaded().settings().textWithSources())
                .contains("# default, scaled down to the memory there is\nregistrationInFlightMax=");
    }

    @Test
    void what_was_set_is_kept_and_the_defaults_share_what_is_left() throws Exception {
        LoadedConfig loaded = loaded(home, "routeTablesMax=150000000", "connectionsMax=10000");

        NamesrvConfig config =
                MemoryCeiling.fit(loaded, 512 * MIB, 512 * MIB).loaded().config();

        assertThat(config.stored().tables().bytes()).isEqualTo(150_000_000);
        assertThat(config.shared().connectionsMax()).isEqualTo(10_000);
        assertThat(config.stored().kv().bytes()).isLessThan(64 * MIB);
    }

    @Test
    void a_limit_that_was_set_and_does_not_fit_ends_the_start_with_its_key() throws Exception {
        LoadedConfig loaded = loaded(home, "routeTablesMax=900000000", "connectionsMax=10");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> MemoryCeiling.fit(loaded, 512 * MIB, 512 * MIB))
                .withMessageStartingWith("routeTablesMax: 900000000 may need ")
                .withMessageEndingWith(", from file " + home.resolve("given.properties"));
        LoadedConfig direct = loaded(home, "outboundTotalMax=1000000000");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> MemoryCeiling.fit(direct, 4096 * MIB, 512 * MIB))
                .withMessageStartingWith("outboundTotalMax: 1000000000 may need 954 MiB of direct memory, ");
    }

    @Test
    void a_limit_that_is_switched_off_is_said_to_have_no_ceiling() throws Exception {
        MemoryCeiling.Fitted fitted = MemoryCeiling.fit(loaded(home, "routeTablesMax=0"), 512 * MIB, 512 * MIB);

        assertThat(fitted.loaded().config().stored().tables().bytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(fitted.lines().get(fitted.lines().size() - 1)).contains("routeTablesMax unlimited");
    }
}
