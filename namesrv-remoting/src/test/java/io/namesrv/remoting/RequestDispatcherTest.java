package io.namesrv.remoting;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.namesrv.remoting.Fixtures.Caller;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.SerializeType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

@DisplayNameGeneration(ReplaceUnderscores.class)
@ExtendWith(NoLeaks.class)
class RequestDispatcherTest {
    private static final int CODE = 500;
    private static final String OVERLOAD = "[OVERLOAD]system busy, start flow control for a while";

    private final Lane inline = Lane.inline("inline");
    private final List<RequestOutcome> outcomes = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong(1_000);
    private final Connection connection = Fixtures.connection(3);

    private final Logger log = (Logger) LoggerFactory.getLogger(RequestDispatcher.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void keepTheLog() {
        logged.start();
        log.addAppender(logged);
        log.setAdditive(false);
    }

    @AfterEach
    void letTheLogGo() {
        log.setAdditive(true);
        log.detachAppender(logged);
    }

    private RequestDispatcher dispatcher(ProcessorTable.Builder table) {
        return new RequestDispatcher(table.build(), outcomes::add, 479, nanos::get);
    }

    private RequestDispatcher serving(RequestProcessor processor) {
        return dispatcher(ProcessorTable.builder().on(CODE, processor, inline));
    }

    private RequestDispatcher servingLater(AsyncRequestProcessor processor) {
        return dispatcher(ProcessorTable.builder().onLater(CODE, processor, inline));
    }

    private Caller ask(RequestDispatcher dispatcher, RemotingCommand request) {
        Caller caller = new Caller();
        dispatcher.dispatch(new RequestContext(connection, 400), request, dispatcher.newOrder(), caller);
        return caller;
    }

    private Caller ask(RequestDispatcher dispatcher) {
        return ask(dispatcher, Fixtures.request(CODE));
    }

    private static void assertAnswer(Caller caller, int code, @Nullable String remark) {
        RemotingCommand answer = caller.onlyAnswer();
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.remark()).isEqualTo(Optional.ofNullable(remark));
    }

    @Test
    void an_answer_has_the_number_and_form_of_its_request_and_our_version() {
        RequestDispatcher dispatcher =
                serving((context, request) -> RemotingCommand.success().withExtField("a", "b"));
        for (SerializeType form : SerializeType.values()) {
            RemotingCommand request = RemotingCommand.request(CODE, Map.of())
                    .withOpaque(Integer.MIN_VALUE)
                    .withVersion(50)
                    .withFlag(0x40)
                    .withSerializeType(form);

            RemotingCommand answer = ask(dispatcher, request).onlyAnswer();

            assertThat(answer.code()).isZero();
            assertThat(answer.opaque()).isEqualTo(Integer.MIN_VALUE);
            assertThat(answer.serializeType()).isEqualTo(form);
            assertThat(answer.flag()).isEqualTo(RemotingCommand.FLAG_RESPONSE);
            assertThat(answer.version()).isEqualTo(479);
            assertThat(answer.extFields()).isEqualTo(Map.of("a", "b"));
            assertThat(answer.remark()).isEmpty();
        }
    }

    @Test
    void an_unknown_code_is_answered_with_a_leading_blank() {
        RequestDispatcher dispatcher = serving((context, request) -> RemotingCommand.success());

        assertAnswer(ask(dispatcher, Fixtures.request(9999)), 3, " request type 9999 not supported");
        assertAnswer(ask(dispatcher, Fixtures.request(-7)), 3, " request type -7 not supported");
    }

    @Test
    void a_refusal_becomes_its_code_and_remark() {
        RequestDispatcher dispatcher = serving((context, request) -> {
            throw new CommandException(17, "No topic\nSee URL");
        });

        assertAnswer(ask(dispatcher), 17, "No topic\nSee URL");
    }

