package io.namesrv.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
final class StopSignalsTest {
    @Test
    void the_first_signal_stops_and_any_other_halts() {
        List<String> done = new ArrayList<>();
        StopSignals signals = new StopSignals(code -> done.add("stop " + code), code -> done.add("halt " + code));

        signals.heard(15);
        signals.heard(2);
        signals.heard(15);

        assertThat(done).containsExactly("stop 143", "halt 130", "halt 143");
    }
}
