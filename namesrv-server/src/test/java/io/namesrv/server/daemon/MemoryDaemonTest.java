package io.namesrv.server.daemon;

import static io.namesrv.server.daemon.TestBroker.master;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is answered while memory is short. */
@DisplayNameGeneration(ReplaceUnderscores.class)
final class MemoryDaemonTest {
    private static final Request CLUSTERS = Request.of(106);
    private static final Request PUT =
            Request.of(100).with("namespace", "ns").with("key", "k").with("value", "v");

    @RegisterExtension
    final TestDaemon daemon = new TestDaemon();

    @Test
    void lists_and_admin_requests_are_busy_while_memory_is_short_and_nothing_else_is() throws Exception {
        daemon.register(master());

        daemon.controller().memoryIsShort(true);
        List<Request> bulk = List.of(CLUSTERS, PUT, Request.of(206), Request.of(319));
        for (Request request : bulk) {
            assertThat(daemon.ask(request))
                    .isEqualTo(Reply.error(
                            2, "[OVERLOAD]system busy, requests of this kind are not taken for lack of memory"));
        }
        daemon.register(master());
        assertThat(daemon.ask(Request.of(105).with("topic", "t1")).code()).isZero();
        assertThat(daemon.ask(master().heartbeat())).isEqualTo(Reply.SUCCESS);
        daemon.controller().memoryIsShort(false);

        assertThat(bulk)
                .allSatisfy(request -> assertThat(daemon.ask(request).code()).isZero());
        assertThat(Map.of(
                        "k",
                        daemon.ask(Request.of(101).with("namespace", "ns").with("key", "k"))
                                .code()))
                .isEqualTo(Map.of("k", 0));
    }
}
