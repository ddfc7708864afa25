package io.namesrv.server.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.namesrv.remoting.netty.ClientOptions;
import io.namesrv.remoting.netty.RemotingClient;
import io.namesrv.remoting.netty.ServerLine;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.SerializeType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;

/** A few requests of each kind that name servers are asked every day. */
final class Requests {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Map<String, String> BROKER = Map.of(
            "clusterName", "c1",
            "brokerName", "b1",
            "brokerId", "0",
            "brokerAddr", "10.0.0.1:10911");
    private static final Map<String, String> KEY = Map.of("namespace", "n1", "key", "k1");
    private static final String DATA_VERSION = "{\"counter\":%d,\"stateVersion\":0,\"timestamp\":1700000000000}";

    private Requests() {}

    /** Asks them all with headers of both forms, one after another. */
    static void askAll(String address) {
        for (SerializeType form : SerializeType.values()) {
            ClientOptions options = ClientOptions.DEFAULT.withSerializeType(form);
            try (RemotingClient client = new RemotingClient(options, Optional::empty)) {
                ServerLine line = client.line(address);
                requests().forEach(request -> line.ask(request, LIMIT).join());
            }
        }
    }

    private static List<RemotingCommand> requests() {
        Map<String, String> value = new TreeMap<>(KEY);
        value.put("value", "v1");
        return List.of(
                register(plainBody(1)),
                register(plainBody(1)),
                register(plainBody(2)),
                register(compressedBody(3)),
                RemotingCommand.request(RequestCode.QUERY_DATA_VERSION, BROKER)
                        .withBody(DATA_VERSION.formatted(3).getBytes(UTF_8)),
                RemotingCommand.request(RequestCode.BROKER_HEARTBEAT, BROKER),
                route("t1"),
                route("t1").withExtField("acceptStandardJsonOnly", "true"),
                route("unknown"),
                RemotingCommand.request(RequestCode.GET_BROKER_MEMBER_GROUP, BROKER),
                RemotingCommand.request(RequestCode.GET_BROKER_CLUSTER_INFO, Map.of()),
                RemotingCommand.request(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER, Map.of()),
                RemotingCommand.request(RequestCode.PUT_KV_CONFIG, value),
                RemotingCommand.request(RequestCode.GET_KV_CONFIG, KEY),
                RemotingCommand.request(RequestCode.GET_KVLIST_BY_NAMESPACE, KEY),
                RemotingCommand.request(RequestCode.DELETE_KV_CONFIG, KEY),
                RemotingCommand.request(RequestCode.UNREGISTER_BROKER, BROKER));
    }

    private static RemotingCommand route(String topic) {
        return RemotingCommand.request(RequestCode.GET_ROUTEINFO_BY_TOPIC, Map.of("topic", topic));
    }

    private static RemotingCommand register(byte[] body) {
        return RemotingCommand.request(RequestCode.REGISTER_BROKER, BROKER)
                .withExtField("haServerAddr", "10.0.0.1:10912")
                .withExtField("heartbeatTimeoutMillis", "10000")
                .withBody(body);
    }

    private static byte[] plainBody(int counter) {
        return """
                {"filterServerList":[],"topicConfigSerializeWrapper":{"dataVersion":%s,"topicConfigTable":{"t1":{\
                "attributes":{},"order":false,"perm":6,"readQueueNums":4,"topicFilterType":"SINGLE_TAG","topicName":"t1",\
                "topicSysFlag":0,"writeQueueNums":4}}}}""".formatted(DATA_VERSION.formatted(counter)).getBytes(UTF_8);
    }

    private static byte[] compressedBody(int counter) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            block(out, DATA_VERSION.formatted(counter));
            out.writeInt(1);
            block(out, "t1 4 4 6 SINGLE_TAG");
            block(out, "[]");
            out.writeInt(0);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void block(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
