package io.namesrv.server.processor;

import io.namesrv.remoting.LogLimiter;
import io.namesrv.remoting.RequestContext;
import io.namesrv.remoting.protocol.CommandException;
import io.namesrv.remoting.protocol.PeerText;
import io.namesrv.remoting.protocol.RemotingCommand;
import io.namesrv.remoting.protocol.ResponseCode;
import io.namesrv.server.config.ConfigUpdate;
import io.namesrv.server.config.ConfigUpdate.Applied;
import io.namesrv.server.config.ConfigUpdate.Failed;
import io.namesrv.server.config.ConfigUpdate.Forbidden;
import io.namesrv.server.config.LiveConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's own settings: 318 and 319. */
final class NamesrvConfigProcessor {
    private static final Logger log = LoggerFactory.getLogger(NamesrvConfigProcessor.class);

    private final LogLimiter warnings = new LogLimiter(20, Duration.ofSeconds(10));
    private final LiveConfig config;
    private final IntSupplier boundPort;
    private final Executor fileWriter;
    private final Optional<String> writeRefusal;

    /**
     * Makes the processor.
     *
     * @param boundPort the port the server listens on, which the setting 0 does not say
     * @param fileWriter runs what waits for the disk
     * @param writeRefusal why nothing is changed here, if that is so
     */
    NamesrvConfigProcessor(
            LiveConfig config, IntSupplier boundPort, Executor fileWriter, Optional<String> writeRefusal) {
        this.config = config;
        this.boundPort = boundPort;
        this.fileWriter = fileWriter;
        this.writeRefusal = writeRefusal;
    }

    RemotingCommand getNamesrvConfig(RequestContext context, RemotingCommand request) {
        String text = config.settings().text(boundPort.getAsInt());
        return RemotingCommand.success(text.getBytes(StandardCharsets.UTF_8));
    }

    CompletionStage<RemotingCommand> updateNamesrvConfig(RequestContext context, RemotingCommand request)
            throws CommandException {
        if (writeRefusal.isPresent()) {
            throw new CommandException(ResponseCode.SYSTEM_ERROR, writeRefusal.get());
        }
        byte[] body = request.bodyBytes();
        return CompletableFuture.supplyAsync(() -> config.update(body), fileWriter)
                .thenApply(update -> answer(update, context));
    }

    private RemotingCommand answer(ConfigUpdate update, RequestContext context) {
        if (update instanceof Applied applied) {
            applied.changed()
                    .forEach((key, value) -> log.info(
                            "setting changed key={} value={} from={}", key, PeerText.inLog(value), context.remote()));
            return RemotingCommand.success();
        }
        int code = update instanceof Forbidden ? ResponseCode.NO_PERMISSION : ResponseCode.SYSTEM_ERROR;
        String remark = update instanceof Forbidden forbidden ? forbidden.remark() : ((Failed) update).remark();
        int leftOut = warnings.leftOutOrSkip();
        if (leftOut >= 0) {
            log.warn("setting not changed: {} from={} unlogged={}", PeerText.inLog(remark), context.remote(), leftOut);
        }
        return RemotingCommand.error(code, remark);
    }
}
