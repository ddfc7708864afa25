package io.namesrv.remoting.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DescriptorsTest {
    @Test
    void connections_get_85_percent_of_the_limit() {
        assertThat(Descriptors.connections(65536, 50)).isEqualTo(55705);
        assertThat(Descriptors.connections(Long.MAX_VALUE, 50)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void some_are_left_for_files_and_those_in_use_do_not_count() {
        assertThat(Descriptors.connections(256, 50)).isEqualTo(256 - 50 - 64);
        assertThat(Descriptors.connections(64, 40)).isEqualTo(64 - 40 - 16);
        assertThat(Descriptors.connections(64, 64)).isEqualTo(1);
    }
}
