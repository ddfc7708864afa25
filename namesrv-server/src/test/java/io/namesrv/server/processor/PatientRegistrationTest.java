package io.namesrv.server.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.namesrv.remoting.Connection;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PatientRegistrationTest {
    private static final RemotingCommand REQUEST = RemotingCommand.request(103, Map.of());
    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountingAdmission admission = new CountingAdmission(4 << 20, "registrationInFlightMax");
    private final CountingAdmission.Growth others = admission.growth();
    private final Deque<Runnable> lane = new ArrayDeque<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final RequestContext context = new RequestContext(Mockito.mock(Connection.class), System.nanoTime());

    /** One that inflates to a MiB. */
    private PatientRegistration registration(Duration patience) {
        return new PatientRegistration(
                (from, request, growth) -> {
                    attempts.incrementAndGet();
                    if (!growth.take(1 << 20)) {
                        throw new NoRoomException(growth.bytes());
                    }
                    return RemotingCommand.success();
                },
                admission,
                lane::add,
                patience);
    }

    private CompletableFuture<RemotingCommand> register(Duration patience) throws CommandException {
        return registration(patience).process(context, REQUEST).toCompletableFuture();
    }

    @Test
    void where_there_is_room_it_is_done_at_once_and_gives_all_back() throws CommandException {
        assertThat(register(LONG)).isCompleted();
        assertThat(admission.total()).isZero();
    }

    @Test
    void where_there_is_none_it_waits_without_a_thread_and_begins_anew_once_there_is() throws CommandException {
        others.take(4 << 20);

        CompletableFuture<RemotingCommand> answer = register(LONG);
        assertThat(answer).isNotDone();
        assertThat(lane).isEmpty();
        others.close();
        lane.remove().run();

        assertThat(answer.join().code()).isZero();
        assertThat(attempts).hasValue(2);
        assertThat(admission.total()).isZero();
    }

    @Test
    void what_waits_too_long_is_answered_busy() throws CommandException {
        others.take(4 << 20);
        CompletableFuture<RemotingCommand> answer = new PatientRegistration(
                        (from, request, growth) -> {
                            throw new NoRoomException(1);
                        },
                        admission,
                        Runnable::run,
                        Duration.ofMillis(20))
                .process(context, REQUEST)
                .toCompletableFuture();

        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        CommandException.class, busy -> assertThat(busy.code()).isEqualTo(ResponseCode.SYSTEM_BUSY))
                .hasMessageContaining("registrationInFlightMax");
    }
}
