package io.namesrv.server.processor;

import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.Registration;
import io.namesrv.core.route.RouteInfoManager;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What a registration with 10,000 topics costs the tables; reading its body is not part of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RegistrationBenchmark {
    private static final int TOPICS = 10_000;

    private final RouteInfoManager routes = BenchTables.filled(4, TOPICS);
    private final Registration same = BenchTables.registration(0, TOPICS, 1, 8);
    private final Registration[] changes = {
        BenchTables.registration(1, TOPICS, 2, 8), BenchTables.registration(1, TOPICS, 3, 4)
    };
    private int count;

    /** A heartbeat: nothing differs from the last one. */
    @Benchmark
    public RegisterBrokerResult unchanged() {
        return routes.registerBroker(same, BenchTables.connection(0), true);
    }

    /** A new version in which the queues of each topic differ. */
    @Benchmark
    public RegisterBrokerResult changed() {
        count++;
        return routes.registerBroker(changes[count % 2], BenchTables.connection(1), true);
    }

    /** The first broker of empty tables. */
    @Benchmark
    public RegisterBrokerResult first() {
        return BenchTables.empty().registerBroker(same, BenchTables.connection(0), true);
    }
}
