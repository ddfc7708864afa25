package io.namesrv.remoting.netty;

import io.namesrv.remoting.Admission;
import io.namesrv.remoting.AnswerSink;
import io.namesrv.remoting.CloseReason;
import io.namesrv.remoting.Connection;
import io.namesrv.remoting.ConnectionOrder;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.NetUtil;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** One accepted connection: what it owes and is owed, and how it ends. */
final class NettyConnection implements Connection {
    /** A header without fields, about. */
    private static final long HEAD_BYTES = 128;

    /** For a peer that was gone before it could be asked for its address. */
    private static final InetSocketAddress UNKNOWN = new InetSocketAddress(0);

    // There are tens of thousands, most of them idle: counters are no objects of their own.
    private static final AtomicLongFieldUpdater<NettyConnection> OUTBOUND =
            AtomicLongFieldUpdater.newUpdater(NettyConnection.class, "outbound");
    private static final AtomicIntegerFieldUpdater<NettyConnection> PENDING =
            AtomicIntegerFieldUpdater.newUpdater(NettyConnection.class, "pending");
    private static final AtomicReferenceFieldUpdater<NettyConnection, @Nullable CloseReason> CLOSE_REASON =
            AtomicReferenceFieldUpdater.newUpdater(NettyConnection.class, CloseReason.class, "closeReason");

    private final long id;
    private final Channel channel;
    private volatile InetSocketAddress remoteAddress;
    private final ConnectionLimits limits;
    private final ConnectionOrder order;
    private final Admission.Account account;
    private final ReadGate gate;
    private final OutboundTotal total;

    private final IdleWatch idle;

    /** Bytes of answers that were handed over and have not been sent. */
    private volatile long outbound;

    /** Those of them that the channel has; on the I/O thread. */
    private long written;

    /** The largest answer since nothing waited; on the I/O thread. */
    private long largest;

    /** Whether what was written is about to be flushed; on the I/O thread. */
    private boolean flushing;

    private volatile @Nullable Queue<Runnable> putAside;
    private volatile int pending;
    private volatile @Nullable CloseReason closeReason;

    NettyConnection(
            long id,
            Channel channel,
            ConnectionLimits limits,
            ConnectionOrder order,
            Admission admission,
            OutboundTotal total) {
        this.id = id;
        this.channel = channel;
        this.remoteAddress = channel.remoteAddress() instanceof InetSocketAddress address ? address : UNKNOWN;
        this.limits = limits;
        this.order = order;
        this.total = total;
        this.account = admission.open(this);
        this.gate = new ReadGate(channel);
        this.idle = new IdleWatch(channel, limits);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public String remote() {
        return NetUtil.toSocketAddressString(remoteAddress);
    }

    @Override
    public boolean isOpen() {
        return channel.isActive() && closeReason == null;
    }

    /** Counts answers that are on their way to the I/O thread too: until it has them, the channel does not know of them. */
    @Override
    public boolean takesAnswers() {
        return channel.isWritable() && outbound < channel.config().getWriteBufferHighWaterMark();
    }

    @Override
    public void whenItTakesAnswers(Runnable task) {
        putAside().add(task);
        resume();
    }

    /** Made for the first of them, for most connections never. */
    private Queue<Runnable> putAside() {
        Queue<Runnable> tasks = putAside;
        if (tasks == null) {
            synchronized (this) {
                tasks = putAside;
                if (tasks == null) {
                    tasks = new ConcurrentLinkedQueue<>();
                    putAside = tasks;
                }
            }
        }
        return tasks;
    }

    /** Lets what was put aside go on, on any thread, as long as answers are taken; all of it once the channel has ended. */
    void resume() {
        Queue<Runnable> tasks = putAside;
        while (tasks != null && (takesAnswers() || !channel.isActive())) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            task.run();
        }
    }

    @Override
    public String toString() {
        return remote() + "#" + id;
    }

    /** From now on this is the connection of the client for which a proxy made it. */
    void standsFor(InetSocketAddress client) {
        remoteAddress = client;
    }

    ConnectionOrder order() {
        return order;
    }

    Admission.Account account() {
        return account;
    }

    ReadGate gate() {
        return gate;
    }

    IdleWatch idle() {
        return idle;
    }

    /** Bytes of answers that wait to be sent. */
    long outbound() {
        return outbound;
    }

    /** Requests that were taken and have no answer yet. */
    int pending() {
        return pending;
    }

    /** Why this ends or has ended: the first reason that was given, or the peer. */
    CloseReason closeReason() {
        CloseReason given = closeReason;
        return given == null ? CloseReason.PEER : given;
    }