    @Test
    void a_failure_is_answered_without_a_word_of_its_inside() {
        RequestDispatcher dispatcher = serving((context, request) -> {
            throw new IllegalStateException("io.namesrv.core.Secret at line 5");
        });

        assertAnswer(ask(dispatcher), 1, "the name server failed to carry out the request");
        assertThat(logged.list).hasSize(1).allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getFormattedMessage()).contains("code=500 from=10.0.0.5:40122#3");
            assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                    .isNotEmpty();
        });
    }

    @Test
    void a_refusal_leaves_no_line() {
        ask(serving((context, request) -> {
            throw new CommandException(1, "no");
        }));

        assertThat(logged.list).isEmpty();
    }

    @Test
    void failures_do_not_fill_the_log() {
        RequestDispatcher dispatcher = serving((context, request) -> {
            throw new IllegalStateException("broken");
        });

        for (int i = 0; i < 1000; i++) {
            ask(dispatcher);
        }

        assertThat(logged.list).hasSizeLessThan(100);
    }

    @Test
    void an_endless_recursion_is_answered() {
        RequestDispatcher dispatcher = serving((context, request) -> {
            throw new StackOverflowError();
        });

        assertAnswer(ask(dispatcher), 1, "the request is nested too deeply");
    }

    @Test
    @SuppressWarnings("NullAway") // what a broken processor may do
    void a_processor_that_answers_null_is_a_failure() {
        assertAnswer(ask(serving((context, request) -> null)), 1, "the name server failed to carry out the request");
        assertAnswer(
                ask(servingLater((context, request) -> null)), 1, "the name server failed to carry out the request");
        assertAnswer(
                ask(servingLater((context, request) -> CompletableFuture.completedFuture(null))),
                1,
                "the name server failed to carry out the request");
    }

    @Test
    void an_answer_may_come_later() {
        CompletableFuture<RemotingCommand> stage = new CompletableFuture<>();
        Caller caller = ask(servingLater((context, request) -> stage));
        assertThat(caller.ends()).isZero();

        stage.complete(RemotingCommand.success());

        assertAnswer(caller, 0, null);
    }

    @Test
    void an_answer_that_is_held_back_is_not_late_and_keeps_nothing_of_its_request() {
        HeldAnswer held = new HeldAnswer();
        RemotingCommand request = Fixtures.request(CODE)
                .withExtField("large", "x".repeat(60_000))
                .withBody(new byte[1000])
                .withSerializeType(SerializeType.ROCKETMQ);
        Caller caller = ask(
                servingLater((context, asked) -> {
                    nanos.addAndGet(20);
                    return held;
                }),
                request);
        assertThat(List.of(caller.helds, caller.ends())).containsExactly(1, 0);
        assertThat(outcomes).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());

        held.complete(RemotingCommand.success());

        RemotingCommand answer = caller.onlyAnswer();
        assertThat(List.of(answer.opaque(), answer.serializeType())).containsExactly(7, SerializeType.ROCKETMQ);
        assertThat(outcomes)
                .containsExactly(
                        new RequestOutcome(new RequestContext(connection, 400), CODE, "inline", 600, 20, 0, false));
        RemotingCommand kept = request.withoutContent();
        assertThat(kept.extFields()).isEmpty();
        assertThat(kept.bodyBytes()).isEmpty();
    }

    @Test
    void an_answer_that_was_there_before_it_could_be_held_back_is_given() {
        HeldAnswer held = new HeldAnswer();
        held.complete(RemotingCommand.success());

        assertAnswer(ask(servingLater((context, request) -> held)), 0, null);
    }

    @Test
    void a_refusal_may_come_later() {
        CompletableFuture<RemotingCommand> stage = new CompletableFuture<>();
        Caller plain = ask(servingLater((context, request) -> stage));
        Caller wrapped = ask(servingLater((context, request) -> stage.thenApply(answer -> answer)));
        Caller atOnce = ask(servingLater((context, request) -> {
            throw new CommandException(16, "no");
        }));

        stage.completeExceptionally(new CommandException(22, "gone"));

        assertAnswer(plain, 22, "gone");
        assertAnswer(wrapped, 22, "gone");
        assertAnswer(atOnce, 16, "no");
    }

    @Test
    void a_failure_may_come_later() {
        CompletableFuture<RemotingCommand> stage = new CompletableFuture<>();
        Caller caller = ask(servingLater((context, request) -> stage));

        stage.completeExceptionally(new CompletionException(new IllegalStateException("x")));

        assertAnswer(caller, 1, "the name server failed to carry out the request");
    }

    @Test
    void a_one_way_request_is_never_answered() {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(1, (context, request) -> RemotingCommand.success(), inline)
                .on(
                        2,
                        (context, request) -> {
                            throw new CommandException(1, "no");
                        },
                        inline)
                .on(
                        3,
                        (context, request) -> {
                            throw new IllegalStateException("broken");
                        },
                        inline)
                .onLater(4, (context, request) -> CompletableFuture.completedFuture(RemotingCommand.success()), inline)
                .on(5, (context, request) -> RemotingCommand.success(), inline)
                .atMostWaiting(5, 0, "too many")
                .on(6, (context, request) -> RemotingCommand.success(), fullLane()));
        dispatcher.sendAway();
        for (int code : new int[] {1, 2, 3, 4, 5, 6, 9999}) {
            for (int version : new int[] {475, 479}) {
                Caller caller = ask(
                        dispatcher,
                        Fixtures.request(code)
                                .withFlag(RemotingCommand.FLAG_ONEWAY)
                                .withVersion(version));

                assertThat(caller.answers).as("code %s", code).isEmpty();
                assertThat(caller.nothings).as("code %s", code).isEqualTo(1);
            }
        }
    }

    private static Lane fullLane() {
        Lane lane = Lane.pooled("full", 1, 1, Duration.ZERO);
        lane.takePlace();
        return lane;
    }

    @Test
    void the_body_of_an_answer_nobody_gets_is_given_up() {
        ByteBuf body = Unpooled.directBuffer(8).writeLong(1);
        RequestDispatcher dispatcher = serving((context, request) -> RemotingCommand.success(body.retainedDuplicate()));

        ask(dispatcher, Fixtures.request(CODE).withFlag(RemotingCommand.FLAG_ONEWAY));

        assertThat(body.refCnt()).isEqualTo(1);
        body.release();
    }

    @Test
    void an_answer_from_a_peer_is_dropped_without_a_word() {
        List<RemotingCommand> seen = new ArrayList<>();
        RequestDispatcher dispatcher = serving((context, request) -> {
            seen.add(request);
            return RemotingCommand.success();
        });

        for (int flag : new int[] {1, 3}) {
            Caller caller = ask(dispatcher, Fixtures.request(CODE).withFlag(flag));
            assertThat(caller.answers).isEmpty();
            assertThat(caller.nothings).isEqualTo(1);
        }
        assertThat(seen).isEmpty();
        assertThat(outcomes).isEmpty();
    }

    @Test
    void a_full_lane_is_answered_at_once() {
        Lane full = fullLane();
        RequestDispatcher any =
                dispatcher(ProcessorTable.builder().on(CODE, (context, request) -> RemotingCommand.success(), full));
        RequestDispatcher ordered = dispatcher(
                ProcessorTable.builder().inOrder(CODE, (context, request) -> RemotingCommand.success(), full));

        assertAnswer(ask(any), 2, OVERLOAD);
        assertAnswer(ask(ordered), 2, OVERLOAD);
    }

    @Test
    void a_request_that_waited_too_long_is_not_run() {
        Lane impatient = Lane.pooled("impatient", 1, 10, Duration.ofNanos(600));
        List<RemotingCommand> seen = new ArrayList<>();
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(
                        CODE,
                        (context, request) -> {
                            seen.add(request);
                            return RemotingCommand.success();
                        },
                        impatient));

        Caller inTime = ask(dispatcher);
        impatient.close(Duration.ofSeconds(5));
        assertAnswer(inTime, 0, null);

        nanos.set(1_001);
        Lane another = Lane.pooled("another", 1, 10, Duration.ofNanos(600));
        Caller late = ask(dispatcher(ProcessorTable.builder()
                .on(
                        CODE,
                        (context, request) -> {
                            seen.add(request);
                            return RemotingCommand.success();
                        },
                        another)));
        another.close(Duration.ofSeconds(5));
        assertAnswer(late, 2, "[OVERLOAD]system busy, the request waited too long");
        assertThat(seen).hasSize(1);
    }

    @Test
    void a_code_may_have_a_cap_of_its_own() {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(CODE, (context, request) -> RemotingCommand.success(), inline)
                .atMostWaiting(CODE, 0, "too many wait"));

        assertAnswer(ask(dispatcher), 1, "too many wait");
    }

    @Test
    void a_place_under_a_cap_is_free_again_when_its_request_runs() {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(CODE, (context, request) -> RemotingCommand.success(), inline)
                .atMostWaiting(CODE, 1, "too many wait"));

        for (int i = 0; i < 10; i++) {
            assertAnswer(ask(dispatcher), 0, null);
        }
    }

    @Test
    void a_quick_answer_is_given_to_requests_of_its_code_that_want_one() throws Exception {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(CODE, (context, request) -> RemotingCommand.error(1, "the long way"), inline)
                .tryFirst(
                        CODE,
                        (from, request) ->
                                request.version() < 400 ? null : ReadyAnswer.success(new byte[] {(byte) from.id()})));

        assertThat(dispatcher.quick(connection, scan(CODE, 0, 477)))
                .extracting(ReadyAnswer::body)
                .isEqualTo(new byte[] {(byte) connection.id()});
        assertThat(dispatcher.quick(connection, scan(CODE, 0, 300))).isNull();
        assertThat(dispatcher.quick(connection, scan(CODE + 1, 0, 477))).isNull();
        assertThat(dispatcher.quick(connection, scan(CODE, RemotingCommand.FLAG_ONEWAY, 477)))
                .isNull();
        assertThat(dispatcher.quick(connection, scan(CODE, RemotingCommand.FLAG_RESPONSE, 477)))
                .isNull();
    }

    @Test
    void there_is_no_quick_answer_where_there_would_be_no_other_one() {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(CODE, (context, request) -> RemotingCommand.success(), inline)
                .tryFirst(CODE, (from, request) -> ReadyAnswer.success(new byte[0])));

        inline.shut(true);
        assertThat(dispatcher.quick(connection, scan(CODE, 0, 477))).isNull();
        inline.shut(false);
        assertThat(dispatcher.quick(connection, scan(CODE, 0, 477))).isNotNull();
        dispatcher.sendAway();
        assertThat(dispatcher.quick(connection, scan(CODE, 0, 477))).isNull();
        assertThat(dispatcher.quick(connection, scan(CODE, 0, 475))).isNotNull();
    }

    @Test
    void a_quick_answer_that_fails_leaves_the_request_to_the_long_way() {
        RequestDispatcher dispatcher = dispatcher(ProcessorTable.builder()
                .on(CODE, (context, request) -> RemotingCommand.success(), inline)
                .tryFirst(CODE, (from, request) -> {
                    throw new IllegalStateException("broken");
                }));

        assertThat(dispatcher.quick(connection, scan(CODE, 0, 477))).isNull();
    }

    private static HeaderScan scan(int code, int flag, int version) {
        byte[] header = ("{\"code\":" + code + ",\"flag\":" + flag + ",\"opaque\":1,\"version\":" + version + "}")
                .getBytes(StandardCharsets.US_ASCII);
        HeaderScan scan = new HeaderScan();
        assertThat(scan.read(SerializeType.JSON, header, header.length, HeaderLimits.DEFAULT))
                .isTrue();
        return scan;
    }

    @Test
    void newer_callers_are_sent_away_and_older_ones_served() {
        RequestDispatcher dispatcher = serving((context, request) -> RemotingCommand.success());
        dispatcher.sendAway();

        assertAnswer(ask(dispatcher, Fixtures.request(CODE).withVersion(477)), 1500, "please go away");
        assertAnswer(ask(dispatcher, Fixtures.request(CODE).withVersion(475)), 0, null);
    }

    @Test
    void the_observer_is_told_once_of_each_request() {
        RequestDispatcher dispatcher = serving((context, request) -> {
            nanos.addAndGet(50);
            return RemotingCommand.error(22, "none");
        });

        ask(dispatcher);
        ask(dispatcher, Fixtures.request(9999).withFlag(RemotingCommand.FLAG_ONEWAY));

        RequestContext context = new RequestContext(connection, 400);
        assertThat(outcomes)
                .containsExactly(
                        new RequestOutcome(context, CODE, "inline", 600, 50, 22, false),
                        new RequestOutcome(context, 9999, "", 650, 0, 3, true));
    }

    @Test
    void an_observer_that_fails_takes_no_answer_away() {
        RequestDispatcher dispatcher = new RequestDispatcher(
                ProcessorTable.builder()
                        .on(CODE, (context, request) -> RemotingCommand.success(), inline)
                        .build(),
                outcome -> {
                    throw new IllegalStateException("blind");
                },
                479);

        assertAnswer(ask(dispatcher), 0, null);
    }

    @Test
    void of_two_answers_the_first_counts_and_the_second_is_given_up() {
        ByteBuf second = Unpooled.directBuffer(8).writeLong(1);
        Caller caller = new Caller();
        Exchange exchange = new Exchange(
                new Exchange.Frame(outcomes::add, 479, nanos::get),
                new RequestContext(connection, 0),
                Fixtures.request(CODE),
                "lane",
                caller);

        exchange.succeed(RemotingCommand.success());
        exchange.succeed(RemotingCommand.success(second));
        exchange.fail(new IllegalStateException("late"));

        assertAnswer(caller, 0, null);
        assertThat(second.refCnt()).isZero();
        assertThat(outcomes).hasSize(1);
    }

    @Test
    void a_lane_that_is_shut_answers_busy_runs_nothing_and_opens_again() {
        RequestDispatcher dispatcher = serving((context, request) -> RemotingCommand.success());
        String busy = "[OVERLOAD]system busy, requests of this kind are not taken for lack of memory";

        inline.shut(true);
        assertAnswer(ask(dispatcher), 2, busy);
        inline.shut(false);

        assertAnswer(ask(dispatcher), 0, null);
    }

    @Test
    void what_waits_in_a_lane_that_is_shut_meanwhile_is_answered_busy() {
        Lane lane = Lane.pooled("bulk", 1, 10, Duration.ZERO);
        CountDownLatch latch = new CountDownLatch(1);
        lane.offer(() -> awaitUninterruptibly(latch));
        RequestDispatcher dispatcher =
                dispatcher(ProcessorTable.builder().on(CODE, (context, request) -> RemotingCommand.success(), lane));
        Caller caller = ask(dispatcher);

        lane.shut(true);
        latch.countDown();

        assertThat(lane.close(Duration.ofSeconds(20))).isTrue();
        assertThat(caller.onlyAnswer().code()).isEqualTo(2);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
