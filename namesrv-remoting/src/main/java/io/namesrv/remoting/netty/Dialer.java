package io.namesrv.remoting.netty;

import io.namesrv.remoting.Admission;
import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.protocol.HeaderLimits;
import io.namesrv.remoting.protocol.JsonBounds;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Makes the connections of a {@link RemotingClient}. Called on the client's thread. */
final class Dialer {
    private static final int FIELDS_MAX = 256;

    private final EventLoop thread;
    private final ClientOptions options;
    private final ConnectionLimits limits;
    private final Supplier<Optional<SslContext>> tls;
    private final Bootstrap bootstrap;
    private final FrameEncoder encoder = new FrameEncoder();

    Dialer(
            EventLoop thread,
            Class<? extends SocketChannel> transport,
            ClientOptions options,
            Supplier<Optional<SslContext>> tls) {
        this.thread = thread;
        this.options = options;
        this.limits = limits(options);
        this.tls = tls;
        this.bootstrap = new Bootstrap()
                .group(thread)
                .channel(transport)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        options.connectTimeout().toMillis());
    }

    /** What is sent by us waits in no queue, and what is sent to us may be one large field. */
    private static ConnectionLimits limits(ClientOptions options) {
        int any = 0;
        HeaderLimits header = new HeaderLimits(options.answerMax(), FIELDS_MAX, any, any, any, JsonBounds.DEFAULT);
        return new ConnectionLimits(
                options.answerMax(),
                Duration.ZERO,
                options.idle(),
                any,
                Duration.ZERO,
                any,
                header,
                ConnectionLimits.Together.DEFAULT);
    }

    /** A connection that is on its way. */
    ClientConnection dial(InetSocketAddress server) {
        ClientConnection connection = new ClientConnection(thread);
        bootstrap
                .clone()
                .handler(new Pipeline(server, connection))
                .connect(server)
                .addListener(made -> {
                    if (!made.isSuccess()) {
                        failed(connection, made.cause());
                    }
                });
        return connection;
    }

    /** Of a connection for which there was not even a socket Netty tells on a thread of its own. */
    private void failed(ClientConnection connection, Throwable cause) {
        String detail = String.valueOf(cause.getMessage());
        if (thread.inEventLoop()) {
            connection.end(Reason.NOT_CONNECTED, detail);
        } else {
            thread.execute(() -> connection.end(Reason.NOT_CONNECTED, detail));
        }
    }

    /** What a connection to a server is made of. */
    private final class Pipeline extends ChannelInitializer<Channel> {
        private final InetSocketAddress server;
        private final ClientConnection connection;

        Pipeline(InetSocketAddress server, ClientConnection connection) {
            this.server = server;
            this.connection = connection;
        }

        @Override
        protected void initChannel(Channel channel) {
            tls.get().ifPresent(context -> {
                SslHandler handler = context.newHandler(channel.alloc(), server.getHostString(), server.getPort());
                handler.setHandshakeTimeoutMillis(options.connectTimeout().toMillis());
                channel.pipeline().addLast(handler);
                connection.awaitHandshake();
            });
            channel.pipeline()
                    .addLast(new IdleStateHandler(0, 0, options.idle().toMillis(), TimeUnit.MILLISECONDS))
                    .addLast(new FrameDecoder(
                            limits,
                            new FreeAccount(),
                            new ReadGate(channel),
                            new IdleWatch(channel, limits),
                            AtOnce.NOTHING))
                    .addLast(encoder)
                    .addLast(connection);
        }
    }

    /** Charges nothing: a client has few connections, and each holds one answer at most that is not whole. */
    private static final class FreeAccount implements Admission.Account {
        @Override
        public boolean charge(int bytes) {
            return true;
        }

        @Override
        public void giveBack(int bytes) {
            // nothing was charged
        }

        @Override
        public void close() {
            // nothing was charged
        }
    }
}