    @Override
    public void close(CloseReason reason) {
        CLOSE_REASON.compareAndSet(this, null, reason);
        ChannelFuture unused = channel.close();
    }

    /** Closes this when all has been sent. */
    void closeAfterAnswers(CloseReason reason) {
        CLOSE_REASON.compareAndSet(this, null, reason);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Takes no more requests from the peer. */
    void stopReading() {
        onLoop(() -> gate.close(ReadGate.STOPPING), () -> {});
    }

    /** Counts a request that was read, on the I/O thread, and gives the way for its answer. */
    AnswerSink take(InboundFrame frame) {
        if (PENDING.incrementAndGet(this) >= limits.pendingMax()) {
            gate.close(ReadGate.TOO_MANY_PENDING);
            openIfFewPending();
        }
        return new Owed(frame.bytes());
    }

    /** The way for the answer to one request, which is pending until it is answered or held back. */
    private final class Owed implements AnswerSink {
        private final int charged;
        private volatile boolean held;

        Owed(int charged) {
            this.charged = charged;
        }

        @Override
        public void held() {
            held = true;
            onLoop(this::settle, this::settle);
        }

        @Override
        public void answer(RemotingCommand answer) {
            long bytes = size(answer);
            OUTBOUND.addAndGet(NettyConnection.this, bytes);
            total.add(bytes);
            onLoop(
                    () -> {
                        write(answer, bytes);
                        flushSoon();
                        done();
                    },
                    () -> {
                        answer.release();
                        sent(bytes);
                        done();
                    });
        }

        @Override
        public void nothing() {
            onLoop(this::done, this::done);
        }

        private void done() {
            if (!held) {
                settle();
            }
        }

        private void settle() {
            account.giveBack(charged);
            PENDING.decrementAndGet(NettyConnection.this);
            openIfFewPending();
        }
    }

    private void openIfFewPending() {
        if (gate.isClosedFor(ReadGate.TOO_MANY_PENDING) && pending <= limits.pendingMax() / 2) {
            gate.open(ReadGate.TOO_MANY_PENDING);
        }
    }

    /** A buffer for {@link #send}. */
    ByteBuf buffer(int capacity) {
        return channel.alloc().ioBuffer(capacity);
    }

    /** Sends frames, on the I/O thread. */
    void send(ByteBuf frames) {
        int bytes = frames.readableBytes();
        OUTBOUND.addAndGet(this, bytes);
        total.add(bytes);
        write(frames, bytes);
        channel.flush();
    }

    /** Writes a command, or frames. */
    private void write(Object answer, long bytes) {
        boolean waiting = written > 0;
        if (waiting && written > Math.max(limits.outboundMax(), largest)) {
            channel.pipeline()
                    .fireUserEventTriggered(new Condemned(
                            CloseReason.SLOW_READER, written + " bytes of answers wait (channelOutboundMax)"));
        }
        if (!channel.isActive()) {
            release(answer);
            sent(bytes);
            return;
        }
        largest = waiting ? Math.max(largest, bytes) : bytes;
        written += bytes;
        channel.write(answer).addListener(done -> {
            written -= bytes;
            idle.sent();
            sent(bytes);
            if (!done.isSuccess() && channel.isActive()) {
                channel.pipeline().fireExceptionCaught(done.cause()); // else its caller would wait for ever
            }
        });
    }

    /** Once for all answers that come together. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            onLoopLater(this::flush);
        }
    }

    private void flush() {
        flushing = false;
        channel.flush();
    }

    private void onLoopLater(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException stopped) {
            task.run(); // we are on this loop, which takes no more
        }
    }

    private static void release(Object answer) {
        if (answer instanceof RemotingCommand command) {
            command.release();
        } else {
            ReferenceCountUtil.release(answer);
        }
    }

    /** These bytes don't wait any more: they are gone, or lost. */
    private void sent(long bytes) {
        OUTBOUND.addAndGet(this, -bytes);
        total.remove(bytes);
        resume();
    }

    /** About how many bytes an answer makes. */
    private static long size(RemotingCommand answer) {
        long bytes = HEAD_BYTES
                + answer.body().readableBytes()
                + answer.remark().map(String::length).orElse(0);
        for (Map.Entry<String, String> field : answer.extFields().entrySet()) {
            bytes += field.getKey().length() + field.getValue().length();
        }
        return bytes;
    }

    /** Does something on the I/O thread, or the other thing here if that thread is no more. */
    private void onLoop(Runnable task, Runnable whenStopped) {
        if (channel.eventLoop().inEventLoop()) {
            task.run();
            return;
        }
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException stopped) {
            whenStopped.run();
        }
    }
}
