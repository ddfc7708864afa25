package io.namesrv.server.processor;

import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.RouteInfoManager;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The route of one of 1,000 topics on 4 brokers, as it is answered where no ready answer is kept. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RouteBenchmark {
    private static final int TOPICS = 1000;
    private static final String[] NAMES = names();

    private final RouteInfoManager routes = BenchTables.filled(4, TOPICS);
    private int asked;

    /** The look at the tables. */
    @Benchmark
    public Optional<TopicRouteData> pickUp() {
        return routes.pickupTopicRouteData(nextTopic(), false);
    }

    /** A topic that nobody has. */
    @Benchmark
    public Optional<TopicRouteData> pickUpUnknown() {
        return routes.pickupTopicRouteData("unknown-topic", false);
    }

    /** The look, and the body in the form that clients since 4.9.4 are sent. */
    @Benchmark
    public byte[] pickUpAndEncode() {
        return JsonBodies.topicRoute(
                routes.pickupTopicRouteData(nextTopic(), false).orElseThrow(), "", JsonBodies.Dialect.STANDARD);
    }

    private String nextTopic() {
        asked = (asked + 1) % TOPICS;
        return NAMES[asked];
    }

    private static String[] names() {
        String[] names = new String[TOPICS];
        for (int number = 0; number < TOPICS; number++) {
            names[number] = BenchTables.topic(number);
        }
        return names;
    }
}
