package io.namesrv.server.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The proxy of 5.x between the clients and the cluster, spoken to in both its protocols. */
@Tag("field")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
final class ProxyFieldTest {
    private static final Pattern SUCCESS = Pattern.compile("rocketmq-proxy startup successfully");
    private static final Duration DEPARTURE_LIMIT = Duration.ofSeconds(15);

    @ParameterizedTest
    @MethodSource("io.namesrv.server.interop.Clusters#generationsFrom5")
    void clients_reach_the_cluster_through_the_proxy(
            String version, TestedNamesrv server, @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        BrokerSetup a = Clusters.master("field-a");
        BrokerSetup b = Clusters.master("field-b");
        int grpc = FreePorts.forServer();
        int remoting = FreePorts.forServer();
        try (Processes processes = new Processes()) {
            NamesrvProcess namesrv = processes.add(server.start(directory, Map.of()));
            ApachePeers peers = ApachePeers.whole(version, directory, namesrv.address());
            ChildProcess firstA = processes.add(peers.startBroker(a));
            processes.add(peers.startBroker(b));
            Clusters.await(namesrv, a, b);
            Clusters.createTopic(peers, a, b);
            startProxy(processes, peers, grpc, remoting);

            try (RouteWatch watch = RouteWatch.start(namesrv);
                    Traffic traffic = Traffic.start(peers, "traffic", "127.0.0.1:" + remoting)) {
                firstA.kill();
                watch.until("the killed broker is gone", DEPARTURE_LIMIT, route -> !route.lists(a.address()));
                traffic.awaitFlow();
                processes.add(peers.startBroker(a));
                watch.until("it is back", Clusters.REGISTRATION_LIMIT, route -> route.lists(a.address()));
                traffic.awaitFlow();
                assertThat(peers.mqadmin(
                                "updateTopic", "-c", Clusters.CLUSTER, "-t", "GrpcTopic", "-a", "+message.type=NORMAL"))
                        .contains("create topic to " + b.address() + " success");
                assertThat(ApachePeers.grpc(directory)
                                .run("grpc", "GrpcClient", "127.0.0.1:" + grpc, "GrpcTopic", "100"))
                        .contains("sent 100 of 100", "received 100 of 100");
                FieldReport.add(
                        "through the proxy; one of two masters is killed and comes back",
                        version,
                        server,
                        traffic.finish(),
                        watch.longestWithoutRoute(),
                        "gRPC beside it: 100 sent, 100 received");
            }
            server.stop(namesrv);
        }
    }

    private static void startProxy(Processes processes, ApachePeers peers, int grpc, int remoting) throws Exception {
        Path home = peers.home("proxy");
        Files.writeString(
                home.resolve("conf/rmq-proxy.json"),
                JSON.toJSONString(Map.of(
                        "rocketMQClusterName",
                        Clusters.CLUSTER,
                        "namesrvAddr",
                        peers.namesrv(),
                        "localServeAddr",
                        "127.0.0.1",
                        "grpcServerPort",
                        grpc,
                        "remotingListenPort",
                        remoting,
                        "grpcThreadPoolNums",
                        4,
                        "metricsExporterType",
                        "DISABLE")),
                StandardCharsets.UTF_8);
        processes.add(peers.with("-DRMQ_PROXY_HOME=" + home)
                .startServer("proxy", "org.apache.rocketmq.proxy.ProxyStartup", SUCCESS));
    }
}
