package io.namesrv.server.client;

import io.namesrv.core.data.ClusterInfo;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What can be asked besides {@linkplain RouteAsk routes}, and how it is answered. */
final class Asks {
    /** Both dialects are read; this one is JSON to everybody. */
    static final Map<String, String> STANDARD_JSON = Map.of("acceptStandardJsonOnly", "true");

    private Asks() {}

    static Ask<ClusterInfo> clusterInfo(Duration timeout) {
        return Ask.of(RequestCode.GET_BROKER_CLUSTER_INFO, STANDARD_JSON, timeout, (server, answer) -> {
            Refusals.throwUnlessSuccess(server, answer);
            return AnswerBodies.clusterInfo(answer.bodyBytes());
        });
    }

    static Ask<List<String>> topicList(Duration timeout) {
        return Ask.of(RequestCode.GET_ALL_TOPIC_LIST_FROM_NAMESERVER, Map.of(), timeout, (server, answer) -> {
            Refusals.throwUnlessSuccess(server, answer);
            return AnswerBodies.topicList(answer.bodyBytes());
        });
    }

    /** A success without a value is what Apache's say of a key that was put without one. */
    static Ask<Optional<String>> kvConfig(String namespace, String key, Duration timeout) {
        Map<String, String> fields = Map.of("namespace", namespace, "key", key);
        return Ask.of(RequestCode.GET_KV_CONFIG, fields, timeout, (server, answer) -> {
            if (isAbsent(answer)) {
                return Optional.empty();
            }
            Refusals.throwUnlessSuccess(server, answer);
            return answer.fields().optional("value");
        });
    }

    static Ask<Optional<SortedMap<String, String>>> kvList(String namespace, Duration timeout) {
        Map<String, String> fields = Map.of("namespace", namespace);
        return Ask.of(RequestCode.GET_KVLIST_BY_NAMESPACE, fields, timeout, (server, answer) -> {
            if (isAbsent(answer)) {
                return Optional.empty();
            }
            Refusals.throwUnlessSuccess(server, answer);
            return Optional.of(AnswerBodies.kvTable(answer.bodyBytes()));
        });
    }

    /** Its value is of no interest: success is all there is to know. */
    static Ask<Integer> write(int code, Map<String, String> fields, Duration timeout) {
        return Ask.of(code, fields, timeout, (server, answer) -> {
            Refusals.throwUnlessSuccess(server, answer);
            return answer.code();
        });
    }

    private static boolean isAbsent(RemotingCommand answer) {
        return answer.code() == ResponseCode.QUERY_NOT_FOUND;
    }
}
