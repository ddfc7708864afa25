package io.namesrv.server.client;

import io.namesrv.core.Ticker;
import io.namesrv.core.data.ClusterInfo;
import io.namesrv.remoting.netty.RemotingClient;
import io.namesrv.remoting.protocol.RequestCode;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Asks the name servers of a list.
 *
 * <p>A question goes to the fastest server that is well. If that one cannot be reached, does not answer in time, ends the
 * connection, answers nonsense, or says that it is busy, about to stop or not ready, the next one is asked, each of them
 * once at most. Any other answer is the answer, also one with an error code: {@link RefusedException}. If none answers:
 * {@link NoServerException}.
 *
 * <p>Everything is answered by a future, after a bounded time, so that {@code join()} is all that a caller needs who wants
 * to wait. Futures are completed on the client's one thread: what is chained to them must not block.
 *
 * <p>For any thread. A client that asks nothing holds no connection for long, but {@link #close()} gives back its thread.
 */
public final class NamesrvClient implements AutoCloseable {
    /** The longest that a query may be held until the route changes. */
    public static final Duration WAIT_MAX = RouteAsk.WAIT_MAX;

    private final NamesrvClientOptions options;
    private final RemotingClient remoting;
    private final NamesrvServers servers;

    /**
     * A client over plain connections, with the usual options.
     *
     * @param servers {@code host:port;host:port}
     * @throws IllegalArgumentException if that names no server, or what is no address
     */
    public NamesrvClient(String servers) {
        this(servers, NamesrvClientOptions.DEFAULT, Optional::empty);
    }

    /**
     * A client.
     *
     * @param servers {@code host:port;host:port}
     * @param tls asked for each new connection: the context it uses, or none for a plain one
     * @throws IllegalArgumentException if the list names no server, or what is no address
     */
    public NamesrvClient(String servers, NamesrvClientOptions options, Supplier<Optional<SslContext>> tls) {
        this(servers, options, tls, Ticker.system());
    }

    NamesrvClient(String servers, NamesrvClientOptions options, Supplier<Optional<SslContext>> tls, Ticker ticker) {
        this.options = options;
        this.remoting = new RemotingClient(options.remoting(), tls);
        try {
            this.servers = NamesrvServers.of(servers, remoting, options, ticker);
        } catch (IllegalArgumentException noList) {
            remoting.close();
            throw noList;
        }
    }

    /** The route of a topic; the answer has no version. */
    public CompletableFuture<RouteAnswer> route(String topic) {
        return one(RouteAsk.plain(topic, options.requestTimeout()));
    }

    /**
     * The route of a topic, unless it is the one that the caller has.
     *
     * @param known the version that came with it, {@link RouteVersion#NONE} at first; the server that gave it is asked
     *     before all others as long as it is well
     */
    public CompletableFuture<RouteAnswer> route(String topic, RouteVersion known) {
        return one(RouteAsk.versioned(topic, known, options.requestTimeout()));
    }

    /**
     * The route of a topic as soon as it is another one than the caller has, at the latest after some time.
     *
     * @param wait how long the server may hold the query, up to {@link #WAIT_MAX}; one that cannot do so answers at once,
     *     without a version
     * @throws IllegalArgumentException if the wait is negative or longer
     */
    public CompletableFuture<RouteAnswer> route(String topic, RouteVersion known, Duration wait) {
        return one(RouteAsk.waiting(topic, known, wait, options.requestTimeout()));
    }

    /** All clusters and broker groups. Groups without an address are left out. */
    public CompletableFuture<ClusterInfo> clusterInfo() {
        return one(Asks.clusterInfo(options.requestTimeout()));
    }

    /** The names of all topics, in no order. */
    public CompletableFuture<List<String>> topicList() {
        return one(Asks.topicList(options.requestTimeout()));
    }

    /** A key/value setting; absent if there is none. */
    public CompletableFuture<Optional<String>> getKVConfig(String namespace, String key) {
        return one(Asks.kvConfig(namespace, key, options.requestTimeout()));
    }

    /** All key/value settings of a namespace; absent if there is no such namespace. */
    public CompletableFuture<Optional<SortedMap<String, String>>> getKVListByNamespace(String namespace) {
        return one(Asks.kvList(namespace, options.requestTimeout()));
    }

    /** Writes a key/value setting to all servers. */
    public CompletableFuture<KVWrite> putKVConfig(String namespace, String key, String value) {
        return write(RequestCode.PUT_KV_CONFIG, Map.of("namespace", namespace, "key", key, "value", value));
    }

    /** Deletes a key/value setting on all servers; one that has none is content. */
    public CompletableFuture<KVWrite> deleteKVConfig(String namespace, String key) {
        return write(RequestCode.DELETE_KV_CONFIG, Map.of("namespace", namespace, "key", key));
    }

    /** What every server says of the route of a topic. */
    public CompletableFuture<RoutePicture> askAllForRoute(String topic) {
        return servers.askAll(RouteAsk.plain(topic, options.requestTimeout()))
                .thenApply(answers -> RoutePicture.of(topic, answers));
    }

    /** What every server says of clusters and broker groups; {@link Claims} puts it together. */
    public CompletableFuture<Answers<ClusterInfo>> askAllForClusterInfo() {
        return servers.askAll(Asks.clusterInfo(options.requestTimeout()));
    }

    /** What topics every server knows; {@link Claims} puts it together. */
    public CompletableFuture<Answers<List<String>>> askAllForTopicList() {
        return servers.askAll(Asks.topicList(options.requestTimeout()));
    }

    /** What is known of the servers, in the order in which they would be asked now. */
    public List<ServerState> servers() {
        return servers.inOrder("").stream()
                .map(server -> server.health().state(server.address()))
                .toList();
    }

    /** Closes all connections. What is still asked, and what is asked later, fails. Idempotent. */
    @Override
    public void close() {
        remoting.close();
    }

    private <T> CompletableFuture<T> one(Ask<T> ask) {
        return servers.askOne(ask).thenApply(Answer::value);
    }

    private CompletableFuture<KVWrite> write(int code, Map<String, String> fields) {
        return servers.askAll(Asks.write(code, fields, options.requestTimeout()))
                .thenApply(KVWrite::of);
    }
}
