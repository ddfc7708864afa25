package io.namesrv.server.admin;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of the admin port.
 *
 * @param path decoded, and split at its slashes: {@code /api/v1/topics/T1} is {@code [api, v1, topics, T1]}
 * @param query the decoder of what stands behind the question mark
 */
record AdminRequest(List<String> path, QueryStringDecoder query, HttpHeaders headers) {
    static AdminRequest of(String uri, HttpHeaders headers) {
        QueryStringDecoder decoder = new QueryStringDecoder(uri);
        List<String> path =
                List.of(decoder.rawPath()
                                .substring(decoder.rawPath().startsWith("/") ? 1 : 0)
                                .split("/", -1))
                        .stream()
                        .map(segment -> QueryStringDecoder.decodeComponent(segment.replace("+", "%2B")))
                        .toList();
        return new AdminRequest(path, decoder, headers);
    }

    /** The last value of a parameter. */
    Optional<String> parameter(String name) {
        List<String> values = query.parameters().get(name);
        return values == null ? Optional.empty() : Optional.of(values.get(values.size() - 1));
    }

    /** Whether a parameter is there, with any value or none. */
    boolean has(String name) {
        return query.parameters().containsKey(name);
    }

    /**
     * A whole number among the parameters.
     *
     * @throws AdminException (400) if it is none, or not in that range
     */
    int number(String name, int byDefault, int min, int max) throws AdminException {
        Optional<String> text = parameter(name);
        if (text.isEmpty()) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw AdminException.badRequest(name + " is not " + min + ".." + max);
    }
}
