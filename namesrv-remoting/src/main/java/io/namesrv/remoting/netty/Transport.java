package io.namesrv.remoting.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The means of the system to do network I/O: epoll where there is such a thing, else NIO. */
enum Transport {
    EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class) {
        @Override
        IoHandlerFactory ioHandlers() {
            return EpollIoHandler.newFactory();
        }
    },
    NIO(NioServerSocketChannel.class, NioSocketChannel.class) {
        @Override
        IoHandlerFactory ioHandlers() {
            return NioIoHandler.newFactory();
        }
    };

    private final Class<? extends ServerSocketChannel> listening;
    private final Class<? extends SocketChannel> connecting;

    Transport(Class<? extends ServerSocketChannel> listening, Class<? extends SocketChannel> connecting) {
        this.listening = listening;
        this.connecting = connecting;
    }

    /** The best one there is; NIO if a native one is not wanted. */
    static Transport best(boolean wantNative) {
        return wantNative && Epoll.isAvailable() ? EPOLL : NIO;
    }

    Class<? extends ServerSocketChannel> listeningChannel() {
        return listening;
    }

    Class<? extends SocketChannel> connectingChannel() {
        return connecting;
    }

    /** Threads of this kind; none is started before it has something to do. */
    EventLoopGroup threads(String name, int count) {
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(name, true), ioHandlers());
    }

    abstract IoHandlerFactory ioHandlers();
}
