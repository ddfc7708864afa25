package io.namesrv.server.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A real producer and a real consumer that run while something happens to the cluster. */
final class Traffic implements AutoCloseable {
    private static final Pattern PROGRESS = Pattern.compile("progress acked=(\\d+) received=(\\d+)");
    private static final Pattern RESULT = Pattern.compile(
            "result sent=(\\d+) acked=(\\d+) received=(\\d+) again=(\\d+) lost=(\\d+) longestGapMillis=(\\d+) late=(true|false)");

    /** A client asks for its route once a second here, and gives a broker two seconds to answer. */
    private static final Duration FLOW_LIMIT = Duration.ofSeconds(60);

    private static final int SOME_MESSAGES = 100;

    /** It waits twice 45 seconds for what is missing. */
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(2);

    /**
     * @param acked messages that the producer was told to be stored
     * @param received different messages that the consumer got
     * @param lost messages that were acknowledged and did not arrive
     * @param longestGap longest time between two acknowledged messages
     * @param late the consumer did not get all of them in 45 seconds, and the rest was read by a second one
     */
    record Result(long sent, long acked, long received, long again, long lost, Duration longestGap, boolean late) {}

    private final ChildProcess client;
    private final Path stopFile;

    private Traffic(ChildProcess client, Path stopFile) {
        this.client = client;
        this.stopFile = stopFile;
    }

    /** Starts them; messages flow when this returns. The name has to be new for the topic. */
    static Traffic start(ApachePeers peers, String name) throws IOException, InterruptedException {
        return start(peers, name, peers.namesrv());
    }

    /** The same, with another address to ask for routes than the brokers have. */
    static Traffic start(ApachePeers peers, String name, String namesrv) throws IOException, InterruptedException {
        Path stopFile = peers.home(name).resolve("stop");
        Files.deleteIfExists(stopFile);
        ChildProcess client = peers.with(ApachePeers.QUICK_REBALANCE)
                .startClient(name, "TrafficClient", namesrv, Clusters.TOPIC, name, stopFile.toString());
        Traffic traffic = new Traffic(client, stopFile);
        try {
            traffic.awaitFlow();
            return traffic;
        } catch (AssertionError | InterruptedException failed) {
            traffic.close();
            throw failed;
        }
    }

    /** Waits until some more messages have been acknowledged, and some more received. */
    void awaitFlow() throws InterruptedException {
        long acked = progress(1);
        long received = progress(2);
        client.until(
                "flow of messages",
                FLOW_LIMIT,
                () -> progress(1) >= acked + SOME_MESSAGES && progress(2) >= received + SOME_MESSAGES);
    }

    private long progress(int group) {
        List<MatchResult> all = PROGRESS.matcher(client.output()).results().toList();
        return all.isEmpty() ? 0 : Long.parseLong(all.get(all.size() - 1).group(group));
    }

    /** Ends the sending, waits for what is still on its way, and counts. */
    Result finish() throws IOException, InterruptedException {
        Files.createFile(stopFile);
        MatchResult result = client.awaitOutput(RESULT, DRAIN_LIMIT);
        client.exitCode(FLOW_LIMIT);
        return new Result(
                Long.parseLong(result.group(1)),
                Long.parseLong(result.group(2)),
                Long.parseLong(result.group(3)),
                Long.parseLong(result.group(4)),
                Long.parseLong(result.group(5)),
                Duration.ofMillis(Long.parseLong(result.group(6))),
                Boolean.parseBoolean(result.group(7)));
    }

    @Override
    public void close() {
        client.close();
    }
}
