package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class CountingAdmissionTest {
    @Test
    void all_connections_share_the_total() {
        CountingAdmission admission = new CountingAdmission(100);
        Admission.Account one = admission.open(Fixtures.connection(1));
        Admission.Account two = admission.open(Fixtures.connection(2));

        assertThat(one.charge(60)).isTrue();
        assertThat(two.charge(41)).isFalse();
        assertThat(two.charge(40)).isTrue();
        assertThat(admission.total()).isEqualTo(100);
        one.giveBack(60);
        assertThat(two.charge(60)).isTrue();
        assertThat(admission.total()).isEqualTo(100);
    }

    @Test
    void without_a_limit_everything_is_let_in() {
        CountingAdmission admission = new CountingAdmission(0);
        Admission.Account account = admission.open(Fixtures.connection(1));

        assertThat(account.charge(Integer.MAX_VALUE)).isTrue();
        assertThat(account.charge(Integer.MAX_VALUE)).isTrue();
        assertThat(admission.total()).isEqualTo(2L * Integer.MAX_VALUE);
    }
}
