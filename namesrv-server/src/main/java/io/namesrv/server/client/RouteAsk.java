package io.namesrv.server.client;

import io.namesrv.remoting.json.JsonFormatException;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.RequestCode;
import io.namesrv.remoting.protocol.ResponseCode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks for the route of a topic: at once, unless the caller has it already, or when the caller has it no more. */
final class RouteAsk {
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final String VERSION = "routeVersion";
    private static final String WAIT = "routeWaitMillis";
    private static final String UNCHANGED = "routeUnchanged";

    private RouteAsk() {}

    static Ask<RouteAnswer> plain(String topic, Duration timeout) {
        Map<String, String> fields = fields(topic);
        return new Ask<>(
                RequestCode.GET_ROUTEINFO_BY_TOPIC,
                server -> fields,
                (server, answer) -> read(server, answer, RouteVersion.NONE),
                timeout,
                true,
                "");
    }

    static Ask<RouteAnswer> versioned(String topic, RouteVersion known, Duration timeout) {
        return new Ask<>(
                RequestCode.GET_ROUTEINFO_BY_TOPIC,
                server -> with(fields(topic), VERSION, known.textFor(server)),
                (server, answer) -> read(server, answer, known),
                timeout,
                true,
                known.server());
    }

    /** How long it takes says nothing of the server. */
    static Ask<RouteAnswer> waiting(String topic, RouteVersion known, Duration wait, Duration timeout) {
        if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
            throw new IllegalArgumentException("wait: " + wait + " (expected: 0 to " + WAIT_MAX + ")");
        }
        Ask<RouteAnswer> atOnce = versioned(topic, known, timeout);
        return new Ask<>(
                atOnce.code(),
                server -> with(atOnce.fields().apply(server), WAIT, Long.toString(wait.toMillis())),
                atOnce.reader(),
                timeout.plus(wait),
                false,
                known.server());
    }

    private static Map<String, String> fields(String topic) {
        return with(Asks.STANDARD_JSON, "topic", topic);
    }

    private static Map<String, String> with(Map<String, String> fields, String name, String value) {
        Map<String, String> more = new HashMap<>(fields);
        more.put(name, value);
        return more;
    }

    private static RouteAnswer read(String server, RemotingCommand answer, RouteVersion known) throws IOException {
        Optional<RouteVersion> version = answer.fields().optional(VERSION).map(text -> new RouteVersion(server, text));
        if (answer.code() == ResponseCode.TOPIC_NOT_EXIST) {
            return new RouteAnswer.NoRoute(server, version);
        }
        Refusals.throwUnlessSuccess(server, answer);
        if (!answer.fields().bool(UNCHANGED)) {
            return new RouteAnswer.Found(server, AnswerBodies.topicRoute(answer.bodyBytes()), version);
        }
        if (!version.equals(Optional.of(known))) {
            throw new JsonFormatException("unchanged, of a version that was not asked with");
        }
        return new RouteAnswer.Unchanged(server, version);
    }
}
