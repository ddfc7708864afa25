package io.namesrv.remoting.netty;

import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.ConnectionListener;
import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.RequestDispatcher;
import io.namesrv.remoting.protocol.PeerText;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a connection's pipeline: its requests go to the dispatcher, and its troubles end it. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RemotingServer.class);

    private final NettyConnection connection;
    private final RequestDispatcher dispatcher;
    private final ConnectionListener listener;
    private final ConcurrentMap<Long, NettyConnection> open;
    private final IdleSweep sweep;
    private final LogLimiter badPeers;
    private boolean opened;

    ConnectionHandler(
            NettyConnection connection,
            RequestDispatcher dispatcher,
            ConnectionListener listener,
            ConcurrentMap<Long, NettyConnection> open,
            IdleSweep sweep,
            LogLimiter badPeers) {
        this.connection = connection;
        this.dispatcher = dispatcher;
        this.listener = listener;
        this.open = open;
        this.sweep = sweep;
        this.badPeers = badPeers;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        opened = true;
        sweep.add(connection.idle());
        open.put(connection.id(), connection);
        log.debug("connection opened {}", connection);
        listener.opened(connection);
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (opened) {
            opened = false;
            sweep.remove(connection.idle());
            open.remove(connection.id());
            log.debug("connection closed {} reason={}", connection, connection.closeReason());
            connection.resume();
            connection.account().close();
            dispatcher.end(connection.order(), listener, connection, connection.closeReason());
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (msg instanceof InboundFrame frame) {
            RequestContext context = new RequestContext(connection, System.nanoTime());
            dispatcher.dispatch(context, frame.command(), connection.order(), connection.take(frame));
        } else {
            ReferenceCountUtil.release(msg);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            connection.gate().open(ReadGate.ANSWERS_UNREAD);
            connection.resume();
        } else {
            connection.gate().close(ReadGate.ANSWERS_UNREAD);
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Condemned condemned) {
            warn(condemned.reason(), condemned.detail());
            connection.close(condemned.reason());
        } else if (event instanceof IdleStateEvent idle) {
            onIdle(ctx, idle.state());
        }
    }

    private void onIdle(ChannelHandlerContext ctx, IdleState state) {
        if (state == IdleState.ALL_IDLE) {
            connection.close(CloseReason.IDLE);
        } else if (state == IdleState.WRITER_IDLE && !ctx.channel().isWritable()) {
            warn(CloseReason.SLOW_READER, "answers wait and none is taken");
            connection.close(CloseReason.SLOW_READER);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
        boolean ofDecoder = thrown instanceof DecoderException && thrown.getCause() != null;
        Throwable cause = ofDecoder ? thrown.getCause() : thrown;
        if (cause instanceof SSLException) {
            warn(CloseReason.BAD_FRAME, "TLS failed: " + PeerText.inLog(String.valueOf(cause.getMessage())));
            connection.close(CloseReason.BAD_FRAME);
        } else if (cause instanceof IOException) {
            log.debug("connection broken {} cause={}", connection, cause.toString());
            connection.close(CloseReason.PEER);
        } else {
            log.error("connection failed {}", connection, cause);
            connection.close(CloseReason.ERROR);
        }
    }

    private void warn(CloseReason reason, String detail) {
        int leftOut = badPeers.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn("closing connection {} reason={} detail={} unlogged={}", connection, reason, detail, leftOut);
        }
    }
}
