package io.namesrv.server.admin;

import io.namesrv.remoting.LogLimiter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one port, one after another for each connection. Stateless; for all its connections. */
@ChannelHandler.Sharable
final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger log = LoggerFactory.getLogger(AdminHandler.class);

    private final Endpoints endpoints;
    private final AdminGuard guard;
    private final IntConsumer answered;
    private final LogLimiter failures = new LogLimiter(10, Duration.ofMinutes(1));

    /**
     * Makes one.
     *
     * @param answered told the status of each answer
     */
    AdminHandler(Endpoints endpoints, AdminGuard guard, IntConsumer answered) {
        this.endpoints = endpoints;
        this.guard = guard;
        this.answered = answered;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        ctx.channel().config().setAutoRead(false); // the next one when this one has been answered
        AdminAnswer answer = answer(request);
        if (request.decoderResult().isFailure()) {
            answer = answer.with("Connection", "close"); // where the next request begins nobody knows
        }
        answered.accept(answer.status().code());
        ctx.writeAndFlush(response(answer, request.method().equals(HttpMethod.HEAD)))
                .addListener(sent -> ctx.channel().config().setAutoRead(true));
    }

    private AdminAnswer answer(FullHttpRequest request) {
        try {
            if (request.decoderResult().isFailure()) {
                throw AdminException.badRequest("the request cannot be read, or is too long");
            }
            guard.checkHost(request.headers());
            guard.checkToken(request.headers());
            boolean reads =
                    request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
            if (!reads) {
                throw new AdminException(
                        HttpResponseStatus.METHOD_NOT_ALLOWED,
                        "method_not_allowed",
                        "only GET and HEAD are answered",
                        "nothing can be changed here");
            }
            AdminRequest asked = parsed(request);
            return endpoints
                    .find(asked.path())
                    .orElseThrow(() -> AdminException.notFound(
                            "no_such_page", "nothing is here", "see docs/admin.md for what can be asked"))
                    .answer(asked);
        } catch (AdminException failed) {
            return withMethods(AdminAnswer.error(failed));
        } catch (RuntimeException broken) {
            int leftOut = failures.leftOutOrSkip();
            if (leftOut >= 0) {
                log.error("admin request failed unlogged={}", leftOut, broken);
            }
            return AdminAnswer.error(new AdminException(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR, "failed", "the request failed", "the log says why"));
        }
    }

    private static AdminAnswer withMethods(AdminAnswer answer) {
        return answer.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)
                ? answer.with("Allow", "GET, HEAD")
                : answer;
    }

    private static AdminRequest parsed(FullHttpRequest request) throws AdminException {
        try {
            return AdminRequest.of(request.uri(), request.headers());
        } catch (IllegalArgumentException malformed) {
            throw AdminException.badRequest("the path or a parameter is not encoded as it should be");
        }
    }

    private static FullHttpResponse response(AdminAnswer answer, boolean withoutBody) {
        ByteBuf body = withoutBody ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body());
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, answer.status(), body);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
                .setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
                .set("X-Content-Type-Options", "nosniff");
        answer.headers().forEach((name, value) -> response.headers().set(name, value));
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            log.debug("admin connection ended from={} cause={}", ctx.channel().remoteAddress(), cause.toString());
        }
        ChannelFuture unused = ctx.close();
    }
}
