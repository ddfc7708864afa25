package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class CountingAdmissionTest {
    @Test
    void all_connections_share_the_total() {
        CountingAdmission admission = new CountingAdmission(100, "registrationInFlightMax");
        Admission.Account one = admission.open(Fixtures.connection(1));
        Admission.Account two = admission.open(Fixtures.connection(2));

        assertThat(one.charge(60)).isTrue();
        assertThat(one.charge(41)).isFalse();
        assertThat(two.charge(40)).isTrue();
        assertThat(admission.total()).isEqualTo(100);
        one.giveBack(60);
        assertThat(two.charge(60)).isTrue();
        assertThat(admission.total()).isEqualTo(100);
    }

    @Test
    void beyond_the_total_the_connection_that_holds_most_is_closed() {
        CountingAdmission admission = new CountingAdmission(100, "key");
        Closable small = new Closable(1);
        Closable large = new Closable(2);
        Admission.Account ofSmall = admission.open(small);
        Admission.Account ofLarge = admission.open(large);
        ofSmall.charge(10);
        ofLarge.charge(80);

        boolean taken = ofSmall.charge(20);
        boolean takenWhileItCloses = ofSmall.charge(5);

        assertThat(taken).isTrue();
        assertThat(takenWhileItCloses).isTrue();
        assertThat(large.closed).isEqualTo(CloseReason.LIMIT);
        assertThat(small.closed).isNull();
        ofLarge.giveBack(80);
        ofLarge.close();
        ofSmall.giveBack(35);
        assertThat(admission.total()).isZero();
    }

    @Test
    void what_a_request_grows_to_is_given_back_with_it() {
        CountingAdmission admission = new CountingAdmission(100, "key");
        Admission.Account account = admission.open(Fixtures.connection(1));
        account.charge(40);
        try (CountingAdmission.Growth growth = admission.growth()) {
            assertThat(growth.take(60)).isTrue();
            assertThat(growth.take(41)).isFalse();
            assertThat(growth.bytes()).isEqualTo(60);
            assertThat(admission.total()).isEqualTo(100);
        }
        assertThat(admission.total()).isEqualTo(40);
    }

    @Test
    void what_was_received_takes_no_room_to_grow() {
        CountingAdmission admission = new CountingAdmission(100, "key");
        Admission.Account idle = admission.open(Fixtures.connection(1));
        idle.charge(100);

        try (CountingAdmission.Growth growth = admission.growth()) {
            assertThat(growth.take(100)).isTrue();
            assertThat(admission.whenFree(1, Duration.ofMillis(1)).join()).isFalse();
        }
        assertThat(admission.whenFree(100, Duration.ofMinutes(1))).isCompletedWithValue(true);
    }

    @Test
    void what_an_ended_connection_still_holds_is_not_laid_to_others() {
        CountingAdmission admission = new CountingAdmission(100, "key");
        Closable ended = new Closable(1);
        Closable other = new Closable(2);
        Admission.Account ofEnded = admission.open(ended);
        Admission.Account ofOther = admission.open(other);
        ofEnded.charge(95);
        ended.close(CloseReason.PEER);
        ofEnded.close();

        assertThat(ofOther.charge(50)).isTrue();

        assertThat(other.closed).isNull();
        ofEnded.giveBack(95);
        assertThat(ofOther.charge(50)).isTrue();
        assertThat(ofOther.charge(1)).isFalse();
    }

    @Test
    void whoever_waits_goes_on_once_there_is_room_and_nobody_waits_for_one_that_needs_more() {
        CountingAdmission admission = new CountingAdmission(100, "key");
        CountingAdmission.Growth growth = admission.growth();
        growth.take(60);
        CountingAdmission.Growth more = admission.growth();
        more.take(30);
        CompletableFuture<Boolean> first = admission.whenFree(50, Duration.ofMinutes(1));
        CompletableFuture<Boolean> second = admission.whenFree(20, Duration.ofMinutes(1));
        CompletableFuture<Boolean> impatient = admission.whenFree(20, Duration.ofMillis(1));

        assertThat(impatient.join()).isFalse();
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        more.close();
        assertThat(second).isCompletedWithValue(true);
        assertThat(first).isNotDone();
        growth.close();

        assertThat(first).isCompletedWithValue(true);
        assertThat(admission.whenFree(1000, Duration.ofMinutes(1))).isCompletedWithValue(true);
    }

    /** A connection that is closed when it is told to be. */
    private static final class Closable implements Connection {
        private final Connection usual;
        private @Nullable CloseReason closed;

        Closable(long id) {
            usual = Fixtures.connection(id);
        }

        @Override
        public long id() {
            return usual.id();
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return usual.remoteAddress();
        }

        @Override
        public String remote() {
            return usual.remote();
        }

        @Override
        public boolean isOpen() {
            return closed == null;
        }

        @Override
        public void close(CloseReason reason) {
            closed = reason;
        }

        @Override
        public boolean takesAnswers() {
            return true;
        }

        @Override
        public void whenItTakesAnswers(Runnable task) {
            task.run();
        }
    }

    @Test
    void without_a_limit_everything_is_let_in() {
        CountingAdmission admission = new CountingAdmission(0, "registrationInFlightMax");
        Admission.Account account = admission.open(Fixtures.connection(1));

        assertThat(account.charge(Integer.MAX_VALUE)).isTrue();
        assertThat(account.charge(Integer.MAX_VALUE)).isTrue();
        assertThat(admission.total()).isEqualTo(2L * Integer.MAX_VALUE);
    }
}
