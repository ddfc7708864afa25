package io.namesrv.server.processor;

import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.ExtFields;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.server.processor.JsonBodies.Dialect;
import io.namesrv.server.processor.RequestHeaders.GetRouteInfo;
import java.util.Optional;

/**
 * A route query, as far as its answer depends on it.
 *
 * @param known the route version that the caller says it has; absent if it knows nothing of versions
 */
record RouteQuery(String topic, Shape shape, Optional<String> known) {
    /** Caller's version from which on route JSON has quoted keys: 4.9.4. */
    private static final int SINCE_STANDARD_JSON = 401;

    /** What the body of an answer depends on beside the route. */
    record Shape(Dialect dialect, Optional<String> zoneName) {}

    static RouteQuery from(RemotingCommand request) throws CommandException {
        ExtFields fields = request.fields();
        GetRouteInfo header = GetRouteInfo.from(fields);
        Shape shape = new Shape(dialect(header.acceptStandardJsonOnly(), request.version()), header.zoneName());
        return new RouteQuery(header.topic(), shape, fields.optional("routeVersion"));
    }

    /** The dialect for a caller of a version. */
    static Dialect dialect(boolean acceptStandardJsonOnly, int callerVersion) {
        return acceptStandardJsonOnly || callerVersion >= SINCE_STANDARD_JSON ? Dialect.STANDARD : Dialect.BARE_KEYS;
    }

    /** How many characters of the caller's it holds on to while it waits. */
    int length() {
        return topic.length() + shape.zoneName().map(String::length).orElse(0);
    }
}
