package io.namesrv.remoting.netty;

import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.Nets;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands behind the listening port: a connection beyond a limit is closed as soon as it is accepted, before anything is
 * made for it. What comes from a proxy is counted to its address once its PROXY header is there.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RemotingServer.class);

    private final ConnectionCounts counts;
    private final Nets proxies;
    private final LogLimiter warnings = new LogLimiter(1, Duration.ofMinutes(1));

    AcceptGate(ConnectionCounts counts, Nets proxies) {
        this.counts = counts;
        this.proxies = proxies;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof Channel accepted)) {
            ctx.fireChannelRead(msg);
            return;
        }
        if (!counts.enter()) {
            refuse(accepted, "connectionsMax, or the system's limit of open files");
            return;
        }
        InetAddress ip = ipToCount(accepted);
        if (ip != null && !counts.enter(ip)) {
            counts.leave();
            refuse(accepted, "connectionsPerIpMax");
            return;
        }
        accepted.closeFuture()
                .addListener(
                        closed -> { // one for both: thousands of connections have it
                            counts.leave();
                            if (ip != null) {
                                counts.leave(ip);
                            }
                        });
        ctx.fireChannelRead(accepted);
    }

    private @Nullable InetAddress ipToCount(Channel accepted) {
        return accepted.remoteAddress() instanceof InetSocketAddress peer && !proxies.contain(peer)
                ? peer.getAddress()
                : null;
    }

    private void refuse(Channel accepted, String raise) {
        String peer = accepted.remoteAddress() instanceof InetSocketAddress address
                ? NetUtil.toSocketAddressString(address)
                : "unknown";
        accepted.unsafe().closeForcibly();
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn(
                    "connection refused from={} open={} refused={} raise={} unlogged={}",
                    peer,
                    counts.open(),
                    counts.refused(),
                    raise,
                    leftOut);
        }
    }
}
