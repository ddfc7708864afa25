package io.namesrv.remoting.netty;

import io.namesrv.remoting.netty.NoAnswerException.Reason;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a server, from the wish for it to its end, and the questions that wait for answers over it. At its
 * end all of them fail. Confined to the client's thread.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(RemotingClient.class);

    private final EventLoop thread;
    private final Map<Integer, Question> pending = new LinkedHashMap<>();
    private @Nullable ChannelHandlerContext network;
    private boolean tls;
    private boolean ready;
    private boolean over;
    private int lastOpaque;
    private long heardNanos;

    ClientConnection(EventLoop thread) {
        this.thread = thread;
        this.heardNanos = thread.ticker().nanoTime();
    }

    /** There is a handshake before the first request. */
    void awaitHandshake() {
        tls = true;
    }

    /** Whether it has ended, so that nothing can be asked over it any more. */
    boolean isOver() {
        return over;
    }

    /** Takes a question; it is sent as soon as there is a connection. */
    void ask(Question question) {
        int opaque = ++lastOpaque;
        pending.put(opaque, question);
        question.alarm(
                thread.schedule(() -> late(opaque, question), question.timeout().toMillis(), TimeUnit.MILLISECONDS));
        if (ready && network != null) {
            send(network, opaque, question);
        }
    }

    private void send(ChannelHandlerContext ctx, int opaque, Question question) {
        RemotingCommand request = question.send(opaque, thread.ticker().nanoTime());
        ctx.writeAndFlush(request).addListener(written -> {
            if (!written.isSuccess() && pending.remove(opaque, question)) {
                question.fail(Reason.NOT_SENT, String.valueOf(written.cause()));
            }
        });
    }

    /** A server of which nothing at all is heard meanwhile may be gone without a word: the next one gets a new line. */
    private void late(int opaque, Question question) {
        if (!pending.remove(opaque, question)) {
            return;
        }
        boolean silent = question.isUnheardOf(heardNanos);
        question.fail(Reason.TIMEOUT, "none within " + question.timeout());
        if (silent) {
            end(Reason.ENDED, "nothing was heard for " + question.timeout());
        }
    }

    /** Ends it, whatever state it is in; the first reason counts. */
    void end(Reason reason, String detail) {
        if (over) {
            return;
        }
        over = true;
        List<Question> unanswered = new ArrayList<>(pending.values());
        pending.clear();
        if (network != null) {
            ChannelFuture unused = network.close();
        }
        for (Question question : unanswered) {
            question.fail(reason, detail);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        network = ctx;
        if (over) {
            ChannelFuture unused = ctx.close();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!tls) {
            ready(ctx);
        }
    }

    private void ready(ChannelHandlerContext ctx) {
        ready = true;
        heardNanos = thread.ticker().nanoTime();
        for (Map.Entry<Integer, Question> waiting : List.copyOf(pending.entrySet())) {
            if (!over) {
                send(ctx, waiting.getKey(), waiting.getValue());
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (msg instanceof InboundFrame frame) {
            heardNanos = thread.ticker().nanoTime();
            take(frame.command());
        } else {
            ReferenceCountUtil.release(msg);
        }
    }

    /** An answer that nobody waits for any more is nothing unusual: it came late. */
    private void take(RemotingCommand answer) {
        Question question = answer.isResponse() ? pending.remove(answer.opaque()) : null;
        if (question == null) {
            log.debug("nobody waits for {}", answer);
        } else if (answer.defect().isPresent()) {
            question.fail(Reason.BAD_ANSWER, answer.defect().get().remark());
        } else {
            question.answer(answer, heardNanos);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                ready(ctx);
            } else {
                end(Reason.NOT_CONNECTED, "TLS failed: " + text(handshake.cause()));
            }
        } else if (event instanceof Condemned condemned) {
            end(Reason.BAD_ANSWER, condemned.detail());
        } else if (event instanceof IdleStateEvent && pending.isEmpty()) {
            end(Reason.ENDED, "idle");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(ready ? Reason.ENDED : Reason.NOT_CONNECTED, "the connection ended");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
        boolean ofDecoder = thrown instanceof DecoderException && thrown.getCause() != null;
        end(ready ? Reason.ENDED : Reason.NOT_CONNECTED, text(ofDecoder ? thrown.getCause() : thrown));
    }

    private static String text(@Nullable Throwable cause) {
        return PeerText.inLog(String.valueOf(cause));
    }
}
