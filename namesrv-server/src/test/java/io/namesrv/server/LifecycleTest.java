package io.namesrv.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LifecycleTest {
    private final List<String> stopped = new ArrayList<>();
    private final Lifecycle lifecycle = new Lifecycle();

    @Test
    void parts_stop_in_reverse_and_once() {
        lifecycle.started("first", () -> stopped.add("first"));
        lifecycle.started("second", () -> stopped.add("second"));

        lifecycle.close();
        lifecycle.close();

        assertThat(stopped).containsExactly("second", "first");
    }

    @Test
    void a_part_that_cannot_stop_does_not_keep_the_others_from_stopping() {
        lifecycle.started("first", () -> stopped.add("first"));
        lifecycle.started("broken", () -> {
            throw new IOException("cannot");
        });

        lifecycle.close();

        assertThat(stopped).containsExactly("first");
    }
}
