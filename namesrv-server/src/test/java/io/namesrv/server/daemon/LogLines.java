package io.namesrv.server.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class writes to the log, from INFO on, for as long as this is open. */
final class LogLines implements AutoCloseable {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger;
    private final Level before;

    LogLines(Class<?> writer) {
        logger = (Logger) LoggerFactory.getLogger(writer);
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        lines.start();
    }

    /** Level and text of each line so far. */
    List<String> all() {
        return List.copyOf(lines.list).stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }
}
