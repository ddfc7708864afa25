package io.namesrv.server;

import io.namesrv.remoting.Lane;
import io.namesrv.remoting.json.JsonCursor;
import io.namesrv.remoting.netty.ConnectionLimits;
import io.namesrv.remoting.netty.OnewayOptions;
import io.namesrv.remoting.netty.SocketOptions;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.JsonBounds;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.server.config.NamesrvConfig;
import io.namesrv.server.processor.NamesrvProcessors;
import java.time.Duration;

/** The settings in the words of the remoting. */
final class RemotingSettings {
    /** Threads of the lane that all lists and operators' requests run on; the rest of the default pool is for brokers. */
    private static final int BULK_THREADS = 2;

    /** A request that has waited longer has a caller that has given up or asks again. */
    private static final Duration SHED_AFTER = Duration.ofSeconds(1);

    private RemotingSettings() {}

    static NamesrvProcessors.Lanes lanes(NamesrvConfig.Requests requests) {
        int livenessThreads = Math.max(1, requests.defaultThreads() - BULK_THREADS);
        return new NamesrvProcessors.Lanes(
                Lane.pooled("liveness", livenessThreads, requests.defaultQueueCapacity(), Duration.ZERO),
                Lane.pooled("routes", requests.clientThreads(), requests.clientQueueCapacity(), SHED_AFTER),
                Lane.pooled("bulk", BULK_THREADS, requests.defaultQueueCapacity(), SHED_AFTER));
    }

    static SocketOptions socketOptions(NamesrvConfig.Network network) {
        int selectorThreads = network.selectorThreads() > 0
                ? network.selectorThreads()
                : 2 * Runtime.getRuntime().availableProcessors();
        return new SocketOptions(
                network.bindAddress(),
                network.listenPort(),
                network.backlog(),
                selectorThreads,
                true,
                network.sendBuffer(),
                network.receiveBuffer(),
                network.writeHighWaterMark(),
                network.writeLowWaterMark(),
                network.pooledBuffers());
    }

    static ConnectionLimits connectionLimits(NamesrvConfig config) {
        NamesrvConfig.Limits limits = config.limits();
        HeaderLimits header = new HeaderLimits(
                limits.headerMaxLength(),
                limits.extFieldsMax(),
                limits.extFieldNameMax(),
                limits.extFieldValueMax(),
                limits.kvValueMax(),
                new JsonBounds(limits.jsonMaxDepth(), limits.jsonMaxNumberLength(), JsonCursor.MAX_EXPONENT_LENGTH));
        return new ConnectionLimits(
                limits.frameMaxLength(),
                limits.frameDeadline(),
                config.network().channelMaxIdle(),
                limits.channelPendingMax(),
                ConnectionLimits.DEFAULT.drainDeadline(),
                limits.channelOutboundMax(),
                header,
                new ConnectionLimits.Together(
                        config.shared().connectionsMax(),
                        config.shared().connectionsPerIpMax(),
                        config.shared().outboundTotalMax()));
    }

    static OnewayOptions onewayOptions(NamesrvConfig config, SerializeType serializeType) {
        OnewayOptions usual = OnewayOptions.DEFAULT;
        return new OnewayOptions(
                config.network().onewayPermits(),
                usual.connectionsMax(),
                usual.connectTimeout(),
                usual.sendTimeout(),
                usual.idle(),
                serializeType,
                config.requests().protocolVersion(),
                usual.nativeTransport());
    }
}
