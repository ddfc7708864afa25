package io.namesrv.server.client;

import io.namesrv.remoting.protocol.RemotingCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * Something to ask name servers.
 *
 * @param code the request code
 * @param fields server → the header fields of the request to it
 * @param reader what makes a value of its answer
 * @param timeout for each server
 * @param measured whether the time that it takes says how fast a server is
 * @param preferred the server to be asked first as long as it is healthy; empty for the fastest
 */
record Ask<T>(
        int code,
        Function<String, Map<String, String>> fields,
        Reader<T> reader,
        Duration timeout,
        boolean measured,
        String preferred) {

    /** The same of every server, the fastest first. */
    static <T> Ask<T> of(int code, Map<String, String> fields, Duration timeout, Reader<T> reader) {
        return new Ask<>(code, server -> fields, reader, timeout, false, "");
    }

    RemotingCommand request(String server) {
        return RemotingCommand.request(code, fields.apply(server));
    }

    /** Makes a value of an answer. */
    @FunctionalInterface
    interface Reader<T> {
        /**
         * Reads an answer.
         *
         * @throws RefusedException if the server says no
         * @throws io.namesrv.remoting.json.JsonFormatException if the answer makes no sense
         */
        T read(String server, RemotingCommand answer) throws IOException;
    }
}
