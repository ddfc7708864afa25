package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The only name server is killed and started again, while real brokers register and clients ask two hundred times a second. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class WarmRestartFieldTest {
    private static final long EXPIRED_MILLIS = 20_000;
    private static final Pattern NAME = Pattern.compile("\"([^\"]+)\"");

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#newestGeneration")
    void no_query_is_told_that_there_is_no_route(
            TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        int port = FreePorts.forServer();
        Map<String, String> settings =
                server.isOurs() ? Map.of("brokerExpiredTimeMillis", Long.toString(EXPIRED_MILLIS)) : Map.of();
        BrokerSetup stays = Clusters.master("field-a");
        BrokerSetup leaves = Clusters.master("field-b");
        try (Processes processes = new Processes()) {
            NamesrvProcess first = processes.add(server.start(directory, port, settings));
            ApachePeers peers = ApachePeers.of(Clusters.NEWEST, directory, first.address());
            processes.add(peers.startBroker(stays));
            ChildProcess leaving = processes.add(peers.startBroker(leaves));
            Clusters.await(first, stays, leaves);
            Clusters.createTopic(peers, stays, leaves);
            first.until(
                    "the route on both",
                    Clusters.REGISTRATION_LIMIT,
                    () -> brokersOf(first).containsAll(List.of(stays.address(), leaves.address())));

            Asker asker = new Asker(first, topicsOf(stays, first));
            try (Traffic traffic = Traffic.start(peers, "traffic")) {
                Thread.sleep(2_000); // what is a second old is kept
                first.kill();
                leaving.kill();
                asker.down();
                NamesrvProcess second = processes.add(server.start(directory, port, settings));
                traffic.awaitFlow();
                Clusters.await(second, stays);
                if (server.isOurs()) {
                    second.until(
                            "the other is gone",
                            Duration.ofMillis(EXPIRED_MILLIS + 30_000),
                            () -> !brokersOf(second).contains(leaves.address()));
                }
                asker.end();
                FieldReport.add(
                        "the only name server is killed and started again, one of two brokers for good",
                        Clusters.NEWEST,
                        server,
                        traffic.finish(),
                        asker.longestWithoutAnswer(),
                        asker.seen());
                if (server.isOurs()) {
                    assertThat(asker.withoutRoute.get()).as(asker.seen()).isZero();
                }
                server.stop(second);
            } finally {
                asker.end();
            }
        }
    }

    private static List<String> brokersOf(NamesrvProcess namesrv) {
        return brokersOf(Clusters.TOPIC, namesrv);
    }

    private static List<String> brokersOf(String topic, NamesrvProcess namesrv) {
        String body = namesrv.ask(RawQuery.route(topic)).body();
        return Stream.of(body.split("\"", -1))
                .filter(text -> text.startsWith("127.0.0.1:"))
                .toList();
    }

    private static List<String> topicsOf(BrokerSetup broker, NamesrvProcess namesrv) {
        String body = namesrv.ask(RawQuery.of(206, Map.of())).body();
        return NAME.matcher(body)
                .results()
                .map(match -> match.group(1))
                .filter(name -> brokersOf(name, namesrv).contains(broker.address()))
                .toList();
    }

    /** Asks for one topic after the other, two hundred times a second; the topics exist as long as their brokers do. */
    private static final class Asker {
        private final Dial dial;
        private final List<String> topics;
        private final Thread thread = new Thread(this::ask, "asker");
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger withoutRoute = new AtomicInteger();
        private final AtomicInteger unanswered = new AtomicInteger();
        private volatile long longestNanos;
        private volatile boolean over;
        private @Nullable Socket connection;

        Asker(NamesrvProcess namesrv, List<String> all) {
            this.dial = namesrv.dial();
            this.topics = all;
            thread.start();
        }

        private void ask() {
            long last = System.nanoTime();
            for (int i = 0; !over; i++) {
                try {
                    if (connection == null) {
                        connection = dial.connect();
                    }
                    int code = RawQuery.route(topics.get(i % topics.size()))
                            .ask(connection)
                            .code();
                    (code == 0 ? answered : withoutRoute).incrementAndGet();
                    longestNanos = Math.max(longestNanos, System.nanoTime() - last);
                    last = System.nanoTime();
                } catch (IOException down) {
                    unanswered.incrementAndGet();
                    disconnect();
                }
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    break;
                }
            }
            disconnect();
        }

        private void disconnect() {
            try {
                if (connection != null) {
                    connection.close();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            } finally {
                connection = null;
            }
        }

        /** Waits until the name server is seen to be down. */
        void down() throws InterruptedException {
            while (unanswered.get() == 0) {
                Thread.sleep(5);
            }
        }

        Duration longestWithoutAnswer() {
            return Duration.ofNanos(longestNanos);
        }

        String seen() {
            return topics.size() + " topics: " + answered + " queries answered, " + withoutRoute
                    + " told that there is no route, " + unanswered + " without an answer while the port was closed";
        }

        void end() throws InterruptedException {
            over = true;
            thread.join();
        }
    }
}
