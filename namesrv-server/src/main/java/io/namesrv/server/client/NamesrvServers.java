package io.namesrv.server.client;

import io.namesrv.core.Ticker;
import io.namesrv.remoting.netty.RemotingClient;
import io.namesrv.remoting.protocol.RequestCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The name servers of a client: whom to ask, and whom to ask next.
 *
 * <p>The times of all servers are measured beside what is asked, each time that they have become old: with the route of a
 * topic that every server knows or does not know at once. So a server that was slow or gone is found to be well again
 * without a caller who waits for it, and a client that asks nothing sends nothing.
 */
final class NamesrvServers {
    private static final String PROBED_TOPIC = "TBW102";

    private final List<NamesrvServer> servers;
    private final Ask<Integer> probe;

    NamesrvServers(List<NamesrvServer> servers, NamesrvClientOptions options) {
        this.servers = List.copyOf(servers);
        Map<String, String> fields = Map.of("topic", PROBED_TOPIC);
        this.probe = new Ask<>(
                RequestCode.GET_ROUTEINFO_BY_TOPIC,
                server -> fields,
                (server, answer) -> answer.code(),
                options.requestTimeout(),
                true,
                "");
    }

    /**
     * Lines to the servers of a list.
     *
     * @param list {@code host:port;host:port}
     * @throws IllegalArgumentException if it names none, or what is no address
     */
    static NamesrvServers of(String list, RemotingClient client, NamesrvClientOptions options, Ticker ticker) {
        List<NamesrvServer> servers = Arrays.stream(list.split(";", -1))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .distinct()
                .map(address -> new NamesrvServer(client.line(address), ticker, options))
                .toList();
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("no name server: " + list + " (expected: host:port;host:port)");
        }
        return new NamesrvServers(servers, options);
    }

    /** Who is asked first, who next. */
    List<NamesrvServer> inOrder(String preferred) {
        Comparator<NamesrvServer> preference = Comparator.comparing(server ->
                !(server.address().equals(preferred) && server.health().healthy()));
        return servers.stream()
                .map(server -> Map.entry(server, server.health()))
                .sorted(Map.Entry.comparingByValue(ServerHealth.ORDER))
                .map(Map.Entry::getKey)
                .sorted(preference)
                .toList();
    }

    /** Asks one server after another until one answers. */
    <T> CompletableFuture<Answer<T>> askOne(Ask<T> ask) {
        List<NamesrvServer> order = inOrder(ask.preferred());
        CompletableFuture<Answer<T>> answer = askNext(ask, order.iterator(), new LinkedHashMap<>());
        order.stream().skip(ask.measured() ? 1 : 0).forEach(server -> server.measure(probe));
        return answer;
    }

    private static <T> CompletableFuture<Answer<T>> askNext(
            Ask<T> ask, Iterator<NamesrvServer> left, Map<String, IOException> failures) {
        if (!left.hasNext()) {
            return CompletableFuture.failedFuture(new NoServerException(failures));
        }
        NamesrvServer server = left.next();
        return server.ask(ask).exceptionallyCompose(thrown -> {
            if (Failures.cause(thrown) instanceof IOException failure && Failures.sendsOn(failure)) {
                failures.put(server.address(), failure);
                return askNext(ask, left, failures);
            }
            return CompletableFuture.failedFuture(Failures.cause(thrown));
        });
    }

    /** Asks all servers side by side; ends when each has answered or failed. */
    <T> CompletableFuture<Answers<T>> askAll(Ask<T> ask) {
        List<CompletableFuture<Outcome<T>>> asked = new ArrayList<>();
        for (NamesrvServer server : servers) {
            asked.add(server.ask(ask).handle((answer, thrown) -> new Outcome<>(server.address(), answer, thrown)));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(all -> {
            Map<String, Answer<T>> given = new LinkedHashMap<>();
            Map<String, IOException> failures = new LinkedHashMap<>();
            for (CompletableFuture<Outcome<T>> outcome : asked) {
                outcome.join().sortInto(given, failures);
            }
            return new Answers<>(given, failures);
        });
    }
}
