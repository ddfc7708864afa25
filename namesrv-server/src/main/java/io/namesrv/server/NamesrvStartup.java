package io.namesrv.server;

import ch.qos.logback.classic.LoggerContext;
import io.namesrv.core.Ticker;
import io.namesrv.remoting.netty.RemotingServer;
import io.namesrv.remoting.protocol.SerializeType;
import io.namesrv.remoting.tls.TlsContexts;
import io.namesrv.server.Arguments.UsageException;
import io.namesrv.server.config.ConfigException;
import io.namesrv.server.config.ConfigLoader;
import io.namesrv.server.config.LoadedConfig;
import io.namesrv.server.config.MemoryCeiling;
import io.namesrv.server.config.NoHomeException;
import io.namesrv.server.config.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code main}: arguments, configuration file, exit codes. Nothing else of the daemon prints. */
public final class NamesrvStartup {
    private static final Logger log = LoggerFactory.getLogger(NamesrvStartup.class);

    private static final int BAD_ARGUMENTS = 1;
    private static final int START_FAILED = -1;
    private static final int NO_HOME = -2;
    private static final int NOT_INITIALIZED = -3;
    private static final int DEATH = 70;

    /** A stop that has not ended by then, whatever hangs, is cut short: ten seconds are promised. */
    private static final Duration STOP_DEADLINE = NamesrvController.WHOLE_STOP_LIMIT.plusMillis(500);

    /** For the last words of a daemon that has to end. */
    private static final Duration DEATH_DEADLINE = Duration.ofSeconds(2);

    private NamesrvStartup() {}

    /** Starts the daemon, or does what else the arguments ask for. */
    public static void main(String[] args) {
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
        } catch (UsageException wrong) {
            System.err.println(wrong.getMessage());
            System.err.print(Arguments.USAGE);
            System.exit(BAD_ARGUMENTS);
            return;
        }
        arguments.strayWords().forEach(word -> System.err.println("ignored: " + word));
        switch (arguments.action()) {
            case HELP -> System.out.print(Arguments.USAGE);
            case VERSION -> System.out.println(BuildVersion.text());
            case PRINT_CONFIG, RUN -> configured(arguments);
        }
    }

    private static void configured(Arguments arguments) {
        try {
            LoadedConfig loaded = load(arguments.configFile());
            if (arguments.action() == Arguments.Action.PRINT_CONFIG) {
                System.out.print(loaded.settings().textWithSources());
                return;
            }
            loaded.file().ifPresent(file -> System.out.println("load config properties file OK, " + file));
            run(fitted(loaded), tls(), serializeType());
        } catch (RefusedException unusable) {
            fail(unusable, NOT_INITIALIZED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (NoHomeException homeless) {
            fail(homeless, NO_HOME);
        } catch (ConfigException | IOException | RuntimeException failed) {
            fail(failed, START_FAILED);
        }
    }

    private static LoadedConfig load(Optional<Path> file) throws ConfigException {
        ConfigLoader loader = ConfigLoader.ofProcess();
        return file.isPresent() ? loader.load(file.get()) : loader.load();
    }

    private static void fail(Exception failed, int exitCode) {
        log.error("the name server did not start", failed);
        System.err.println(failed.getMessage() == null ? failed.toString() : failed.getMessage());
        flushLogs();
        System.exit(exitCode);
    }

    /** The files of TLS cannot be used, or limits are set for which there is not enough memory. */
    private static final class RefusedException extends Exception {
        RefusedException(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    private static MemoryCeiling.Fitted fitted(LoadedConfig loaded) throws RefusedException {
        try {
            return MemoryCeiling.fit(loaded, Runtime.getRuntime().maxMemory(), RemotingServer.directMemoryMax());
        } catch (ConfigException tooMuch) {
            throw new RefusedException(tooMuch);
        }
    }

    private static TlsContexts tls() throws RefusedException {
        try {
            return new TlsContexts(TlsSettings.ofProcess());
        } catch (IOException unusable) {
            throw new RefusedException(unusable);
        }
    }

    private static void run(MemoryCeiling.Fitted fitted, TlsContexts tls, SerializeType serializeType)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        LoadedConfig loaded = fitted.loaded();
        log.info("{} home={}", BuildVersion.text(), loaded.config().paths().rocketmqHome());
        loaded.warnings().forEach(log::warn);
        fitted.lines().forEach(log::info);
        NamesrvController controller =
                new NamesrvController(loaded, tls, Ticker.system(), serializeType, NamesrvStartup::die);
        Duration sendAway = loaded.config().network().shutdownWait();
        Thread hook = new Thread(() -> stop(controller, sendAway), "namesrv-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        new StopSignals(System::exit, Runtime.getRuntime()::halt).listen();
        InetSocketAddress address;
        try {
            address = controller.start();
        } catch (IOException | RuntimeException failed) {
            Runtime.getRuntime().removeShutdownHook(hook); // it would end the process with 0
            throw failed;
        }
        log.info("started in {} ms", Duration.ofNanos(System.nanoTime() - begin).toMillis());
        System.out.println("The Name Server boot success. serializeType=" + serializeType + ", address "
                + loaded.config().network().bindAddress() + ":" + address.getPort());
        controller.awaitStop();
    }

    /** Runs when the process is asked to end, and ends it with 0, where the JVM would say 143. */
    private static void stop(NamesrvController controller, Duration sendAway) {
        Duration limit = STOP_DEADLINE.plus(sendAway);
        haltAfter(limit, 0);
        log.info("stopping");
        controller.close();
        log.info("stopped");
        flushLogs();
        Runtime.getRuntime().halt(0);
    }

    /** The files are written behind queues, which would go down with the process. */
    private static void flushLogs() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
            logging.stop();
        }
    }

    /** Ends the process at once, with 70: without a vital thread it would look alive and serve nobody well. */
    static void die(String what) {
        haltAfter(DEATH_DEADLINE, DEATH);
        log.error("a vital part has died, ending: {}", what);
        flushLogs();
        Runtime.getRuntime().halt(DEATH);
    }

    /** Ends the process after that time, whatever it does meanwhile. */
    static void haltAfter(Duration limit, int exitCode) {
        Thread deadline = new Thread(
                () -> {
                    try {
                        TimeUnit.MILLISECONDS.sleep(limit.toMillis());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(exitCode);
                },
                "namesrv-deadline");
        deadline.setDaemon(true);
        deadline.start();
    }

    /** As Apache's programs take it, from a system property or an environment variable. */
    private static SerializeType serializeType() {
        String name = System.getProperty(
                "rocketmq.serialize.type", System.getenv().getOrDefault("ROCKETMQ_SERIALIZE_TYPE", "JSON"));
        try {
            return SerializeType.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "rocketmq.serialize.type: " + name + " (expected: JSON or ROCKETMQ)", unknown);
        }
    }
}
