package io.namesrv.server.processor;

import io.namesrv.core.data.ActingMaster;
import io.namesrv.core.data.ConnectionId;
import io.namesrv.core.data.DataVersion;
import io.namesrv.core.data.RegisterBrokerResult;
import io.namesrv.core.data.Registration;
import io.namesrv.core.data.Registration.FilterServers;
import io.namesrv.core.data.Registration.TopicTable;
import io.namesrv.core.data.TopicConfig;
import io.namesrv.core.data.TopicRouteData;
import io.namesrv.core.route.RouteInfoManager;
import io.namesrv.remoting.CountingAdmission;
import io.namesrv.server.config.NamesrvConfig.Names;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RegistrationBodies.Body;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Picking a route up from tables of 10,000 topics on 4 brokers, and registering one of them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TableBenchmark {
    private static final int TOPICS = 10_000;
    private static final ConnectionId PEER = new ConnectionId(1);

    private final RouteInfoManager routes = new RouteInfoManager(() -> 0);
    private final CountingAdmission admission = new CountingAdmission(0, "registrationInFlightMax");
    private final RegistrationBodies bodies =
            new RegistrationBodies(new NameRules(new Names(false, 127, 127, 127, 255)), 32, 64, 1_000_000);
    private byte[] json = {};
    private long counter;

    @Setup
    public void register() {
        for (int broker = 0; broker < 4; broker++) {
            RegisterBrokerResult unused = routes.registerBroker(registration(broker, 0), PEER, false);
        }
        StringBuilder text = new StringBuilder(
                "{\"topicConfigSerializeWrapper\":{\"dataVersion\":{\"counter\":1},\"topicConfigTable\":{");
        for (int i = 0; i < TOPICS; i++) {
            text.append(i == 0 ? "" : ",")
                    .append("\"topic-" + i + "\":{\"attributes\":{},\"order\":false,\"perm\":6,\"readQueueNums\":8,")
                    .append("\"topicFilterType\":\"SINGLE_TAG\",\"topicName\":\"topic-" + i)
                    .append("\",\"topicSysFlag\":0,\"writeQueueNums\":8}");
        }
        json = text.append("}}}").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static Registration registration(int broker, long version) {
        List<TopicConfig> topics = new ArrayList<>(TOPICS);
        for (int i = 0; i < TOPICS; i++) {
            topics.add(new TopicConfig("topic-" + i, 8, i % 100 == 0 ? 4 + (int) (version % 4) : 8, 6, 0));
        }
        return new Registration(
                "c1",
                "broker-" + broker,
                0,
                "10.0.0." + broker + ":10911",
                "",
                ActingMaster.UNSAID,
                "",
                120_000,
                new TopicTable(new DataVersion(0, 0, version), TOPICS, topics, Set.of(), List.of()),
                FilterServers.NONE);
    }

    @Benchmark
    public Optional<TopicRouteData> pickUp() {
        return routes.pickupTopicRouteData("topic-77", false);
    }

    @Benchmark
    public byte[] pickUpAndEncode() {
        return JsonBodies.topicRoute(
                routes.pickupTopicRouteData("topic-77", false).orElseThrow(), "", Dialect.STANDARD);
    }

    @Benchmark
    public BodyHash hashOfRepeat() {
        return BodyHash.of(json);
    }

    @Benchmark
    public Body readBody() {
        try (CountingAdmission.Growth growth = admission.growth()) {
            return bodies.wrapped(json, growth);
        }
    }

    /** Of which one in a hundred rows differs; making the registration is part of it. */
    @Benchmark
    public RegisterBrokerResult registerChanged() {
        return routes.registerBroker(registration(1, ++counter), PEER, false);
    }
}
