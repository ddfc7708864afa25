package io.namesrv.server.processor;

import io.namesrv.remoting.Connection;
import io.namesrv.remoting.HeldAnswer;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.HeaderScan;
import io.namesrv.remoting.protocol.ReadyAnswer;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.processor.RequestHeaders.RouteWait;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What clients ask: 105. */
final class RouteProcessor {
    private final RouteAnswers answers;
    private final RouteWaiters waiters;
    private final RouteAnswerCache cache;
    private final ServiceWait serviceWait;

    RouteProcessor(RouteAnswers answers, RouteWaiters waiters, RouteAnswerCache cache, ServiceWait serviceWait) {
        this.answers = answers;
        this.waiters = waiters;
        this.cache = cache;
        this.serviceWait = serviceWait;
    }

    /** What has been encoded before, and that a topic is unknown, is said at once. */
    @Nullable
    ReadyAnswer atOnce(Connection connection, HeaderScan request) {
        return isNotReady() ? null : cache.find(request);
    }

    CompletionStage<RemotingCommand> getRouteInfoByTopic(RequestContext context, RemotingCommand request)
            throws CommandException {
        RouteQuery query = RouteQuery.from(request);
        if (isNotReady()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, "name server not ready");
        }
        RouteMoment now = answers.now(query.topic());
        if (now.isVersionedFor(query)) {
            Duration wait = RouteWait.from(request.fields()).time();
            if (!wait.isZero() && now.isKnownTo(query) && !request.isOneway()) {
                Optional<HeldAnswer> held = waiters.hold(query, now.version(), context.connection(), wait);
                if (held.isPresent()) {
                    return held.get();
                }
                now = answers.now(query.topic()); // it may have moved while it was to be held
            }
        }
        RouteMoment moment = now;
        return CompletableFuture.completedFuture(moment.answer(query, shape -> cache.body(moment, shape)));
    }

    private boolean isNotReady() {
        return serviceWait.leftMillis() > 0;
    }
}
